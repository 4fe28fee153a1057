import StoreDatabase

extension WorldSchema {
    /// One way to what an account bought and keeps, in the order of the purchases, in place of
    /// three: each costs a page with every renewal. The product is in it, so that what an account
    /// owns of one is looked for without the rows of others.
    static let fewerIndexes = Migration(
        number: 23,
        statements: [
            "DROP INDEX transaction_by_account",
            "DROP INDEX transaction_restorable",
            "DROP INDEX transaction_lasting",
            """
            CREATE INDEX transaction_lasting
                ON store_transaction (account_id, app_id, id, product_id)
                WHERE restore_id IS NULL AND kind <> 'consumable'
            """,
        ])
}
