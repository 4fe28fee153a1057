import StoreDatabase
import StoreModel
import StoreWire

/// Gives products of files that were imported before their period, level and offers were kept
/// those three, from the file, which the store has.
enum TermsBackfill {
    static func run(in database: Database) throws {
        let apps = try database.read { try $0.appsWithoutTerms() }
        for app in apps {
            // A file that was taken then and is refused now must not keep a store from starting.
            guard let bytes = try database.read({ try $0.catalogue(of: app) }),
                let products = try? CatalogueFile(bytes: bytes).products
            else { continue }
            try database.write { scope in
                for product in products where product.kind == .autoRenewable {
                    try scope.saveTerms(of: product, in: app)
                }
            }
        }
    }
}

extension ReadScope {
    /// Apps with a subscription of their file that was imported before all three were kept.
    fileprivate borrowing func appsWithoutTerms() throws -> [AppID] {
        try rows(
            """
            SELECT DISTINCT app_id FROM product
            WHERE kind = 'autoRenewable' AND offers IS NULL AND is_in_file = 1
            """
        ).map { AppID($0.integer(0)) }
    }
}

extension WriteScope {
    fileprivate borrowing func saveTerms(of product: Product, in app: AppID) throws {
        try execute(
            """
            UPDATE product SET renewal_period = ?3, group_level = ?4, offers = ?5
            WHERE app_id = ?1 AND product_id = ?2 AND offers IS NULL
            """,
            [
                .integer(app.rawValue), .text(product.id.rawValue),
                .text(product.renewalPeriod?.rawValue),
                .integer(product.groupLevel.map { Int64($0) }),
                try product.offers.stored(for: product.kind),
            ])
    }
}
