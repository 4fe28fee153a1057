import StoreDatabase

extension WorldSchema {
    /// The way to what an account bought once and for all. Consumables are left out, of which an
    /// account may buy any number: they cost nothing here.
    static let lastingPurchases = Migration(
        number: 5,
        statements: [
            """
            CREATE INDEX transaction_lasting
                ON store_transaction (account_id, app_id, product_id, id)
                WHERE kind <> 'consumable'
            """
        ])
}
