import CrashPoints
import Dispatch
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// The key-value store that an account's devices share in an app.
///
/// Every change raises its revision, which is the devices' cursor, so it does not need the world's
/// history, which only grows, while settings change often. Of two devices that change one key, the
/// later one wins.
enum KeyValueService {
    /// `GET /device/v1/key-values?after=N&wait=S`
    static func values(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            let place = KeyValuePlace(account: account.id, app: session.app)
            let known = try request.queryNumber("after") ?? 0
            let wait = min(try request.queryNumber("wait") ?? 0, Limits.pollSecondsMax)
            @Sendable func answer() throws -> HTTPResponse {
                try response(
                    try scene.world.database.read { try $0.keyValues(place, after: known) })
            }
            if wait == 0 { return responder.send(try answer()) }
            // Wait first, then look: a change in between ends the wait.
            let topic = UpdateHub.Topic.keyValues(session.app)
            let waits = scene.world.updates.wait(
                for: account.id, device: session.device, topic: topic, seconds: wait,
                overTLS: request.peer.isEncrypted
            ) {
                scene.answer(responder) {
                    // The account may have been signed out meanwhile.
                    _ = try scene.signedIn(request)
                    return try answer()
                }
            }
            let revision = try scene.world.database.read { try $0.keyValueRevision(place) }
            guard waits else {
                // News that is there needs no place.
                guard revision != known else { throw Refusal.busy }
                return responder.send(try answer())
            }
            let isSignedOut = (try? scene.signedIn(request)) == nil
            if isSignedOut || revision != known { scene.world.updates.wake(account.id, topic) }
        }
    }

    /// `PUT /device/v1/key-values`
    static func change(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            guard request.body.count > Limits.quickBodyMax else {
                return try change(request, session, account, scene, responder)
            }
            DispatchQueue.global().async {
                scene.attempt(responder) {
                    try change(request, session, account, scene, responder)
                }
            }
        }
    }

    private static func change(
        _ request: HTTPRequest, _ session: DeviceSession, _ account: Account, _ scene: Scene,
        _ responder: Responder
    ) throws {
        let body = try request.decoded(ChangeKeyValuesBody.self)
        let wanted = try WantedKeyValue.checked(body)
        let asked = KeyValueRequest(
            id: try checkedUUID(body.requestId, "requestId"), device: session.device,
            digest: sha256(try WireJSON.encode(body.isInitial) + WireJSON.encode(body.changes)))
        let place = KeyValuePlace(account: account.id, app: session.app)
        let time = scene.world.time
        scene.commit(responder) { scope in
            try scope.requireToken(of: session)
            let isKnown = try scope.reading.isKnown(asked, of: account.id)
            let made =
                isKnown
                ? []
                : try decide(wanted, keepsOld: body.isInitial, in: place, scope.reading)
            if !isKnown { try scope.addRequest(asked, of: account.id) }
            if !made.isEmpty { try scope.make(made, in: place, now: time.now()) }
            let news = try scope.reading.keyValues(place, after: body.after)
            return (news: news, madeCount: made.count)
        } then: { outcome in
            CrashPoint.storeKeyValuesCommitted.reach()
            if outcome.madeCount > 0 {
                scene.world.updates.wake(account.id, .keyValues(session.app))
                scene.log.event(
                    StoreEvent.keyValuesChanged, ("account", .number(account.id.rawValue)),
                    ("count", .number(Int64(outcome.madeCount))))
            }
            return try response(outcome.news)
        }
    }

    /// The changes with an effect; 409, before anything is written, when there is no room.
    private static func decide(
        _ wanted: [WantedKeyValue], keepsOld: Bool, in place: KeyValuePlace,
        _ scope: borrowing ReadScope
    ) throws -> [KeyValueRules.Change] {
        let verdict = KeyValueRules.decide(
            try scope.keyValueChanges(wanted, in: place), keepsOld: keepsOld,
            size: try scope.keyValueSize(place))
        switch verdict {
        case .made(let changes): return changes
        case .full(let size):
            throw Refusal(
                409, "keyValuesFull",
                "The store would have \(size.keys) keys with \(size.bytes) bytes; the limits are "
                    + "\(KeyValueLimits.keysMax) keys and \(KeyValueLimits.bytesMax) bytes. "
                    + "Nothing was changed.")
        }
    }

    private static func response(_ news: KeyValueNews) throws -> HTTPResponse {
        .json(try WireJSON.encode(StoredKeyValues(news)))
    }
}

/// The key-value stores of accounts, for the world's owner.
extension KeyValueService {
    static func show(_ call: StoreCall, app bundleID: String) throws -> AccountKeyValuesBody {
        let named = try call.request.queryAccount()
        return try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID).id
            let account = try AccountUpkeepService.find(named, scope)
            let place = KeyValuePlace(account: account.id, app: app)
            let news = try scope.keyValues(place, after: 0)
            return AccountKeyValuesBody(
                account: account.name, revision: news.revision,
                byteCount: try scope.keyValueSize(place).bytes,
                entries: try news.rows.map { try KeyValueBody($0) })
        }
    }
}

extension WantedKeyValue {
    /// The changes of a body, within the limits; otherwise a 422 that names the one that is not.
    fileprivate static func checked(_ body: ChangeKeyValuesBody) throws -> [WantedKeyValue] {
        guard body.after >= 0 else {
            throw Refusal(422, "badField", "after is not a whole number from 0 up.")
        }
        guard body.changes.count <= KeyValueLimits.changesMax else {
            throw Refusal(
                422, "badField",
                "changes has \(body.changes.count) keys; at most \(KeyValueLimits.changesMax) are "
                    + "accepted.")
        }
        var seen: Set<[UInt8]> = []
        return try body.changes.enumerated().map { index, change in
            guard KeyValueLimits.isKey(change.key) else {
                throw Refusal(
                    422, "badField",
                    "changes[\(index)].key must have 1 to \(KeyValueLimits.keyBytesMax) bytes, "
                        + "without NUL.")
            }
            guard seen.insert(Array(change.key.utf8)).inserted else {
                throw Refusal(422, "badField", "changes[\(index)].key appears twice.")
            }
            guard (change.value?.depth ?? 0) <= KeyValueLimits.depthMax else {
                throw Refusal(
                    422, "badField",
                    "changes[\(index)].value nests collections more than "
                        + "\(KeyValueLimits.depthMax) deep.")
            }
            return WantedKeyValue(
                key: change.key,
                content: KeyValueRules.Content(
                    value: try change.value.map { try WireJSON.encode($0) },
                    byteCount: change.value?.byteCount ?? 0))
        }
    }
}
