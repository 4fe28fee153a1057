/// Where a transaction comes from that gives a purchase back.
package struct Restoration: Hashable, Sendable {
    package let restore: RestoreID
    /// The purchase that came back, in which case `original` of the transaction is the purchase's.
    package let purchase: TransactionID

    package init(restore: RestoreID, purchase: TransactionID) {
        self.restore = restore
        self.purchase = purchase
    }
}
