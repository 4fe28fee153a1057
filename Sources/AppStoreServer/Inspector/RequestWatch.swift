import Dispatch
import StoreHTTP
import StoreLog
import StoreModel
import StoreWire
import Synchronization

/// Collects what the inspector keeps of one request: who sent it, what the log has of it, and the
/// answer.
final class RequestWatch: Sendable {
    private struct State {
        var world = WorldName.default
        var account: String?
        var device: Int64?
        var bundleID: String?
        var lines: [HeardLine] = []
        /// Its number once it is answered and kept in detail.
        var number: Int64?
        /// Whether no more lines are kept of it.
        var isLeftOut = false
    }

    private let inspector: Inspector
    private let place: RoutePlace
    private let at: Timestamp
    private let request: String
    /// How many worlds had been deleted before its own was looked up.
    private let deletions: Int
    private let start = DispatchTime.now().uptimeNanoseconds
    private let state = Mutex(State())

    init(_ request: HTTPRequest, at place: RoutePlace, _ now: Timestamp, inspector: Inspector) {
        self.inspector = inspector
        self.place = place
        at = now
        self.request = request.id
        deletions = inspector.deletions
    }

    /// Its world exists.
    func enter(_ world: World) {
        guard world.isSession else { return }
        state.withLock { $0.world = world.name }
    }

    /// The device that sent it is known.
    func sender(_ session: DeviceSession) {
        state.withLock { state in
            state.account = session.account?.name
            state.device = session.device.rawValue
            state.bundleID = session.bundleID
        }
    }

    /// The app whose server sent it is known.
    func sender(app bundleID: String) {
        state.withLock { $0.bundleID = bundleID }
    }

    /// The log has an event of it.
    func hear(_ told: Log.Line) {
        let line = HeardLine(told)
        let late: (number: Int64, world: WorldName)? = state.withLock { state in
            if let number = state.number { return (number, state.world) }
            if !state.isLeftOut, state.lines.count < Activity.linesMax { state.lines.append(line) }
            return nil
        }
        if let late { inspector.add(line, to: late.number, of: late.world, request: request) }
    }

    /// Keeps the request with its answer. Called once, before the client has the answer.
    func answered(_ answer: HTTPResponse, to request: HTTPRequest) {
        let passed = Int64((DispatchTime.now().uptimeNanoseconds - start) / 1_000)
        let known = state.withLock { $0 }
        let reason = AnswerReason(answer) ?? AnswerReason(known.lines)
        let isRefused = reason != nil || answer.status >= 400 || answer.status == 0
        // An owner's reads change nothing, and a page that is open reads all the time.
        guard isRefused || !isReadOfOwner(request) else { return leaveOut() }
        let isDetailed = inspector.takesDetails(ofRefused: isRefused)
        let sent = isDetailed ? KeptRequest(request, answer) : nil
        let entry = ActivityEntryBody(
            number: 0, request: request.id, at: at,
            method: KeptText.line(request.method, bytesMax: KeptText.methodMax),
            path: KeptText.marked(request.path, bytesMax: KeptText.pathMax),
            environment: place.environment, status: answer.status, code: reason?.code,
            why: reason?.why, microseconds: passed, bytes: Int64(answer.byteCount),
            account: known.account ?? sent?.account(at: place), device: known.device,
            bundleId: known.bundleID ?? sent?.app(at: place))
        let details = sent?.details ?? Activity.Details()
        let activity = Activity(
            world: known.world, entry: entry, details: details,
            lines: isDetailed ? known.lines : [])
        let number = inspector.add(activity, since: deletions)
        guard isDetailed, let number else { return leaveOut() }
        let late = state.withLock { state in
            state.number = number
            return state.lines.dropFirst(known.lines.count)
        }
        for line in late {
            inspector.add(line, to: number, of: known.world, request: request.id)
        }
    }

    private func leaveOut() {
        state.withLock { $0.isLeftOut = true }
    }

    private func isReadOfOwner(_ request: HTTPRequest) -> Bool {
        let isOwner =
            place.table == .control
            || place.table == .root && place.segments.first == "control"
        return isOwner && ["GET", "HEAD"].contains(request.method)
    }
}

extension AnswerReason {
    /// The log's reason for a refusal that the answer does not explain: that of a receipt.
    fileprivate init?(_ lines: [HeardLine]) {
        let judged = lines.last {
            $0.event == StoreEvent.receiptRefused.rawValue
                || $0.event == StoreEvent.receiptVerified.rawValue
        }
        guard let status = judged?["status"], status != "0" else { return nil }
        self.init(receiptStatus: status, lines.compactMap { $0["why"] }.last)
    }
}
