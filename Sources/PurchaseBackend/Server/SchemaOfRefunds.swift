import StoreDatabase

extension BackendSchema {
    /// When a granted purchase was made, by the store's clock: whether a refund of its original
    /// transaction concerns it, or came before it was bought again.
    static let third = Migration(
        number: 3, statements: ["ALTER TABLE grants ADD COLUMN purchased_at INTEGER"])
}
