import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// The device that the store keeps for each account and app, on which the world's owner buys.
///
/// It is registered, and the account signed in on it, by the owner's authority instead of a
/// password; from then on it is a device like any other.
enum OwnerDevice {
    /// The version of its app when the owner does not name one.
    static let usualAppVersion = "1.0"

    /// An account that is signed in on its device.
    struct Place: Sendable {
        let session: DeviceSession
        let account: Account
        /// In the account's environment.
        let scene: Scene
    }

    /// Does what needs a session there; once more if it ended in between, as when somebody signs in
    /// under the device's UUID.
    static func use<Answer: Sendable>(
        of named: NamedAccountBody, in bundleID: String, appVersion: String?, _ scene: Scene,
        _ body: (Place) async throws -> Answer
    ) async throws -> Answer {
        let first = try await place(of: named, in: bundleID, appVersion: appVersion, scene)
        do {
            return try await body(first)
        } catch let refusal as Refusal where refusal == .tokenUnknown {
            return try await body(
                try await place(of: named, in: bundleID, appVersion: appVersion, scene))
        }
    }

    /// The present session, or a new one; `isForReading`, with the version that the account has, and
    /// only if it has the app on a device. A locked account is refused, as it would be on any device.
    static func place(
        of named: NamedAccountBody, in bundleID: String, appVersion: String?,
        isForReading: Bool = false, _ scene: Scene
    ) async throws -> Place {
        let bundleID = try checkedBundleID(bundleID)
        let wanted = try appVersion.map {
            try checked($0, "appVersion", bytesMax: Limits.appVersionBytesMax)
        }
        let scene = scene.placed(in: named.environment ?? .sandbox)
        let time = scene.world.time
        let realNow = time.real()
        let (account, known, present) = try scene.world.database.read { scope in
            let (account, app) = try find(named, bundleID, realNow: realNow, scope)
            let known = try session(of: account, in: app, realNow: realNow, scope)
            guard isForReading else { return (account, known, usualAppVersion) }
            guard let latest = try known ?? scope.latestSession(of: account, in: app.id) else {
                throw Refusal(
                    404, "noDevice",
                    "The account has no device in this app; sign in on one, or buy something.")
            }
            return (account, known, latest.appVersion)
        }
        let version = wanted ?? present
        if let known, known.appVersion == version {
            return Place(session: known, account: account, scene: scene)
        }
        let token = DeviceService.makeToken().digest
        let opened = try await scene.commit { scope in
            let (account, app) = try find(named, bundleID, realNow: realNow, scope.reading)
            try signIn(
                account, on: guid(of: account.id, in: app.id), of: app.id, version: version,
                token: token, time: time, scope)
            let session = try scope.reading.deviceSession(
                tokenDigest: token, in: account.environment, realNow: realNow)
            return (account, session)
        }
        guard let session = opened.1 else { throw Refusal.tokenUnknown }
        scene.log.event(StoreEvent.signedIn, ("account", .number(account.id.rawValue)))
        return Place(session: session, account: opened.0, scene: scene)
    }

    /// Registers an installation, and signs the account in on it, in place of any other account,
    /// without a password.
    static func signIn(
        _ account: Account, on guid: String, of app: AppID, version: String, token: [UInt8],
        time: WorldTime, _ scope: borrowing WriteScope
    ) throws {
        let device = try scope.saveDevice(
            guid: guid, app: app, appVersion: version, in: account.environment, now: time.now())
        try scope.deleteExpiredTokens(of: device, realNow: time.real())
        try scope.deleteOldestTokens(
            of: device, withAccount: true, but: Limits.tokensPerDeviceMax - 1)
        try SignInService.open(
            account, on: device, of: app, version: version, token: token, time: time, scope)
    }

    /// An account and an app; throws while the owner's lock holds the account.
    static func find(
        _ named: NamedAccountBody, _ bundleID: String, realNow: Timestamp,
        _ scope: borrowing ReadScope
    ) throws -> (account: Account, app: AppRow) {
        let account = try AccountUpkeepService.find(named, scope)
        let secret = try scope.accountSecret(account.name, in: account.environment)
        if let lock = secret?.lock, lock.holds(at: realNow) {
            throw Refusal(lock, realNow: realNow)
        }
        return (account, try scope.knownApp(bundleID))
    }

    private static func session(
        of account: Account, in app: AppRow, realNow: Timestamp, _ scope: borrowing ReadScope
    ) throws -> DeviceSession? {
        let digest = try scope.newestToken(
            of: account.id, onDevice: guid(of: account.id, in: app.id), of: app.id,
            in: account.environment)
        return try digest.flatMap {
            try scope.deviceSession(
                tokenDigest: $0, in: account.environment, realNow: realNow)
        }
    }

    /// Made of the two numbers, so that a repeated request finds its first answer even in a world
    /// that was restored in between. Anyone could register a device of this name, and would be its
    /// stranger: neither the account nor what it bought comes with it.
    static func guid(of account: AccountID, in app: AppID) -> String {
        var bytes = Array(
            sha256(Array("owner device \(account.rawValue) \(app.rawValue)".utf8)).prefix(16))
        // RFC 9562, 5.8: version 8, for values that their maker defines.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(hexadecimal(bytes).uppercased())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
            .joined(separator: "-")
    }
}

/// An account's tokens on a device that its UUID names.
let ownerTokens = """
    SELECT digest, expires_real_ms
    FROM device JOIN device_token ON device_token.device_id = device.id
    WHERE device.environment = ?1 AND device.app_id = ?2 AND device.guid = ?3
        AND device_token.account_id = ?4
    """

extension ReadScope {
    fileprivate borrowing func newestToken(
        of account: AccountID, onDevice guid: String, of app: AppID,
        in environment: StoreEnvironment
    ) throws -> [UInt8]? {
        let found = try rows(ownerTokens, [environment, app, guid, account]).map { row in
            (digest: try row["digest"] as [UInt8], expires: try row["expires_real_ms"] as Timestamp)
        }
        return found.max { $0.expires < $1.expires }?.digest
    }
}
