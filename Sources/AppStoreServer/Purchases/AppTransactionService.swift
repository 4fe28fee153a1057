import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Shows and sets when, with which version and how an account got an app.
enum AppTransactionService {
    static func show(_ call: StoreCall, app bundleID: String) throws -> AppTransactionBody {
        let named = try call.request.queryAccount()
        return try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID)
            let account = try AccountUpkeepService.find(named, evenDeleted: true, scope)
            return try body(of: account, in: app, scope)
        }
    }

    /// `PUT /control/v1/apps/{bundleId}/app-transaction`; absent members stay as they are. An
    /// account that never had the app on a device gets it.
    static func set(_ call: StoreCall, _ body: SetAppTransactionBody, app bundleID: String)
        async throws -> AppTransactionBody
    {
        let version = try body.originalApplicationVersion.map {
            try checked($0, "originalApplicationVersion", bytesMax: Limits.appVersionBytesMax)
        }
        let time = call.world.time
        let (account, answer) = try await call.context.commit { scope in
            let app = try scope.reading.knownApp(bundleID)
            let account = try AccountUpkeepService.find(body.named, scope.reading)
            guard account.environment == .production else {
                throw Refusal(
                    422, "badField",
                    "environment must be production: the sandbox has Apple's constants, "
                        + "2013-08-01 and version 1.0.")
            }
            let now = time.now()
            try check(body.originalPurchaseDate, now: now)
            if let version {
                try scope.addAppTransaction(of: account, in: app.id, version: version, at: now)
            }
            guard var changed = try scope.reading.appTransaction(of: account.id, in: app.id) else {
                throw Refusal.appTransactionUnknown
            }
            let before = changed
            if let date = body.originalPurchaseDate { changed.purchasedAt = date }
            if let version { changed.version = version }
            if let platform = body.originalPlatform { changed.platform = platform }
            if let isVolume = body.isVolumePurchase { changed.isVolumePurchase = isVolume }
            if changed != before { try scope.save(changed, of: account.id, in: app.id) }
            // The receipt shows it.
            try scope.raiseReceiptRevision(of: account.id, in: app.id)
            return (account, try Self.body(of: account, in: app, scope.reading))
        }
        call.world.updates.wake(account.id)
        call.log.event(
            StoreEvent.appTransactionSet, ("account", .number(account.id.rawValue)),
            ("app", .text(bundleID)))
        return answer
    }

    private static func check(_ date: Timestamp?, now: Timestamp) throws {
        guard let date else { return }
        guard WorldClock.range.contains(date), date <= now else {
            throw Refusal(
                422, "badField",
                "originalPurchaseDate must be in the years 2000 to 2099, and not after "
                    + "\(CalendarDate(now).rfc3339), the world's time.")
        }
    }

    private static func body(
        of account: Account, in app: AppRow, _ scope: borrowing ReadScope
    ) throws -> AppTransactionBody {
        guard let found = try scope.appTransaction(of: account.id, in: app.id) else {
            throw Refusal.appTransactionUnknown
        }
        return AppTransactionBody(
            found, environment: account.environment, account: account.name,
            bundleId: app.bundleID, app: app.number)
    }
}

extension Refusal {
    fileprivate static let appTransactionUnknown = Refusal(
        404, "appTransactionUnknown",
        "The account never had this app on a device; give a version to let it have it.")
}
