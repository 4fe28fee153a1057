import StoreModel
import StoreWire

/// A request that is kept, with its world.
struct Activity: Sendable {
    /// The parts of a request that lists do not show.
    struct Details: Sendable {
        var query: String?
        var headers: [ActivityHeaderBody] = []
        var requestBody: ActivityPayloadBody?
        var answerBody: ActivityPayloadBody?
    }

    let world: WorldName
    var entry: ActivityEntryBody
    var details = Details()
    private(set) var lines: [HeardLine] = []

    init(
        world: WorldName, entry: ActivityEntryBody, details: Details = Details(),
        lines: [HeardLine] = []
    ) {
        self.world = world
        self.entry = entry
        self.details = details
        self.lines = lines
    }

    static let linesMax = 50

    /// Keeps a line of the log, unless there are many.
    mutating func add(_ line: HeardLine) {
        if lines.count < Self.linesMax { lines.append(line) }
    }

    var body: ActivityDetailsBody {
        ActivityDetailsBody(
            entry: entry, query: details.query, headers: details.headers,
            requestBody: details.requestBody, answerBody: details.answerBody,
            lines: lines.map(\.body))
    }

    /// About its bytes in memory: its texts, and room for what holds them.
    var bytes: Int {
        func size(_ text: String?) -> Int { text.map { $0.utf8.count + 32 } ?? 0 }
        let bodies = [details.requestBody, details.answerBody].reduce(0) {
            $0 + size($1?.text) + size($1?.sha256)
        }
        let headers = details.headers.reduce(0) { $0 + 64 + size($1.name) + size($1.value) }
        let lines = lines.reduce(0) { $0 + $1.bytes }
        return 640 + size(entry.request) + size(entry.method) + size(entry.path) + size(entry.code)
            + size(entry.why) + size(entry.account) + size(entry.bundleId) + size(details.query)
            + bodies + headers + lines
    }
}

/// The latest requests of all worlds, within limits of their number and bytes; the oldest leave.
struct ActivityRing: Sendable {
    /// A question to a world's list.
    struct Question: Sendable {
        enum Status: Hashable, Sendable {
            case refused
            case number(Int)
        }

        var order = ListOrder.oldest
        var after: Int64 = 0
        /// The list that `after` is of; nil for whichever this is.
        var list: String?
        var account: String?
        var environment: StoreEnvironment?
        var status: Status?
        /// In small letters.
        var search: String?

        func fits(_ entry: ActivityEntryBody) -> Bool {
            guard account == nil || entry.account == account,
                environment == nil || entry.environment == environment
            else { return false }
            switch status {
            case .refused where !entry.isRefused: return false
            case .number(let status) where entry.status != status: return false
            default: break
            }
            guard let search else { return true }
            return [entry.path, entry.code ?? "", entry.request].contains {
                $0.lowercased().contains(search)
            }
        }
    }

    /// Shared with the copies of a ring that pages read.
    private final class Slot: Sendable {
        let activity: Activity
        let bytes: Int

        init(_ activity: Activity) {
            self.activity = activity
            bytes = activity.bytes
        }

        var world: WorldName { activity.world }
        var number: Int64 { activity.entry.number }
    }

    /// The numbers of a world's requests, under a name of their own.
    private struct Numbers {
        var name = makeUUID()
        var last: Int64 = 0
    }

    private let countMax: Int
    private let bytesMax: Int
    private var slots: [Slot?]
    private var oldest = 0
    private(set) var count = 0
    private(set) var bytes = 0
    private var lists: [WorldName: Numbers] = [:]
    /// Of worlds that have had no request.
    private var unused = Numbers()
    /// Worlds whose numbers are known; beyond, those without requests begin at 1 again.
    private static let worldsMax = Limits.sessionsMax + 1

    init(countMax: Int = Limits.activitiesMax, bytesMax: Int = Limits.activityBytesMax) {
        self.countMax = countMax
        self.bytesMax = bytesMax
        slots = Array(repeating: nil, count: countMax)
    }

    private func slot(_ index: Int) -> Int { (oldest + index) % countMax }

    /// Keeps a request under its world's next number, which it gives.
    mutating func append(_ activity: Activity) -> Int64 {
        let world = activity.world
        if lists.count >= Self.worldsMax, lists[world] == nil { forgetNumbers() }
        let number = lists[world, default: unused].last + 1
        lists[world, default: unused].last = number
        var activity = activity
        activity.entry.number = number
        if count == countMax { dropOldest() }
        let kept = Slot(activity)
        slots[slot(count)] = kept
        count += 1
        bytes += kept.bytes
        shrink()
        return number
    }

    /// Changes a request that is still kept.
    mutating func change(_ number: Int64, of world: WorldName, _ body: (inout Activity) -> Void) {
        guard let slot = find(number, of: world), let kept = slots[slot] else { return }
        var activity = kept.activity
        body(&activity)
        let changed = Slot(activity)
        bytes += changed.bytes - kept.bytes
        slots[slot] = changed
        shrink()
    }

    /// The request of a world with a number; nil when it left.
    func activity(_ number: Int64, of world: WorldName) -> Activity? {
        find(number, of: world).flatMap { slots[$0]?.activity }
    }

    /// The world and number of a request that is kept; quick for a late one.
    func place(of request: String) -> (world: WorldName, number: Int64)? {
        for index in (0..<count).reversed() {
            guard let kept = slots[slot(index)], kept.activity.entry.request == request else {
                continue
            }
            return (kept.world, kept.number)
        }
        return nil
    }

    /// Drops a world's requests. One that is made anew goes on with its numbers, in another list.
    mutating func forget(_ world: WorldName) {
        lists[world]?.name = makeUUID()
        let others = (0..<count).compactMap { slots[slot($0)] }.filter { $0.world != world }
        slots = others + Array(repeating: nil, count: countMax - others.count)
        (oldest, count) = (0, others.count)
        bytes = others.reduce(0) { $0 + $1.bytes }
    }

    /// A world's requests after a place in an order, up to a number of them.
    func page(_ question: Question, of world: WorldName, countMax: Int) -> ActivitiesBody {
        let (list, last) = { ($0.name, $0.last) }(lists[world] ?? unused)
        // A cursor from the future comes from before a restart.
        let after = question.order == .oldest ? min(question.after, last) : question.after
        var (first, found): (Int64?, [ActivityEntryBody]) = (nil, [])
        for index in 0..<count {
            guard let kept = slots[slot(index)], kept.world == world else { continue }
            let number = kept.number
            first = first ?? number
            let isBehind =
                question.order == .oldest ? number > after : after == 0 || number < after
            if isBehind, question.fits(kept.activity.entry) { found.append(kept.activity.entry) }
        }
        if question.order == .newest { found.reverse() }
        let requests = Array(found.prefix(countMax))
        let next = found.count > countMax ? requests.last?.number : nil
        return ActivitiesBody(
            requests: requests, list: list, next: next,
            position: question.order == .oldest ? next ?? last : last,
            first: first ?? last + 1)
    }

    private func find(_ number: Int64, of world: WorldName) -> Int? {
        (0..<count).reversed().lazy.map { slot($0) }.first {
            slots[$0].map { $0.world == world && $0.number == number } ?? false
        }
    }

    private mutating func shrink() {
        while bytes > bytesMax, count > 0 { dropOldest() }
    }

    private mutating func dropOldest() {
        bytes -= slots[oldest]?.bytes ?? 0
        slots[oldest] = nil
        oldest = (oldest + 1) % countMax
        count -= 1
    }

    private mutating func forgetNumbers() {
        let kept = Set((0..<count).compactMap { slots[slot($0)]?.world })
        let before = lists.count
        lists = lists.filter { kept.contains($0.key) || $0.key.isDefault }
        // A world that is forgotten begins at 1 again, in another list than that of its first numbers.
        if lists.count < before { unused = Numbers() }
    }
}

extension ActivityEntryBody {
    /// A receipt that is refused is answered with status 200 and a code.
    var isRefused: Bool { code != nil || status >= 400 || status == 0 }
}
