import Foundation
import StoreDatabase
import StoreModel
import StoreSigning

/// The store's present knowledge of the owner of a sent receipt that holds subscriptions and came
/// with the shared secret.
struct LatestReceipt: Sendable {
    struct Purchase: Sendable {
        let purchase: ReceiptPurchase
        let transaction: StoreTransaction
    }

    /// Newest first.
    let purchases: [Purchase]
    let subscriptions: [SubscriptionRecord]
    /// The newest receipt of the device, in base64.
    let receipt: String
}

/// The purchases of an account as they are in one moment.
struct LatestPurchases: Sendable {
    let purchases: [LatestReceipt.Purchase]
    let subscriptions: [SubscriptionRecord]

    /// Nil when a purchase in the receipt has no owner, as when its account is gone.
    init?(ofOwner receipt: ReceiptPayload, _ scope: borrowing ReadScope) throws {
        guard let owned = try Self.owned(receipt, scope) else { return nil }
        try self.init(of: owned.account, in: owned.app, scope)
    }

    init(of account: AccountID, in app: AppID, _ scope: borrowing ReadScope) throws {
        let transactions = try scope.receiptTransactions(of: account, in: app)
        let revocations = try scope.revocations(of: transactions.map(\.id))
        purchases = transactions.map {
            LatestReceipt.Purchase(
                purchase: ReceiptPurchase($0, revocations[$0.id]), transaction: $0)
        }
        subscriptions =
            try scope.subscriptions(of: account, in: app)
            + scope.sharedSubscriptions(among: transactions)
    }

    /// Whether they take long to answer.
    static func areMany(
        ofOwner receipt: ReceiptPayload, _ scope: borrowing ReadScope
    ) throws -> Bool {
        guard let owned = try owned(receipt, scope) else { return false }
        return try scope.isReceiptLarge(of: owned.account, in: owned.app)
    }

    /// A purchase that identifies the receipt's owner: a subscription, unless a test deleted those.
    private static func owned(
        _ receipt: ReceiptPayload, _ scope: borrowing ReadScope
    ) throws -> StoreTransaction? {
        let subscriptions = receipt.purchases.lazy.filter { $0.kind == .autoRenewable }
        for purchases in [Array(subscriptions.prefix(1)), receipt.purchases] {
            for number in purchases.lazy.compactMap({ Int64($0.transactionID) }) {
                if let found = try scope.transaction(TransactionID(number)),
                    try !scope.isDeleted(found.account)
                {
                    return found
                }
            }
        }
        return nil
    }

    /// The receipt that the device would get now: the sent one, when nothing was bought or taken
    /// back since.
    func receipt(
        after sent: ReceiptPayload, _ bytes: [UInt8], signer: ReceiptSigner, now: Timestamp
    ) throws -> [UInt8] {
        if areAll(in: sent) { return bytes }
        var newer = sent
        newer.purchases = purchases.map(\.purchase)
        newer.createdAt = now.roundedDownToSecond
        return try signer.sign(newer)
    }

    /// Whether a receipt says the same of the same purchases, whatever their order.
    private func areAll(in sent: ReceiptPayload) -> Bool {
        guard sent.purchases.count == purchases.count else { return false }
        let places = Dictionary(
            zip(sent.purchases.lazy.map(\.transactionID), sent.purchases.indices),
            uniquingKeysWith: { first, _ in first })
        return purchases.allSatisfy { known in
            places[known.purchase.transactionID]
                .map { sent.purchases[$0] == known.purchase } ?? false
        }
    }

    /// In the order of `latest_receipt_info`; with only the newest of each subscription, when that
    /// is asked for.
    func newestFirst(excludesOld: Bool) -> [LatestReceipt.Purchase] {
        // Their indices are sorted, which are nearly in order: moving a purchase is costly.
        let sorted = purchases.indices.reversed().sorted {
            (purchases[$0].purchase.purchasedAt, purchases[$0].transaction.id)
                > (purchases[$1].purchase.purchasedAt, purchases[$1].transaction.id)
        }.map { purchases[$0] }
        guard excludesOld else { return sorted }
        let newest = Set(subscriptions.map(\.newest))
        return sorted.filter {
            $0.transaction.kind != .autoRenewable || newest.contains($0.transaction.id)
        }
    }
}
