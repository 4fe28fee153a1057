import Foundation
import StoreCaller
import StoreModel
import StoreWire

/// Asks the store about receipts: production first, the sandbox if production says so.
struct StoreVerifier: Sendable {
    /// Calls are made through here, on the thread that verifies.
    typealias Send = @Sendable (CallerRequest) throws(CallerError) -> CallerResponse

    let productionURL: String
    let sandboxURL: String
    let allowsSandbox: Bool
    /// Sent with every receipt, since any may contain subscriptions; nil when none is set.
    let secret: SharedSecret?
    let timings: BackendTimings
    let clock: WallClock
    let pauses = StorePauses()
    let send: Send

    /// The store's answer for a receipt; blocks for two calls, or four if it lists too much.
    func verify(_ receipt: [UInt8]) -> VerifyReport {
        let body = VerifyRequestBody(receipt, secret)
        let report = ask(.production, body)
        guard GrantRules.belongsToSandbox(report.answer), allowsSandbox else { return report }
        var second = ask(.sandbox, body)
        if second.asked == nil { second.asked = report.asked }
        return second
    }

    /// An environment's answer for a receipt that it verified before. Blocks for two calls at most.
    func verify(_ receipt: [UInt8], in environment: StoreEnvironment) -> VerifyReport {
        ask(environment, VerifyRequestBody(receipt, secret))
    }

    /// Asks with all transactions, since only the store's list says which of the receipt's were
    /// upgrades and which refunds were reversed; without the old ones only if the answer is too
    /// large to be read. The newest period is in either, and decides.
    private func ask(
        _ environment: StoreEnvironment, _ whole: VerifyRequestBody
    ) -> VerifyReport {
        do {
            return try askOnce(environment, whole)
        } catch {
            var short = whole
            short.excludesOld = true
            do {
                return try askOnce(environment, short)
            } catch {
                return error.report
            }
        }
    }

    /// Throws when the answer is too large to be read.
    private func askOnce(
        _ environment: StoreEnvironment, _ body: VerifyRequestBody
    ) throws(AnswerTooLarge) -> VerifyReport {
        let bytes: [UInt8]
        do {
            bytes = try WireJSON.encode(body)
        } catch {
            return VerifyReport(
                answer: .retry("the receipt cannot be put into a request: \(error)"))
        }
        let now = clock.now()
        if let left = pauses.left(environment, now: now, max: timings.pauseMillisecondsMax) {
            return VerifyReport(
                answer: .retry("the store asked for a pause"),
                pauseMilliseconds: left)
        }
        let request = CallerRequest(
            method: "POST", url: environment == .production ? productionURL : sandboxURL,
            headers: [("Content-Type", "application/json")],
            body: bytes, timeoutMilliseconds: timings.storeCallMilliseconds,
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
                answer: secretSpeaking(answer), asked: asked,
                pauseMilliseconds: pause(response, environment))
        } catch {
            let reason = "the store gave no answer: \(String(error.description.prefix(200)))"
            let report = VerifyReport(answer: .retry(reason), asked: asked)
            guard error.code == .answerTooLarge else { return report }
            throw AnswerTooLarge(report: report)
        }
    }

    /// 21004 is about our setting, not the receipt: the submission waits until that is corrected.
    private func secretSpeaking(_ answer: VerifyAnswer) -> VerifyAnswer {
        guard case .refused(VerifyAnswer.secretStatus) = answer else { return answer }
        return .retry(
            SharedSecret.advice(hasSecret: secret != nil), status: VerifyAnswer.secretStatus)
    }

    /// Heeds the `Retry-After` of an overloaded store, for every submission.
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

/// The answer was longer than any is read; with the report if there is no shorter one.
private struct AnswerTooLarge: Error {
    let report: VerifyReport
}

/// The body of `POST /verifyReceipt`.
private struct VerifyRequestBody: Encodable {
    let receiptData: String
    let password: String?
    /// Whether only the newest period of each subscription is wanted; nil for all of them.
    var excludesOld: Bool?

    init(_ receipt: [UInt8], _ secret: SharedSecret?) {
        receiptData = Data(receipt).base64EncodedString()
        password = secret?.text
    }

    private enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case password
        case excludesOld = "exclude-old-transactions"
    }
}
