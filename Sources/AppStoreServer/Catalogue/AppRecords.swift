import StoreDatabase
import StoreModel
import StoreService

/// An app's row, without its catalogue file.
struct AppRow: Sendable {
    let id: AppID
    let bundleID: String
    let storefront: Storefront
    let developer: String
    /// How long its changes take; nil when the world's delay applies.
    let delayMilliseconds: Int64?
    /// Its grace period; nil for none.
    let gracePeriod: GracePeriod?
}

private let appColumns = """
    SELECT app.id, bundle_id, storefront, developer.name, delay_ms, grace_days
    FROM app JOIN developer ON developer.id = app.developer_id
    """

extension ReadScope {
    borrowing func app(bundleID: String) throws -> AppRow? {
        try row("\(appColumns) WHERE bundle_id = ?1", [bundleID]).map { try AppRow($0) }
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
        try value("SELECT catalogue FROM app WHERE id = ?1", [app])
    }
}

extension WriteScope {
    /// Makes the app or gives its catalogue another file.
    ///
    /// `storefront` is assumed for customers who are not signed in. A new app belongs to the
    /// default developer account.
    borrowing func saveApp(
        bundleID: String, catalogue: [UInt8], storefront: Storefront, now: Timestamp
    ) throws -> AppID {
        if let known = try reading.app(bundleID: bundleID) {
            try saveCatalogue(catalogue, of: known.id, now: now)
            try execute(
                "UPDATE app SET storefront = ?2 WHERE id = ?1", [known.id, storefront.countryCode])
            return known.id
        }
        let id = try next("app")
        try insert(
            into: "app",
            [
                "id": id, "bundle_id": bundleID, "catalogue": catalogue,
                "storefront": storefront.countryCode, "created_ms": now, "changed_ms": now,
            ])
        return AppID(id)
    }

    borrowing func saveCatalogue(_ catalogue: [UInt8], of app: AppID, now: Timestamp) throws {
        try execute(
            "UPDATE app SET catalogue = ?2, changed_ms = ?3 WHERE id = ?1", [app, catalogue, now])
    }

    /// Sets how long changes of the app take; nil applies the world's delay.
    borrowing func setDelay(_ milliseconds: Int64?, of app: AppID) throws {
        try execute(
            "UPDATE app SET delay_ms = ?2 WHERE id = ?1", [app, milliseconds])
    }

    borrowing func setDeveloper(_ developer: DeveloperID, of app: AppID) throws {
        try execute(
            "UPDATE app SET developer_id = ?2 WHERE id = ?1", [app, developer])
    }
}

extension AppRow {
    /// From `appColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            id: try row["id"], bundleID: try row["bundle_id"],
            storefront: try row["storefront"], developer: try row["name"],
            delayMilliseconds: try row["delay_ms"],
            gracePeriod: try row["grace_days"])
    }
}
