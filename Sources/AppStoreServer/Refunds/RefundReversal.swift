import StoreDatabase
import StoreModel
import StoreRules
import StoreService

/// Reverses a refund: the customer has the purchase again, and pays for it again.
enum RefundReversal {
    /// Refuses an amount that the customer cannot pay, a purchase that the receipt has no room for,
    /// and a period whose days were bought again: nobody pays for them twice, and of two refunds
    /// the newer one can be reversed. Of the family's subscriptions those in `left` are not
    /// settled; throws a `DueTrouble` for any other that cannot be.
    static func giveBack(
        _ purchase: StoreTransaction, at now: Timestamp, except left: Set<TransactionID>,
        _ scope: borrowing WriteScope, time: WorldTime
    ) throws {
        // Only a consumable leaves the receipt when it is taken back.
        let comesAgain = purchase.kind == .consumable && purchase.finishedAt == nil
        let isFull = try scope.reading.isReceiptFull(of: purchase.account, in: purchase.app)
        if comesAgain && isFull { throw Refusal.receiptFull }
        if try scope.reading.wasBoughtAgain(purchase) { throw Refusal.boughtAgain }
        let given = try scope.undoRevocations(ofRefund: purchase.id)
        try beginAgain(purchase, at: now, scope)
        for id in given {
            let sold = try scope.reading.transaction(id)
            guard let sold else { throw Refusal.transactionUnknown }
            try scope.takeMoneyAgain(of: sold, at: now)
            try scope.record(
                .refundReversed(standsFor: sold.standsFor), of: sold, at: now)
        }
        try scope.raiseReceiptRevision(of: purchase.account, in: purchase.app)
        let family = try scope.reading.family(of: purchase.account)
        try Settlement.settleDue(
            of: family.map(\.account), except: left, scope, at: now, time: time)
        _ = try FamilySharing.settle(from: family, to: family, at: now, scope)
    }

    /// A subscription that ended with the period goes on to the period's end.
    private static func beginAgain(
        _ purchase: StoreTransaction, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        guard purchase.subscription != nil,
            var kept = try scope.reading.subscription(purchase.original),
            kept.newest == purchase.id
        else { return }
        kept.state = SubscriptionChangeRules.reversed(kept.state, at: now)
        try scope.save(kept)
    }
}

extension Refusal {
    fileprivate static let boughtAgain = Refusal(
        409, "periodBoughtAgain",
        "Another period of the same group was sold for the same days.")

    fileprivate static let receiptFull = Refusal(
        409, "receiptFull", "The account's receipt of this app is full; finish consumables first.")
}
