import StoreDatabase

extension WorldSchema {
    /// What purchases and payments are kept with while somebody's answer is open.
    static let openPayments = Migration(
        number: 25,
        // The nonce that a purchase used up and gives back when nothing is sold.
        statements: ["ALTER TABLE waiting_purchase ADD COLUMN offer_nonce TEXT"])
}
