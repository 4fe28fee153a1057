import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning

/// One offer code on its way through one commit: a purchase of the code's product at its offer's
/// price, and the note that the account has redeemed it.
struct Redemption: Sendable {
    let attempt: AttemptID
    let code: NamedOfferCode
    let word: OfferCodeWord
    let session: DeviceSession
    let account: Account

    var purchase: Purchase {
        Purchase(
            request: PurchaseRequest(
                attempt: attempt, product: code.code.product, quantity: 1,
                applicationUsername: nil, offer: .code(code, word: word)),
            session: session, account: account, environment: account.environment)
    }

    /// Redeems it once, however often the request is repeated.
    func carryOut(_ scope: borrowing WriteScope, time: WorldTime) throws -> Purchase.Outcome {
        let outcome = try purchase.decide(scope, time: time)
        guard outcome.isNew, outcome.attempt.state == .done else { return outcome }
        try scope.addRedemption(
            of: code.code, digest: code.digest, by: account.id,
            transaction: sold(outcome)?.id, at: time.recordNow())
        return outcome
    }

    /// The transaction; nil when the offer begins with the next renewal, which has none yet.
    func sold(_ outcome: Purchase.Outcome) -> StoreTransaction? {
        let transaction = outcome.transaction?.transaction
        return transaction?.attempt == attempt ? transaction : nil
    }
}
