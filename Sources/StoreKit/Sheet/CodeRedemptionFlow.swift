import CrashPoints
import Foundation
import StoreWire

/// Takes one offer code from a customer to the store: sign in if necessary, ask for the code, write
/// it down, send it, and ask again when the store refuses it.
struct CodeRedemptionFlow: Sendable {
    /// The result of an accepted code.
    struct Redeemed: Hashable, Sendable {
        let transaction: TransactionBody
        let receiptRevision: Int64
        let customer: Customer
        /// Whether nothing was sold yet: the offer begins with the next renewal.
        let isForRenewal: Bool
    }

    static let codeTriesMax = 3

    let sheet: SheetFlow
    let journal: Journal

    /// Nil when nothing was redeemed, or the outcome is unknown; the customer was told.
    func run() -> Redeemed? {
        if let refusal = sheet.refusal() { return end(refusal.sentence) }
        var prompt = SheetPrompt(productIdentifier: "", quantity: 1, isOfferCode: true)
        if sheet.needsSignIn, sheet.signIn(prompt) != nil { return nil }
        guard let customer = sheet.connection.customer, let guid = try? sheet.connection.guid()
        else { return end("Signing in did not last; try again.") }
        prompt.account = customer.account
        var trouble: String?
        for _ in 1...Self.codeTriesMax {
            switch sheet.sheet.offerCode(prompt, trouble: trouble) {
            case .given(let code):
                let record = RedemptionRecord(
                    attemptId: UUID().uuidString, scope: sheet.connection.configuration.scope,
                    worldId: customer.worldId, account: customer.account, deviceGuid: guid,
                    code: code)
                switch send(new: record) {
                case .redeemed(let redeemed): return redeemed
                case .refused(let sentence): trouble = sentence
                case .unknown(let sentence): return end(sentence)
                }
            case .cancelled: return nil
            case .unable(let sentence): return end(sentence)
            }
        }
        return trouble.flatMap { end($0) }
    }

    /// Requests the outcome of codes that an earlier process sent to the store.
    func runLeftOver() -> [Redeemed] {
        guard let customer = sheet.connection.customer, let guid = try? sheet.connection.guid()
        else { return [] }
        return journal.redemptions(of: sheet.connection.configuration.scope).compactMap {
            guard $0.customer == customer, $0.deviceGuid == guid,
                case .redeemed(let redeemed) = send($0)
            else { return nil }
            return redeemed
        }
    }

    private enum Outcome {
        case redeemed(Redeemed)
        case refused(String)
        /// No answer came; the journal keeps it.
        case unknown(String)
    }

    private func send(new record: RedemptionRecord) -> Outcome {
        do {
            try journal.write(record)
        } catch {
            return .unknown("The code cannot be saved, so it was not sent: \(error)")
        }
        CrashPoint.deviceRedemptionWritten.reach()
        return send(record)
    }

    private func send(_ record: RedemptionRecord) -> Outcome {
        let body = RedeemOfferCodeBody(attemptId: record.attemptId, code: record.code)
        let answer = sheet.client.patiently { () throws(StoreFailure) in
            try sheet.connection.redeem(body, as: record.customer, onDevice: record.deviceGuid)
        }
        switch answer {
        case .success(let answer):
            guard let outcome = outcome(answer, of: record) else {
                return .unknown("The store's answer is incomplete; the next launch asks again.")
            }
            forget(record)
            return outcome
        case .failure(let failure):
            switch failure.kind {
            // The store checks the account and the code before it accepts anything.
            case .refused(status: 400..<500, _):
                forget(record)
                return .refused(failure.sentence)
            case .refused, .lost, .cancelled, .signedOut, .otherWorld:
                return .unknown(
                    "\(failure.sentence) The next launch asks what happened to the code.")
            }
        }
    }

    private func outcome(_ answer: AttemptAnswerBody, of record: RedemptionRecord) -> Outcome? {
        if let refusal = answer.refusal { return .refused(refusal.message) }
        guard let transaction = answer.transaction else { return nil }
        return .redeemed(
            Redeemed(
                transaction: transaction, receiptRevision: answer.receiptRevision,
                customer: record.customer,
                isForRenewal: transaction.attemptId != record.attemptId))
    }

    private func forget(_ record: RedemptionRecord) {
        do {
            try journal.removeRedemption(record.attemptId)
        } catch {
            Diagnostic.say("\(error)")
        }
    }

    private func end(_ sentence: String) -> Redeemed? {
        sheet.sheet.show(sentence)
        return nil
    }
}
