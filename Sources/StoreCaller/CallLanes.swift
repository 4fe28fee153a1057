/// The order in which calls start: the hosts in turns, those of one host as they came, within a limit
/// for all and one for each host.
///
/// A host gets no more places than then are left for others, so that the last ones are for hosts that
/// have few: one that answers is served while fewer than all places are taken by hosts that hang. Nothing here takes longer the more calls
/// there are.
struct CallLanes<Call> {
    /// The calls to one host.
    private struct Lane {
        var running = 0
        var waiting = Line<Call>()

        mutating func start(placesMax: Int) -> Call? {
            guard running < placesMax, let call = waiting.popFirst() else { return nil }
            running += 1
            return call
        }
    }

    private let callsMax: Int
    private let callsPerHostMax: Int
    private var lanes: [String: Lane] = [:]
    /// The hosts with calls that wait, the next one first.
    private var turns = Line<String>()
    private var running = 0

    init(callsMax: Int, callsPerHostMax: Int) {
        self.callsMax = callsMax
        self.callsPerHostMax = callsPerHostMax
    }

    mutating func add(_ call: Call, host: String) {
        if lanes[host]?.waiting.isEmpty ?? true { turns.append(host) }
        lanes[host, default: Lane()].waiting.append(call)
    }

    /// The next call to start, which runs until `finish(host:)`; nil when none may start.
    mutating func next() -> Call? {
        let placesMax = min(callsPerHostMax, callsMax - running)
        for _ in 0..<turns.count {
            guard placesMax > 0, let host = turns.popFirst() else { return nil }
            let call = lanes[host]?.start(placesMax: placesMax)
            if lanes[host]?.waiting.isEmpty == false { turns.append(host) }
            guard let call else { continue }
            running += 1
            return call
        }
        return nil
    }

    /// Takes note that a call to the host has ended.
    mutating func finish(host: String) {
        running -= 1
        lanes[host]?.running -= 1
        if let lane = lanes[host], lane.running == 0, lane.waiting.isEmpty { lanes[host] = nil }
    }

    /// Takes out all calls that have not started.
    mutating func removeWaiting() -> [Call] {
        turns = Line()
        return Array(lanes.keys).flatMap { lanes[$0]?.waiting.removeAll() ?? [] }
    }
}

/// Elements that leave in the order in which they came.
struct Line<Element> {
    private var incoming: [Element] = []
    /// The first is the last.
    private var outgoing: [Element] = []

    var count: Int { incoming.count + outgoing.count }
    var isEmpty: Bool { count == 0 }

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
