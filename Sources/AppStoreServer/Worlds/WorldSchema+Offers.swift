import StoreDatabase

extension WorldSchema {
    /// The offers of subscriptions, in JSON; null for what was imported before they were read.
    static let offers = Migration(
        number: 13, statements: ["ALTER TABLE product ADD COLUMN offers TEXT"])
}
