import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import StoreVerification

/// An app's row, without its catalogue file.
struct AppRow: Sendable {
    let id: AppID
    let bundleID: String
    /// Its number in the App Store.
    let number: AppNumber
    let storefront: Storefront
    let developer: String
    /// How long its changes take; nil when the world's delay applies.
    let delayMilliseconds: Int64?
    /// Its grace period; nil for none.
    let gracePeriod: GracePeriod?
}

private let appColumns = """
    SELECT app.id, bundle_id, app_number, storefront, developer.name, delay_ms, grace_days
    FROM app JOIN developer ON developer.id = app.developer_id
    """

extension ReadScope {
    borrowing func app(bundleID: String) throws -> AppRow? {
        try row("\(appColumns) WHERE bundle_id = ?1", [bundleID]).map { try AppRow($0) }
    }

    /// An app that a row of the world names.
    borrowing func app(_ id: AppID) throws -> AppRow {
        guard let row = try row("\(appColumns) WHERE app.id = ?1", [id]) else {
            throw DatabaseError(code: .notADatabase, detail: "there is no app \(id)")
        }
        return try AppRow(row)
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
    /// default developer account. The app gets the number of its file, unless another app of the
    /// world has that; without one, it keeps its own, or gets one that follows from its identifier.
    borrowing func saveApp(
        bundleID: String, catalogue: [UInt8], number: AppNumber?, storefront: Storefront,
        now: Timestamp
    ) throws -> AppID {
        let others = try reading.apps().filter { $0.bundleID != bundleID }
        let free = number.flatMap { wanted in
            others.contains { $0.number == wanted } ? nil : wanted
        }
        if let known = try reading.app(bundleID: bundleID) {
            if let free { try setNumber(free, of: known) }
            try saveCatalogue(catalogue, of: known.id, now: now)
            try execute(
                "UPDATE app SET storefront = ?2 WHERE id = ?1", [known.id, storefront.countryCode])
            return known.id
        }
        var own = AppNumber.chosen(for: bundleID)
        while others.contains(where: { $0.number == own }) { own = own.following }
        let id = try next("app")
        try insert(
            into: "app",
            [
                "id": id, "bundle_id": bundleID, "app_number": free ?? own,
                "catalogue": catalogue,
                "storefront": storefront.countryCode, "created_ms": now, "changed_ms": now,
            ])
        return AppID(id)
    }

    borrowing func saveCatalogue(_ catalogue: [UInt8], of app: AppID, now: Timestamp) throws {
        try execute(
            "UPDATE app SET catalogue = ?2, changed_ms = ?3 WHERE id = ?1", [app, catalogue, now])
    }

    /// Sets the app's number; receipts that devices have are outdated then.
    borrowing func setNumber(_ number: AppNumber, of app: AppRow) throws {
        guard app.number != number else { return }
        try execute("UPDATE app SET app_number = ?2 WHERE id = ?1", [app.id, number])
        try execute(
            """
            DELETE FROM device_receipt WHERE device_id IN (
                SELECT id FROM device WHERE app_id = ?1 AND environment = 'production')
            """, [app.id])
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

extension AppNumber {
    /// A number of ten digits that follows from the identifier, so that an app has the same one in
    /// every world: backends are configured with it.
    static func chosen(for bundleID: String) -> AppNumber {
        let digest = sha256(Array("app/\(bundleID)".utf8)).prefix(8)
        let number = digest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return known(1_000_000_000 + Int64(number % 9_000_000_000))
    }

    fileprivate var following: AppNumber { Self.known(rawValue % Self.range.upperBound + 1) }

    private static func known(_ number: Int64) -> AppNumber {
        guard let number = AppNumber(number) else {
            preconditionFailure("\(number) is not an app's number")
        }
        return number
    }
}

extension Row {
    /// From the columns app_number, bundle_id. Apps from before they had numbers have none stored.
    func appNumber() throws(DatabaseError) -> AppNumber {
        if let stored: AppNumber = try self["app_number"] { return stored }
        return .chosen(for: try self["bundle_id"])
    }
}

extension AppRow {
    /// From `appColumns`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            id: try row["id"], bundleID: try row["bundle_id"],
            number: try row.appNumber(),
            storefront: try row["storefront"], developer: try row["name"],
            delayMilliseconds: try row["delay_ms"],
            gracePeriod: try row["grace_days"])
    }
}
