import StoreDatabase
import StoreModel
import StoreRules

/// The data that a device's newest receipt was made from.
struct DeviceReceipt: Sendable {
    let account: AccountID
    let appVersion: String
    let revision: Int64
    let opaqueValue: [UInt8]
    let createdAt: Timestamp
}

/// The row of `sequence` that holds what revisions of receipts and key values count from: 0, and more
/// in a world that was restored from a backup, since devices may have seen later revisions than it.
let revisionBase = "revision_base"

/// A part of what a receipt shows, along an index of its own.
enum ReceiptPart: CaseIterable {
    case lasting
    case unfinished

    /// Selects its transactions; takes account and app.
    var source: String {
        """
        FROM store_transaction
        WHERE account_id = ?1 AND app_id = ?2 AND restore_id IS NULL AND \(condition)
        """
    }

    /// Counts them up to a limit; takes account, app and limit.
    var count: String { "SELECT count(*) FROM (SELECT 1 \(source) LIMIT ?3) AS shown" }

    /// A consumable that was taken back before it was finished is not in a receipt: devices do not
    /// learn of it, so it would never be finished.
    private var condition: String {
        switch self {
        case .lasting: "kind <> 'consumable'"
        case .unfinished: "kind = 'consumable' AND finished_ms IS NULL AND \(isNotTakenBack)"
        }
    }
}

extension ReadScope {
    /// The revision of the account's receipt, which only rises: how often it has changed, after the
    /// base of this world.
    borrowing func receiptRevision(of account: AccountID, in app: AppID) throws -> Int64 {
        try value(
            """
            SELECT coalesce((SELECT revision FROM receipt_revision
                WHERE account_id = ?1 AND app_id = ?2), 0)
                + coalesce((SELECT next FROM sequence WHERE name = ?3), 0)
            """, [account, app, revisionBase]) ?? 0
    }

    /// How often the account's receipt has changed; 0 for a receipt without history.
    borrowing func receiptChanges(of account: AccountID, in app: AppID) throws -> Int64 {
        try value(
            "SELECT revision FROM receipt_revision WHERE account_id = ?1 AND app_id = ?2",
            [account, app]) ?? 0
    }

    /// Whether the account's receipt for an app has no room for another purchase.
    borrowing func isReceiptFull(of account: AccountID, in app: AppID) throws -> Bool {
        try receiptShows(Int64(PurchaseRules.receiptPurchasesMax), of: account, in: app)
    }

    /// Whether a receipt has no room for another purchase, when its changes were counted at most so
    /// many purchases ago. Each purchase was a change, so a query is rarely needed.
    borrowing func isReceiptFull(
        of account: AccountID, in app: AppID, changes: Int64, purchasesSinceMax: Int
    ) throws -> Bool {
        guard changes + Int64(purchasesSinceMax) >= Int64(PurchaseRules.receiptPurchasesMax)
        else { return false }
        return try isReceiptFull(of: account, in: app)
    }

    /// Whether the account's receipt for an app takes long to make.
    borrowing func isReceiptLarge(of account: AccountID, in app: AppID) throws -> Bool {
        try receiptShows(Limits.quickReceiptPurchasesMax + 1, of: account, in: app)
    }

    /// Whether a receipt shows at least so many purchases.
    ///
    /// Each purchase was a change, so counting is rarely needed.
    private borrowing func receiptShows(
        _ countMin: Int64, of account: AccountID, in app: AppID
    ) throws -> Bool {
        guard try receiptChanges(of: account, in: app) >= countMin else { return false }
        let counts = try ReceiptPart.allCases.map { part in
            try row(
                part.count,
                [.integer(account.rawValue), .integer(app.rawValue), .integer(countMin)]
            )?.integer(0) ?? 0
        }
        return counts.reduce(0, +) >= countMin
    }

    borrowing func deviceReceipt(of device: DeviceID) throws -> DeviceReceipt? {
        try row(
            """
            SELECT account_id, app_version, revision, opaque, created_ms FROM device_receipt
            WHERE device_id = ?1
            """, [.integer(device.rawValue)]
        ).map {
            DeviceReceipt(
                account: try $0["account_id"], appVersion: try $0["app_version"],
                revision: try $0["revision"], opaqueValue: try $0["opaque"],
                createdAt: try $0["created_ms"])
        }
    }
}

extension WriteScope {
    /// Notes that the account's receipt has changed, and returns the new revision.
    borrowing func bumpReceiptRevision(of account: AccountID, in app: AppID) throws -> Int64 {
        try raiseReceiptRevision(of: account, in: app)
        return try reading.receiptRevision(of: account, in: app)
    }

    /// The same without returning the revision.
    borrowing func raiseReceiptRevision(of account: AccountID, in app: AppID) throws {
        try execute(
            """
            INSERT INTO receipt_revision (account_id, app_id, revision) VALUES (?1, ?2, 1)
            ON CONFLICT (account_id, app_id) DO UPDATE SET revision = receipt_revision.revision + 1
            """, [.integer(account.rawValue), .integer(app.rawValue)])
    }

    borrowing func saveDeviceReceipt(_ receipt: DeviceReceipt, of device: DeviceID) throws {
        try execute(
            """
            INSERT INTO device_receipt
                (device_id, account_id, app_version, revision, opaque, created_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (device_id) DO UPDATE SET account_id = ?2, app_version = ?3,
                revision = ?4, opaque = ?5, created_ms = ?6
            """,
            [
                .integer(device.rawValue), .integer(receipt.account.rawValue),
                .text(receipt.appVersion), .integer(receipt.revision),
                .blob(receipt.opaqueValue), .integer(receipt.createdAt.milliseconds),
            ])
    }
}
