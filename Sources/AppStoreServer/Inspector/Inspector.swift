import Dispatch
import StoreHTTP
import StoreModel
import StoreWire
import Synchronization

/// Keeps the latest requests in memory, so that a developer sees what just happened.
///
/// Secrets never enter it, and it is gone with the process.
package final class Inspector: Sendable {
    private struct State {
        var ring: ActivityRing
        /// Of worlds whose list somebody has waited for.
        var watches: [WorldName: HistoryWatch] = [:]
        /// When worlds were deleted: their place among the deletions. Every other world counts as
        /// deleted with the last one before those.
        var deleted: [WorldName: Int] = [:]
        var deletedBefore = 0
        var isClosed = false

        /// Whether a world was deleted since. One that was reset, restored or replaced was not.
        func wasDeleted(_ world: WorldName, since deletions: Int) -> Bool {
            !world.isDefault && deleted[world, default: deletedBefore] > deletions
        }
    }

    private let state: Mutex<State>
    private let deletionCount = Atomic(0)
    private let details: TokenBucket
    private let refusedDetails: TokenBucket
    /// Milliseconds on a clock that never goes back.
    private let uptime: @Sendable () -> Int64
    private let deletionsMax: Int

    package convenience init() {
        self.init(ring: ActivityRing())
    }

    private static func uptime() -> Int64 {
        Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000)
    }

    init(
        ring: ActivityRing, detailsPerSecond: Int = Limits.activityDetailsPerSecond,
        deletionsMax: Int = Limits.sessionsMax,
        uptime: @escaping @Sendable () -> Int64 = Inspector.uptime
    ) {
        self.deletionsMax = deletionsMax
        state = Mutex(State(ring: ring))
        self.uptime = uptime
        let (atOnce, perMinute) = (Int64(detailsPerSecond), Int64(detailsPerSecond) * 60)
        details = TokenBucket(atOnceMax: atOnce, perMinuteMax: perMinute)
        refusedDetails = TokenBucket(atOnceMax: atOnce, perMinuteMax: perMinute)
    }

    /// Watches a request until it is answered; nil for one that is never kept.
    func watch(
        _ request: HTTPRequest, at place: RoutePlace, _ now: Timestamp, _ responder: Responder
    ) -> RequestWatch? {
        guard Self.isKept(request.segments, at: place) else { return nil }
        let watch = RequestWatch(request, at: place, now, inspector: self)
        responder.show { watch.answered($0, to: request) }
        return watch
    }

    /// Keeps a request to a world's place that the listener answered itself.
    func keep(
        _ record: AccessRecord, _ answer: HTTPResponse, at place: RoutePlace, in world: WorldName,
        _ now: Timestamp
    ) {
        guard Self.isKept(record.segments, at: place) else { return }
        let refusal = AnswerReason(answer)
        let entry = ActivityEntryBody(
            number: 0, request: record.requestID, at: now,
            method: KeptText.line(record.method, bytesMax: KeptText.methodMax),
            path: KeptText.marked(record.path, bytesMax: KeptText.pathMax),
            environment: place.environment, status: record.status,
            code: refusal?.code, why: refusal?.why,
            microseconds: Int64(record.durationMicroseconds),
            bytes: Int64(record.responseBytes), account: nil, device: nil, bundleId: nil)
        let watch = state.withLock { state -> HistoryWatch? in
            guard let place = state.ring.place(of: record.requestID) else {
                _ = state.ring.append(Activity(world: world, entry: entry))
                return state.watches[world]
            }
            // The handler's answer was replaced.
            state.ring.change(place.number, of: place.world) {
                $0.entry.status = entry.status
                $0.entry.code = entry.code
                $0.entry.why = entry.why
                $0.entry.bytes = entry.bytes
            }
            return nil
        }
        watch?.wake()
    }

    /// Keeps a request under its world's next number, which it gives, and wakes those who wait; nil
    /// when the world was deleted since.
    func add(_ activity: Activity, since deletions: Int) -> Int64? {
        let (number, watch): (Int64?, HistoryWatch?) = state.withLock { state in
            guard !state.wasDeleted(activity.world, since: deletions) else { return (nil, nil) }
            return (state.ring.append(activity), state.watches[activity.world])
        }
        watch?.wake()
        return number
    }

    /// Adds a line that was written after the answer to a request.
    func add(_ line: HeardLine, to number: Int64, of world: WorldName, request: String) {
        state.withLock { state in
            state.ring.change(number, of: world) { if $0.entry.request == request { $0.add(line) } }
        }
    }

    /// Whether everything is kept of a request that was answered now.
    func takesDetails(ofRefused isRefused: Bool) -> Bool {
        let bucket = isRefused ? refusedDetails : details
        return bucket.take(atMilliseconds: uptime()) == nil
    }

    func page(
        _ question: ActivityRing.Question, of world: WorldName, countMax: Int
    ) -> ActivitiesBody {
        // A search reads every request, so it does not hold up those that arrive.
        let ring = state.withLock { $0.ring }
        return ring.page(question, of: world, countMax: countMax)
    }

    func details(_ number: Int64, of world: WorldName) -> ActivityDetailsBody? {
        state.withLock { $0.ring.activity(number, of: world) }?.body
    }

    /// Where requests wait for the next one of a world; nil when the store is stopping.
    func waiting(for world: WorldName) -> HistoryWatch? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let watch = state.watches[world] ?? HistoryWatch()
            state.watches[world] = watch
            return watch
        }
    }

    /// Drops what is kept of a world that was deleted.
    func forget(_ world: WorldName) {
        let watch = state.withLock { state in
            state.ring.forget(world)
            let deletions = deletionCount.add(1, ordering: .sequentiallyConsistent).newValue
            if state.deleted.count >= deletionsMax {
                let middle = state.deleted.values.sorted()[state.deleted.count / 2]
                state.deleted = state.deleted.filter { $0.value > middle }
                state.deletedBefore = middle
            }
            state.deleted[world] = deletions
            return state.watches.removeValue(forKey: world)
        }
        watch?.close()
    }

    /// How many worlds were deleted; `add` compares it later.
    var deletions: Int { deletionCount.load(ordering: .sequentiallyConsistent) }

    /// Ends every wait and takes no more.
    func close() {
        let watches = state.withLock { state in
            state.isClosed = true
            defer { state.watches = [:] }
            return Array(state.watches.values)
        }
        for watch in watches { watch.close() }
    }

    /// Monitoring, pages, and the inspector's own requests would fill it by themselves.
    private static func isKept(_ segments: [String], at place: RoutePlace) -> Bool {
        if place.table == .control { return place.segments.first != "activity" }
        // The waits of devices in many worlds belong to none of these.
        if place.table == .root, place.segments.first == "device" { return false }
        let ways = ["console", "health", "ready", "metrics", "openapi.json"]
        return segments.first.map { !ways.contains($0) } ?? true
    }
}
