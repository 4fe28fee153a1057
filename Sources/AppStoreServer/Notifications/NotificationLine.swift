import StoreModel

/// The notifications of one app in an environment that were fetched for sending.
///
/// Those of one lane are sent one after the other; different lanes are independent.
struct NotificationLine {
    var target: NotificationTarget
    /// In the order in which they were due, the next one last.
    private var ready: [DueNotification] = []
    /// Lanes with a call under way, and those that wait for it, in their order.
    private var lanes: [Int64: [DueNotification]] = [:]
    /// The numbers of all in this line: ready, waiting, or under way.
    private(set) var held: Set<NotificationNumber> = []
    private var callCount = 0
    private var mayBeMore = false

    /// With fewer ready, more are fetched, unless so many are held.
    private static let lowCount = 64
    private static let heldMax = 4_096

    init(_ target: NotificationTarget) {
        self.target = target
    }

    var isIdle: Bool { held.isEmpty && !mayBeMore }
    var isLow: Bool { ready.count < Self.lowCount && held.count < Self.heldMax }
    /// Whether the file may hold more that is due, and there is room for it.
    var wantsMore: Bool { mayBeMore && isLow }

    /// The numbers that a fetch leaves out; nil while enough are ready, and what else is due is
    /// fetched when they run out.
    mutating func beginFetch() -> Set<NotificationNumber>? {
        // A call that ends while the file is read sets it again.
        mayBeMore = !isLow
        return isLow ? held : nil
    }

    mutating func add(_ found: [DueNotification], mayBeMore: Bool) {
        if mayBeMore { self.mayBeMore = true }
        for one in found { held.insert(one.number) }
        ready.insert(contentsOf: found.reversed(), at: 0)
    }

    /// The next one to send; nil when as many calls as allowed are under way, or all wait for those.
    mutating func take() -> DueNotification? {
        while callCount < Limits.notificationCallsPerAppMax, let next = ready.popLast() {
            if lanes[next.lane] != nil {
                lanes[next.lane]?.append(next)
                continue
            }
            lanes[next.lane] = []
            callCount += 1
            return next
        }
        return nil
    }

    /// Ends a call; `mayBeMore` says whether it is to be tried again.
    mutating func end(_ sent: DueNotification, mayBeMore: Bool) {
        callCount -= 1
        held.remove(sent.number)
        if mayBeMore { self.mayBeMore = true }
        let waiting = lanes.removeValue(forKey: sent.lane) ?? []
        ready.append(contentsOf: waiting.reversed())
    }

    /// Forgets what is not under way: the address is gone.
    mutating func drop() {
        let waiting = ready + lanes.values.flatMap { $0 }
        for one in waiting { held.remove(one.number) }
        ready = []
        for lane in lanes.keys { lanes[lane] = [] }
        mayBeMore = false
    }
}
