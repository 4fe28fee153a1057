import StoreDatabase
import StoreModel
import StoreRules

/// What a device's newest receipt was made of.
struct DeviceReceipt: Sendable {
    let account: AccountID
    let appVersion: String
    let revision: Int64
    let opaqueValue: [UInt8]
    let createdAt: Timestamp
}

/// A part of what a receipt shows, along an index of its own.
enum ReceiptPart: CaseIterable {
    case lasting
    case unfinished

    /// Where it stands; account and app go in.
    var source: String {
        """
        FROM store_transaction
        WHERE account_id = ?1 AND app_id = ?2 AND restore_id IS NULL AND \(condition)
        """
    }

    /// Counts it up to a limit; account, app and limit go in.
    var count: String { "SELECT count(*) FROM (SELECT 1 \(source) LIMIT ?3) AS shown" }

    /// A consumable that was taken back before it was finished is in no receipt: no device is told
    /// of it, so nobody would finish it.
    private var condition: String {
        switch self {
        case .lasting: "kind <> 'consumable'"
        case .unfinished: "kind = 'consumable' AND finished_ms IS NULL AND \(isNotTakenBack)"
        }
    }
}

extension ReadScope {
    /// How often what the account's receipt shows has changed; 0 for a receipt without history.
    borrowing func receiptRevision(of account: AccountID, in app: AppID) throws -> Int64 {
        try value(
            "SELECT revision FROM receipt_revision WHERE account_id = ?1 AND app_id = ?2",
            [account, app]) ?? 0
    }

    /// Whether the account's receipt for an app has no room for another purchase.
    borrowing func isReceiptFull(of account: AccountID, in app: AppID) throws -> Bool {
        try receiptShows(Int64(PurchaseRules.receiptPurchasesMax), of: account, in: app)
    }

    /// Whether a receipt has no room for another purchase, whose revision was read so many purchases
    /// ago at most. Each of them raised it, so hardly ever is anything asked for.
    borrowing func isReceiptFull(
        of account: AccountID, in app: AppID, revision: Int64, purchasesSinceMax: Int
    ) throws -> Bool {
        guard revision + Int64(purchasesSinceMax) >= Int64(PurchaseRules.receiptPurchasesMax)
        else { return false }
        return try isReceiptFull(of: account, in: app)
    }

    /// Whether the account's receipt for an app takes long to make.
    borrowing func isReceiptLarge(of account: AccountID, in app: AppID) throws -> Bool {
        try receiptShows(Limits.quickReceiptPurchasesMax + 1, of: account, in: app)
    }

    /// Whether a receipt shows so many purchases, or more.
    ///
    /// Each purchase raised the revision, so hardly ever is anything counted.
    private borrowing func receiptShows(
        _ countMin: Int64, of account: AccountID, in app: AppID
    ) throws -> Bool {
        guard try receiptRevision(of: account, in: app) >= countMin else { return false }
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
    /// Notes that what the account's receipt shows has changed, and gives the new revision.
    borrowing func bumpReceiptRevision(of account: AccountID, in app: AppID) throws -> Int64 {
        try raiseReceiptRevision(of: account, in: app)
        return try reading { try $0.receiptRevision(of: account, in: app) }
    }

    /// The same, for who does not ask for it.
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
