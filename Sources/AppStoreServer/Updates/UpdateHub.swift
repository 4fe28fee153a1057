import Dispatch
import StoreHTTP
import StoreModel
import Synchronization

/// The waiting polls of a world, woken when something happens to their account.
package final class UpdateHub: Sendable {
    /// What a poll waits for.
    enum Topic: Hashable, Sendable {
        /// Events of the account's history that every device gets.
        case events
        /// These, and changes of what is signed.
        case signedData
        /// Changes of the account's key-value store in an app.
        case keyValues(AppID)

        /// Whether news of another topic ends a poll of this one.
        func hears(of news: Topic) -> Bool {
            self == news || self == .signedData && news == .events
        }
    }

    /// A poll that waits; ended once, by news, by time or by the world's end.
    struct Poll: Sendable {
        let id: Int64
        let account: AccountID
        let device: DeviceID
        let topic: Topic
        /// Of its wait in a request for many devices, which has a place itself.
        let waitID: String?
        let pass: Gate.Pass?
        let end: @Sendable () -> Void
    }

    /// A poll that can be taken back.
    struct Ticket: Sendable {
        fileprivate let hub: UpdateHub
        fileprivate let id: Int64
        fileprivate let account: AccountID

        /// Has it wait no longer, without ending it.
        func leave() { _ = hub.remove(id, of: account) }
    }

    private struct State {
        var polls: [AccountID: [Poll]] = [:]
        var next: Int64 = 0
        var isClosed = false
        /// Accounts whose polls are ended in a moment.
        var lingering: Set<AccountID> = []

        mutating func remove(_ id: Int64, of account: AccountID) -> Poll? {
            guard let index = polls[account]?.firstIndex(where: { $0.id == id }) else { return nil }
            let poll = polls[account]?.remove(at: index)
            if polls[account]?.isEmpty == true { polls[account] = nil }
            return poll
        }
    }

    private let state = Mutex(State())
    private let gate: Gate
    /// Ends polls away from the writer that woke them, because their answers read the database.
    private let queue = DispatchQueue(label: "bodega.updates")

    init(gate: Gate) {
        self.gate = gate
    }

    /// Lets a poll wait for a limited number of seconds; `end` is called once, on any thread. False
    /// when no place is free, the account has its share of them, or the world is closing.
    ///
    /// A device that has its share of polls of a topic ends its oldest with a new one: abandoned
    /// polls of a lost network must not keep this device or others waiting.
    func wait(
        for account: AccountID, device: DeviceID, topic: Topic = .events, seconds: Int64,
        overTLS: Bool = false, end: @escaping @Sendable () -> Void
    ) -> Bool {
        endPoll(of: account) { Self.oldest($0, ofShareOf: device, topic) }
        guard let pass = gate.acquire(inAnnex: overTLS),
            let ticket = add(account, device, topic, pass: pass, end: end)
        else { return false }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(seconds))) {
            [weak self] in
            if let poll = self?.remove(ticket.id, of: account) { self?.endAll([poll]) }
        }
        return true
    }

    /// Lets a device wait in a request that waits for many, has a place and ends by itself. Ends an
    /// earlier wait with the same id. Nil when the account or the device has its share of polls, since
    /// ending another wait would have its client ask again and end the next; nil also when the world
    /// is closing.
    func join(
        _ account: AccountID, device: DeviceID, topic: Topic, waitID: String,
        end: @escaping @Sendable () -> Void
    ) -> Ticket? {
        endPoll(of: account) { own in own.first { $0.device == device && $0.waitID == waitID } }
        let isFull = state.withLock { state in
            Self.oldest(state.polls[account, default: []], ofShareOf: device, topic) != nil
        }
        return isFull ? nil : add(account, device, topic, waitID: waitID, end: end)
    }

    /// The oldest poll of a device for a topic, if the device has its share of them.
    private static func oldest(
        _ own: [Poll], ofShareOf device: DeviceID, _ topic: Topic
    ) -> Poll? {
        let its = own.filter { $0.device == device && $0.topic == topic }
        return its.count >= Limits.pollsPerDeviceMax ? its.first : nil
    }

    private func add(
        _ account: AccountID, _ device: DeviceID, _ topic: Topic, waitID: String? = nil,
        pass: Gate.Pass? = nil, end: @escaping @Sendable () -> Void
    ) -> Ticket? {
        state.withLock { state in
            let own = state.polls[account]?.count ?? 0
            guard !state.isClosed, own < Limits.pollsPerAccountMax else { return nil }
            state.next += 1
            let poll = Poll(
                id: state.next, account: account, device: device, topic: topic, waitID: waitID,
                pass: pass, end: end)
            state.polls[account, default: []].append(poll)
            return Ticket(hub: self, id: poll.id, account: account)
        }
    }

    /// How many polls wait.
    var waitingCount: Int { state.withLock { $0.polls.values.reduce(0) { $0 + $1.count } } }

    /// Ends every poll of an account for events; those of the device that caused the news a moment
    /// later.
    ///
    /// That device already has its answer. The poll is news only to other processes of its app, and
    /// one answer is enough for several quick actions.
    func wake(_ account: AccountID, byDevice device: DeviceID) {
        let polls = take(account) { $0.topic.hears(of: .events) && $0.device != device }
        if !polls.isEmpty { queue.async { self.endAll(polls) } }
        let isFirst = state.withLock { state in
            let waits = state.polls[account, default: []].contains {
                $0.topic.hears(of: .events)
            }
            return waits && state.lingering.insert(account).inserted
        }
        guard isFirst else { return }
        let delay = Limits.ownNewsDelayMilliseconds
        queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            self?.state.withLock { _ = $0.lingering.remove(account) }
            self?.wake(account, .events)
        }
    }

    /// Ends every poll of an account, or those that news of a topic is for.
    func wake(_ account: AccountID, _ topic: Topic? = nil) {
        let polls = take(account) { poll in
            topic.map { poll.topic.hears(of: $0) } ?? true
        }
        if !polls.isEmpty { queue.async { self.endAll(polls) } }
    }

    /// Removes some polls of an account, to be ended.
    private func take(_ account: AccountID, _ isWanted: (Poll) -> Bool) -> [Poll] {
        state.withLock { state in
            let polls = state.polls.removeValue(forKey: account) ?? []
            let others = polls.filter { !isWanted($0) }
            if !others.isEmpty { state.polls[account] = others }
            return polls.filter(isWanted)
        }
    }

    /// Ends every poll and takes no more.
    func close() {
        let polls = state.withLock { state in
            state.isClosed = true
            defer { state.polls.removeAll() }
            return state.polls.values.flatMap { $0 }
        }
        queue.sync { endAll(polls) }
    }

    /// Ends the poll of an account that is chosen, if one is.
    private func endPoll(of account: AccountID, _ choose: ([Poll]) -> Poll?) {
        let poll = state.withLock { state in
            choose(state.polls[account, default: []]).flatMap { state.remove($0.id, of: account) }
        }
        guard let poll else { return }
        poll.pass?.release()
        queue.async { poll.end() }
    }

    private func remove(_ id: Int64, of account: AccountID) -> Poll? {
        state.withLock { $0.remove(id, of: account) }
    }

    private func endAll(_ polls: [Poll]) {
        for poll in polls {
            poll.pass?.release()
            poll.end()
        }
    }
}
