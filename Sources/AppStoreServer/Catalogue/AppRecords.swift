import StoreDatabase
import StoreModel
import StoreService

/// An app's row, without its catalogue file.
struct AppRow: Sendable {
    let id: AppID
    let bundleID: String
    let storefront: Storefront
    let developer: String
    /// How long its changes take; nil when the world's delay holds.
    let delayMilliseconds: Int64?
    /// How long it serves who did not pay; nil when not at all.
    let gracePeriod: GracePeriod?
}

private let appColumns = """
    SELECT app.id, bundle_id, storefront, developer.name, delay_ms, grace_days
    FROM app JOIN developer ON developer.id = app.developer_id
    """

extension ReadScope {
    borrowing func app(bundleID: String) throws -> AppRow? {
        try row("\(appColumns) WHERE bundle_id = ?1", [.text(bundleID)]).map { try AppRow($0) }
    }

    borrowing func apps() throws -> [AppRow] {
        try rows("\(appColumns) ORDER BY bundle_id").map { try AppRow($0) }
    }

    borrowing func knownApp(_ bundleID: String) throws -> AppRow {
        guard let app = try app(bundleID: bundleID) else {
            throw Refusal(404, "appUnknown", "This world has no app \"\(bundleID.prefix(255))\".")
        }
        return app
    }

    /// The catalogue file as it is exported.
    borrowing func catalogue(of app: AppID) throws -> [UInt8]? {
        try row("SELECT catalogue FROM app WHERE id = ?1", [.integer(app.rawValue)])?.blob(0)
    }
}

extension WriteScope {
    /// Makes the app or gives its catalogue another file.
    ///
    /// `storefront` is where people are taken to be who are not signed in. A new app belongs to the
    /// default developer account.
    borrowing func saveApp(
        bundleID: String, catalogue: [UInt8], storefront: Storefront, now: Timestamp
    ) throws -> AppID {
        if let known = try reading({ try $0.app(bundleID: bundleID) }) {
            try saveCatalogue(catalogue, of: known.id, now: now)
            try execute(
                "UPDATE app SET storefront = ?2 WHERE id = ?1",
                [.integer(known.id.rawValue), .text(storefront.countryCode)])
            return known.id
        }
        let id = try next("app")
        try execute(
            """
            INSERT INTO app (id, bundle_id, catalogue, storefront, created_ms, changed_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?5)
            """,
            [
                .integer(id), .text(bundleID), .blob(catalogue), .text(storefront.countryCode),
                .integer(now.milliseconds),
            ])
        return AppID(id)
    }

    borrowing func saveCatalogue(_ catalogue: [UInt8], of app: AppID, now: Timestamp) throws {
        try execute(
            "UPDATE app SET catalogue = ?2, changed_ms = ?3 WHERE id = ?1",
            [.integer(app.rawValue), .blob(catalogue), .integer(now.milliseconds)])
    }

    /// Sets how long changes of the app take; nil goes by the world's delay.
    borrowing func setDelay(_ milliseconds: Int64?, of app: AppID) throws {
        try execute(
            "UPDATE app SET delay_ms = ?2 WHERE id = ?1",
            [.integer(app.rawValue), .integer(milliseconds)])
    }

    borrowing func setDeveloper(_ developer: DeveloperID, of app: AppID) throws {
        try execute(
            "UPDATE app SET developer_id = ?2 WHERE id = ?1",
            [.integer(app.rawValue), .integer(developer.rawValue)])
    }
}

extension AppRow {
    /// From `appColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            id: AppID(row.integer(0)), bundleID: row.text(1),
            storefront: try Storefront(stored: row.text(2)), developer: row.text(3),
            delayMilliseconds: row.integerOrNil(4),
            gracePeriod: try row.integerOrNil(5).map { days throws(DatabaseError) in
                try GracePeriod(stored: days)
            })
    }
}
