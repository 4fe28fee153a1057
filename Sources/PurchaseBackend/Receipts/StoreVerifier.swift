import Foundation
import StoreCaller
import StoreModel
import StoreWire

/// Asks the store about receipts: production first, the sandbox when production says so.
struct StoreVerifier: Sendable {
    /// Calls are made through here, on the thread that verifies.
    typealias Send = @Sendable (CallerRequest) throws(CallerError) -> CallerResponse

    let productionURL: String
    let sandboxURL: String
    let allowsSandbox: Bool
    let timings: BackendTimings
    let send: Send

    /// What the store says of a receipt; blocks for two calls at most.
    func verify(_ receipt: [UInt8]) -> VerifyAnswer {
        let body: [UInt8]
        do {
            body = try WireJSON.encode(
                VerifyRequestBody(receiptData: Data(receipt).base64EncodedString()))
        } catch {
            return .retry("the receipt cannot be put into a request: \(error)")
        }
        let answer = ask(productionURL, .production, body)
        guard GrantRules.belongsToSandbox(answer), allowsSandbox else { return answer }
        return ask(sandboxURL, .sandbox, body)
    }

    private func ask(
        _ url: String, _ environment: StoreEnvironment, _ body: [UInt8]
    ) -> VerifyAnswer {
        let request = CallerRequest(
            method: "POST", url: url, headers: [("Content-Type", "application/json")],
            body: body, timeoutMilliseconds: timings.storeCallMilliseconds,
            connectTimeoutMilliseconds: timings.storeConnectMilliseconds,
            responseBodyMax: BackendLimits.storeAnswerMax)
        do {
            let response = try send(request)
            return .read(httpStatus: response.status, body: response.body, from: environment)
        } catch {
            return .retry("the store gave no answer: \(String(error.description.prefix(200)))")
        }
    }
}

/// The body of `POST /verifyReceipt`.
private struct VerifyRequestBody: Encodable {
    let receiptData: String

    private enum CodingKeys: String, CodingKey { case receiptData = "receipt-data" }
}
