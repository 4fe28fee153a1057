import StoreDatabase
import StoreModel

/// How a subscription stands, with what is signed of it: the payloads of its newest transaction and
/// of its renewal.
struct SignedSubscription: Sendable {
    let group: String
    let status: SignedStatus
    let original: TransactionID
    let transaction: [UInt8]
    let renewal: [UInt8]
}

extension SignedDataMaker {
    /// A customer's subscriptions in the app, and then those that their family shares with them.
    func subscriptions(
        of account: AccountID, _ scope: borrowing ReadScope
    ) throws -> [SignedSubscription] {
        var found: [SignedSubscription] = []
        for kept in try scope.subscriptions(of: account, in: app.id) {
            found.append(try subscription(kept, scope))
        }
        for kept in try scope.sharedSubscriptions(of: account, in: app.id) {
            found.append(try subscription(kept, scope))
        }
        return found
    }

    private func subscription(
        _ kept: SubscriptionRecord, _ scope: borrowing ReadScope
    ) throws -> SignedSubscription {
        guard let newest = try scope.transaction(kept.newest) else {
            throw DatabaseError(code: .notADatabase, detail: "a subscription without transaction")
        }
        let (transaction, renewal) = try purchase(newest, kept, scope)
        return SignedSubscription(
            group: kept.group, status: SignedStatus(kept.state.phase), original: kept.original,
            transaction: transaction, renewal: renewal)
    }
}
