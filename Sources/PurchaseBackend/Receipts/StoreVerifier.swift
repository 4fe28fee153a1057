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
    let clock: WallClock
    let pauses = StorePauses()
    let send: Send

    /// What the store says of a receipt; blocks for two calls at most.
    func verify(_ receipt: [UInt8]) -> VerifyReport {
        let body: [UInt8]
        do {
            body = try WireJSON.encode(
                VerifyRequestBody(receiptData: Data(receipt).base64EncodedString()))
        } catch {
            return VerifyReport(
                answer: .retry("the receipt cannot be put into a request: \(error)"))
        }
        let report = ask(productionURL, .production, body)
        guard GrantRules.belongsToSandbox(report.answer), allowsSandbox else { return report }
        var second = ask(sandboxURL, .sandbox, body)
        if second.asked == nil { second.asked = report.asked }
        return second
    }

    private func ask(
        _ url: String, _ environment: StoreEnvironment, _ body: [UInt8]
    ) -> VerifyReport {
        let now = clock.now()
        if let left = pauses.left(environment, now: now, max: timings.pauseMillisecondsMax) {
            return VerifyReport(
                answer: .retry("the store asked to be left alone for a while"),
                pauseMilliseconds: left)
        }
        let request = CallerRequest(
            method: "POST", url: url, headers: [("Content-Type", "application/json")],
            body: body, timeoutMilliseconds: timings.storeCallMilliseconds,
            connectTimeoutMilliseconds: timings.storeConnectMilliseconds,
            responseBodyMax: BackendLimits.storeAnswerMax)
        var asked = StoreTry(triedAt: now, environment: environment)
        do {
            let response = try send(request)
            let answer = VerifyAnswer.read(
                httpStatus: response.status, body: response.body, from: environment)
            asked.httpStatus = response.status
            if response.status == 200 { asked.storeStatus = answer.storeStatus }
            return VerifyReport(
                answer: answer, asked: asked, pauseMilliseconds: pause(response, environment))
        } catch {
            let reason = "the store gave no answer: \(String(error.description.prefix(200)))"
            return VerifyReport(answer: .retry(reason), asked: asked)
        }
    }

    /// Heeds the `Retry-After` of a store that has too much to do, for every submission.
    private func pause(_ response: CallerResponse, _ environment: StoreEnvironment) -> Int64? {
        guard [429, 503].contains(response.status),
            let header = response.headers["retry-after"]
        else { return nil }
        let now = clock.now()
        guard
            let wait = RetryAfter.milliseconds(
                header, now: now, max: timings.pauseMillisecondsMax)
        else { return nil }
        pauses.begin(environment, until: now.adding(milliseconds: wait))
        return wait
    }
}

/// The body of `POST /verifyReceipt`.
private struct VerifyRequestBody: Encodable {
    let receiptData: String

    private enum CodingKeys: String, CodingKey { case receiptData = "receipt-data" }
}
