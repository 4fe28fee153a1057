import Foundation
import StoreModel
import StoreWire

// The fake store's key values.
extension FakeStore {
    struct KeyValues {
        var revision: Int64 = 0
        var rows: [String: (value: PropertyListValue?, revision: Int64)] = [:]
        var requests: Set<String> = []
        var isFull = false
        var refusesChanges = false

        mutating func set(_ changes: [KeyValueBody], keepsOld: Bool = false) {
            revision += 1
            for change in changes where !(keepsOld && rows[change.key]?.value != nil) {
                rows[change.key] = (change.value, revision)
            }
        }

        func answer(after known: Int64) -> KeyValuesBody {
            let isWhole = known == 0 || known > revision
            return KeyValuesBody(
                revision: revision, isWhole: isWhole,
                entries: rows.filter { isWhole ? $0.value.value != nil : $0.value.revision > known }
                    .map { KeyValueBody(key: $0.key, value: $0.value.value) })
        }
    }

    /// Another device of the account sets a value.
    func setElsewhere(_ key: String, _ value: PropertyListValue?) {
        state.withLock { $0.keyValues.set([KeyValueBody(key: key, value: value)]) }
    }

    var keyValues: KeyValues { state.withLock { $0.keyValues } }

    func keyValues(_ request: RawRequest) -> Reply {
        request.method == "PUT" ? change(request) : changes(request)
    }

    private func change(_ request: RawRequest) -> Reply {
        state.withLock { state in
            guard state.token == request.token else {
                return Reply(status: 401, body: Self.error("tokenUnknown", ""))
            }
            guard state.account != nil else {
                return Reply(status: 401, body: Self.error("notSignedIn", ""))
            }
            guard let body = try? WireJSON.decode(ChangeKeyValuesBody.self, from: request.body)
            else { return Reply(status: 400, body: Self.error("badBody", "bad body")) }
            if state.keyValues.isFull {
                return Reply(status: 409, body: Self.error("keyValuesFull", "full"))
            }
            if state.keyValues.refusesChanges {
                return Reply(status: 422, body: Self.error("badField", "refused"))
            }
            if state.keyValues.requests.insert(body.requestId).inserted {
                state.keyValues.set(body.changes, keepsOld: body.isInitial)
            }
            return Self.reply(state.keyValues.answer(after: body.after))
        }
    }

    /// Waits for a change for two seconds at most.
    private func changes(_ request: RawRequest) -> Reply {
        let known = Int64(request.path.split(separator: "=")[1].prefix { $0.isNumber }) ?? 0
        let end = Date(timeIntervalSinceNow: request.path.hasSuffix("wait=0") ? 0 : 2)
        while true {
            let (isKnown, account, values) = state.withLock {
                ($0.token == request.token, $0.account, $0.keyValues)
            }
            guard isKnown else { return Reply(status: 401, body: Self.error("tokenUnknown", "")) }
            guard account != nil else {
                return Reply(status: 401, body: Self.error("notSignedIn", ""))
            }
            if values.revision != known || Date() >= end {
                return Self.reply(values.answer(after: known))
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
}
