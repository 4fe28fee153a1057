/// The order in which calls start: as they came, within a limit for all and one for each host.
///
/// A call whose host is busy takes no place from calls to other hosts; it joins them when one of its
/// host ends. Nothing here takes longer the more calls there are.
struct CallLanes<Call> {
    /// The calls to one host.
    private struct Lane {
        /// Those that are running or wait for nothing but a place.
        private(set) var admitted = 0
        private var waiting = Line<Call>()

        /// Whether the call may run as far as its host is concerned; otherwise it waits.
        mutating func admit(_ call: Call, max: Int) -> Bool {
            guard admitted < max else {
                waiting.append(call)
                return false
            }
            admitted += 1
            return true
        }

        /// Ends a call, and admits the one that waits the longest in its place.
        mutating func finish() -> Call? {
            if let next = waiting.popFirst() { return next }
            admitted -= 1
            return nil
        }

        mutating func removeWaiting() -> [Call] { waiting.removeAll() }
    }

    private let callsMax: Int
    private let callsPerHostMax: Int
    private var lanes: [String: Lane] = [:]
    private var ready = Line<Call>()
    private var running = 0

    init(callsMax: Int, callsPerHostMax: Int) {
        self.callsMax = callsMax
        self.callsPerHostMax = callsPerHostMax
    }

    mutating func add(_ call: Call, host: String) {
        if lanes[host, default: Lane()].admit(call, max: callsPerHostMax) { ready.append(call) }
    }

    /// The next call to start, which runs until `finish(host:)`; nil when none may start.
    mutating func next() -> Call? {
        guard running < callsMax, let call = ready.popFirst() else { return nil }
        running += 1
        return call
    }

    /// Takes note that a call to the host has ended.
    mutating func finish(host: String) {
        running -= 1
        if let next = lanes[host]?.finish() {
            ready.append(next)
        } else if lanes[host]?.admitted == 0 {
            lanes[host] = nil
        }
    }

    /// Takes out all calls that have not started.
    mutating func removeWaiting() -> [Call] {
        var calls = ready.removeAll()
        for host in Array(lanes.keys) { calls += lanes[host]?.removeWaiting() ?? [] }
        return calls
    }
}

/// Elements that leave in the order in which they came.
struct Line<Element> {
    private var incoming: [Element] = []
    /// The first is the last.
    private var outgoing: [Element] = []

    mutating func append(_ element: Element) { incoming.append(element) }

    mutating func popFirst() -> Element? {
        if outgoing.isEmpty {
            outgoing = incoming.reversed()
            incoming.removeAll(keepingCapacity: true)
        }
        return outgoing.popLast()
    }

    mutating func removeAll() -> [Element] {
        defer { self = Line() }
        return outgoing.reversed() + incoming
    }
}
