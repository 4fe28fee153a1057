import Foundation
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreVerification
import StoreWire
import Synchronization

/// Registers devices.
enum DeviceService {
    /// `POST /device/v1/register`: gives an installation of an app its token.
    ///
    /// A device that registers again, after an update of its app, sends its old token and stays
    /// signed in. One that sends no token counts as new, though its version is noted: a stranger
    /// would have to know the device's UUID, which is stored next to the token on the device.
    static func register(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let environment = try scene.placed()
            let body = try request.decoded(RegisterDeviceBody.self)
            let guid = try checkedUUID(body.guid, "guid")
            let bundleID = try checkedBundleID(body.bundleId)
            let version = try checked(
                body.appVersion, "appVersion", bytesMax: Limits.appVersionBytesMax)
            let token = makeToken()
            let realNow = scene.world.time.real()
            let time = scene.world.time
            let shown = try known(request, scene)
            let registrations = scene.world.registrations
            // A device that is known adds no row, and its tokens are bounded.
            let isKnown = shown.map { $0.guid == guid && $0.bundleID == bundleID } ?? false
            if !isKnown, let seconds = registrations.take(realNow: realNow) {
                throw Refusal(
                    429, "tooManyRegistrations",
                    "Too many devices registered in this world; try again in \(seconds) seconds.",
                    retryAfterSeconds: seconds)
            }
            let lookedAt = registrations.lookedAt
            scene.commit(responder) { scope in
                guard let app = try scope.reading.app(bundleID: bundleID) else {
                    throw Refusal(
                        404, "appUnknown",
                        "This store has no app \(bundleID); import its catalogue first.")
                }
                let device = try scope.saveDevice(
                    guid: guid, app: app.id, appVersion: version, in: environment,
                    now: time.now())
                try scope.deleteExpiredTokens(of: device, realNow: realNow)
                for withAccount in [true, false] {
                    try scope.deleteOldestTokens(
                        of: device, withAccount: withAccount, but: Limits.tokensPerDeviceMax - 1)
                }
                let before = shown?.device == device ? try scope.stillGood(shown) : nil
                let account = before?.account
                if let before {
                    try scope.retireToken(
                        digest: before.tokenDigest,
                        by: realNow.adding(milliseconds: Limits.replacedTokenMilliseconds))
                }
                try scope.addToken(
                    digest: token.digest, device: device, account: account?.id,
                    expires: realNow.adding(milliseconds: Limits.tokenMilliseconds))
                let next = try scope.dropUnusedDevices(
                    after: lookedAt, lookingAt: Limits.devicesLookedAtMax,
                    registeredBefore: realNow.adding(
                        milliseconds: -Limits.unusedDeviceMilliseconds))
                return (device: device, account: account, app: app, lookedAt: next)
            } then: { registered in
                registrations.lookedAt = registered.lookedAt
                scene.log.event(
                    StoreEvent.deviceRegistered, ("device", .number(registered.device.rawValue)))
                return try answer(
                    token: token.text, account: registered.account,
                    storefront: registered.app.storefront, in: scene)
            }
        }
    }

    /// The session that a device had before it registers again; nil without a valid token.
    private static func known(_ request: HTTPRequest, _ scene: Scene) throws -> DeviceSession? {
        do {
            return try scene.session(request)
        } catch is Refusal {
            return nil
        }
    }

    /// A new token: the text for the device, and the digest for the store.
    static func makeToken() -> (text: String, digest: [UInt8]) {
        let text = secretToken()
        return (text, sha256(Array(text.utf8)))
    }

    /// `storefront` is the app's, for a device on which nobody is signed in.
    static func answer(
        token: String, account: Account?, storefront: Storefront, in scene: Scene
    ) throws -> HTTPResponse {
        let body = try self.body(
            token: token, account: account, storefront: storefront, in: scene)
        return .json(try WireJSON.encode(body))
    }

    static func body(
        token: String, account: Account?, storefront: Storefront, in scene: Scene
    ) throws -> DeviceSessionBody {
        let environment = try scene.placed()
        return DeviceSessionBody(
            deviceToken: token,
            environment: try scene.world.database.read { try $0.signedName(of: environment) },
            worldId: scene.world.id, account: account?.name,
            storefront: StorefrontBody(account?.storefront ?? storefront),
            signedDataRoot: Data(try scene.world.dataRoot(for: environment)).base64EncodedString())
    }
}

/// Bounds the cost of registrations to a world, since anyone may register.
///
/// Registrations draw from a bucket that holds `registrationsAtOnceMax` and refills at
/// `registrationsPerMinuteMax`, by the real clock. Each also checks a few old devices in turn and
/// drops the unused ones, so that rows do not pile up either.
package final class RegistrationGuard: Sendable {
    private let bucket = TokenBucket(
        atOnceMax: Limits.registrationsAtOnceMax, perMinuteMax: Limits.registrationsPerMinuteMax)
    private let lookedAtRow = Mutex<Int64>(0)

    package init() {}

    /// Takes one registration out of the bucket; when it is empty, returns the seconds until the
    /// next one.
    func take(realNow: Timestamp) -> Int64? { bucket.take(atMilliseconds: realNow.milliseconds) }

    /// The device after which the next check for unused ones begins.
    var lookedAt: DeviceID {
        get { DeviceID(lookedAtRow.withLock { $0 }) }
        set { lookedAtRow.withLock { $0 = newValue.rawValue } }
    }
}
