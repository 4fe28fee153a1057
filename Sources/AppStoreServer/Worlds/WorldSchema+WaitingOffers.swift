import StoreDatabase

extension WorldSchema {
    /// The promotional offer that a purchase waits with. Its signature was used up when it was
    /// asked for.
    static let waitingOffers = Migration(
        number: 17,
        statements: ["ALTER TABLE waiting_purchase ADD COLUMN promotional_offer_id TEXT"])
}
