import StoreDatabase

extension WorldSchema {
    /// What attempts lacked that could not be paid.
    static let payments = Migration(
        number: 19,
        statements: [
            "ALTER TABLE attempt ADD COLUMN missing_milliunits BIGINT",
            "ALTER TABLE attempt ADD COLUMN missing_currency TEXT",
        ])
}
