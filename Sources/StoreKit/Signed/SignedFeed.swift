import CrashPoints
import Dispatch
import Foundation
import StoreModel
import StoreWire
import Synchronization

/// Where an engine's signed purchases come in and go out: it brings the copies up to date, and tells
/// sequences and callers.
///
/// One queue tells everything, one thing after another: a stream that begins gets everything
/// unfinished and then all news, without gaps and without repetitions.
final class SignedFeed: Sendable {
    /// How long a reader waits for a store that does not answer, before it gets what the device has.
    static let readerMilliseconds = 2_000

    let library: SignedLibrary
    let callers = PurchaseCallers()
    let updates = Listeners<VerificationResult<Transaction>>()
    let statuses = Listeners<Product.SubscriptionInfo.Status>()
    let storefronts = Listeners<Storefront>()
    let messages = MessageListeners()
    let intents = IntentListeners()

    struct WeakEngine {
        weak var engine: QueueEngine?
    }

    private struct State {
        /// The customer whose copy follows the store's news.
        var live: Customer?
        /// Counts what this device changed by the original API: news that were asked for before may
        /// lack it.
        var changes = 0
        /// The unfinished transactions that streams were told.
        var told: [Customer: Set<UInt64>] = [:]
        var storefront: String?
    }

    let connection: StoreConnection
    /// Whether anybody ever asked for signed purchases: the store is not asked for them before.
    private let isUsed = Atomic(false)
    let engine = Mutex(WeakEngine())
    private let state = Mutex(State())
    private let laterTry = LaterTry()
    let queue: DispatchQueue

    init(connection: StoreConnection, home: HomeFolder, lanes: Lanes) {
        self.connection = connection
        library = SignedLibrary(connection: connection, home: home)
        queue = DispatchQueue(label: "StoreKit.signed", target: lanes.calls)
        state.withLock { $0.storefront = connection.session?.storefrontIdentifier }
    }

    func attach(_ engine: QueueEngine) {
        self.engine.withLock { $0.engine = engine }
        callers.hear { [weak self] in self?.callerFreed() }
    }

    deinit {
        endSequences()
    }

    /// Ends all sequences; callers are told why.
    func end(_ reason: FailureReason) {
        endSequences()
        callers.end(reason)
        drain()
    }

    private func endSequences() {
        updates.end()
        statuses.end()
        storefronts.end()
        messages.end()
        intents.end()
    }

    /// Waits for what is under way.
    func drain() {
        queue.sync {}
    }

    /// Tells sequences the account's storefront, when it is another one.
    func tell(storefront: Storefront) {
        let isNew = state.withLock { state in
            defer { state.storefront = storefront.id }
            return state.storefront != nil && state.storefront != storefront.id
        }
        if isNew { storefronts.tell([storefront]) }
    }

    // MARK: - News

    /// The store has news of a customer, or everything that it has was listed.
    func newsCame(of customer: Customer) {
        guard isInUse else { return }
        let changes = state.withLock { $0.changes }
        queue.async { [self] in
            guard bringUpToDate(customer, millisecondsMax: nil) else { return }
            // Somebody must follow the news that come after these.
            let isFollowed = engine.withLock { $0.engine }?.audience
            state.withLock { state in
                if state.changes == changes, isFollowed?.isEmpty == false { state.live = customer }
            }
            tellUnfinished(of: customer)
        }
    }

    /// The original API changed something at the store: until news of it have come, readers ask.
    func changedByQueue() {
        state.withLock { state in
            state.live = nil
            state.changes += 1
        }
    }

    var isInUse: Bool { isUsed.load(ordering: .sequentiallyConsistent) }

    /// From now on the store's news are asked for as a reader of signed purchases needs them.
    func use() {
        if isUsed.exchange(true, ordering: .sequentiallyConsistent) { return }
        engine.withLock { $0.engine }?.newsWantedAnew()
    }

    /// Nobody follows the store's news any more.
    func newsStopped() {
        state.withLock { $0.live = nil }
    }

    /// Takes over what came with the answer to an attempt, durably.
    func keep(_ purchase: SignedPurchaseBody, of customer: Customer) throws {
        let news = try library.keep(purchase, of: customer)
        CrashPoint.deviceCopyWritten.reach()
        queue.async { self.tell(news, of: customer) }
    }

    /// A caller no longer waits for a payment that goes on: the streams are told what they were not told
    /// because of it.
    private func callerFreed() {
        queue.async { [self] in
            if let customer = connection.customer, isInUse { tellUnfinished(of: customer) }
        }
    }

    /// Asks the store for everything, whatever the copy has; why that failed.
    func fetchAnew() -> (any Error)? {
        guard let customer = customer() else {
            return StoreFailure(.signedOut, "Nobody is signed in to the store.")
        }
        do {
            try catchUp(of: customer, anew: true)
            return nil
        } catch { return error }
    }

    /// Makes sure that these transactions are in the copy on disk.
    func bring(_ ids: [String], of customer: Customer) throws {
        func areThere() throws -> Bool {
            let entries = try library.kept(of: customer).copy.entries
            return ids.allSatisfy { UInt64($0).map { entries[$0] != nil } ?? false }
        }
        if try areThere() { return try library.save(customer) }
        var news = SignedLibrary.News()
        defer { queue.async { [news] in self.tell(news, of: customer) } }
        try library.catchUp(of: customer, into: &news)
        guard try areThere() else {
            throw StoreFailure(
                .lost, "The store has not signed a purchase that it reported.", isAnswer: true)
        }
        try library.save(customer)
    }

    /// Asks the store what changed, and tells it, also when only a part of it came; on the feed's
    /// queue.
    private func catchUp(
        of customer: Customer, anew: Bool = false, millisecondsMax: Int? = nil
    ) throws {
        var news = SignedLibrary.News()
        defer { tell(news, of: customer) }
        try library.catchUp(
            of: customer, anew: anew, millisecondsMax: millisecondsMax, into: &news)
    }

    /// Asks the store what changed; false when it cannot be asked now.
    @discardableResult
    func bringUpToDate(_ customer: Customer, millisecondsMax: Int?) -> Bool {
        do {
            try catchUp(of: customer, millisecondsMax: millisecondsMax)
            laterTry.succeeded()
            return true
        } catch {
            let failure = error as? StoreFailure
            guard failure?.kind != .cancelled else { return false }
            Diagnostic.sayOnce(failure?.sentence ?? "\(error)")
            askAgain(of: customer)
            return false
        }
    }

    /// Asks again later, as long as somebody listens: what the store had to say came once.
    private func askAgain(of customer: Customer) {
        guard let milliseconds = laterTry.failed() else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            guard let self else { return }
            laterTry.began()
            let isFollowed = engine.withLock { $0.engine }?.audience.isEmpty == false
            if isFollowed, connection.customer == customer { newsCame(of: customer) }
        }
    }

    /// Tells what changed; on the feed's queue.
    private func tell(_ news: SignedLibrary.News, of customer: Customer) {
        guard let kept = try? library.kept(of: customer) else { return }
        let changes = news.changes.filter { isNews($0, of: customer) }
        let new = changes.filter(\.isNew).map(\.entry)
        // What happened while nobody listened comes in one piece, the newest first.
        updates.tell(SignedSelection.newestFirst(new, kept.verifier))
        updates.tell(
            changes.filter { !$0.isNew }.compactMap { kept.verifier.transaction($0.entry) })
        statuses.tell(news.statuses.compactMap { kept.verifier.status($0) })
        tellMessages()
    }

    /// Tells whoever listens for messages what the statuses of the customer who is signed in give
    /// occasion to.
    private func tellMessages() {
        guard !messages.isEmpty, let customer = connection.customer,
            let kept = try? library.kept(of: customer)
        else { return }
        let statuses = kept.copy.groups.flatMap(\.statuses).compactMap(kept.verifier.status)
        messages.tell(statuses.compactMap { MessageOccasion($0) })
    }

    /// Whether streams are told of a change now: new transactions, once, unless they were finished
    /// elsewhere or somebody else is told of them; and what became of those that are known.
    private func isNews(_ change: SignedChange, of customer: Customer) -> Bool {
        guard change.isNew else { return true }
        guard !change.entry.isFinished, !isToldOtherwise(change.entry) else { return false }
        return state.withLock { $0.told[customer, default: []].insert(change.entry.id).inserted }
    }

    /// Whether a caller or an observer of this process is told of a transaction.
    private func isToldOtherwise(_ entry: SignedEntry) -> Bool {
        guard let engine = engine.withLock({ $0.engine }) else { return true }
        return callers.tells(engine.look { $0.key(ofAttempt: entry.attemptId) })
    }

    /// Tells all streams what is unfinished and was not told before, the newest first.
    private func tellUnfinished(of customer: Customer) {
        guard let kept = try? library.kept(of: customer) else { return }
        let untold = kept.copy.entries.values.filter { entry in
            isNews(SignedChange(entry: entry, isNew: true), of: customer)
        }
        updates.tell(SignedSelection.newestFirst(untold, kept.verifier))
    }

    // MARK: - Sequences

    /// A stream of everything unfinished and then of all news. The engine runs for it.
    func updatesStream() -> AsyncStream<VerificationResult<Transaction>> {
        use()
        return stream(of: updates) { number, tell in
            queue.async { [self] in
                // It may have been dropped before its turn came.
                guard updates.has(number) else { return }
                // The other streams hear first what is untold, and this one all news from here on.
                if let customer = connection.customer { tellUnfinished(of: customer) }
                updates.join(number)
                guard let customer = customer(), let kept = try? library.kept(of: customer)
                else { return }
                let unfinished = kept.copy.entries.values.filter { entry in
                    !entry.isFinished && !isAnothers(entry)
                }
                state.withLock {
                    $0.told[customer, default: []].formUnion(unfinished.map(\.id))
                }
                for result in SignedSelection.newestFirst(unfinished, kept.verifier) {
                    tell(result)
                }
                if !isLive(customer) {
                    bringUpToDate(customer, millisecondsMax: Self.readerMilliseconds)
                }
            }
        }
    }

    /// Whether a transaction is for a caller who has not heard yet, or for observers.
    private func isAnothers(_ entry: SignedEntry) -> Bool {
        guard let engine = engine.withLock({ $0.engine }) else { return false }
        let key = engine.look { $0.key(ofAttempt: entry.attemptId) }
        return callers.isWaiting(for: key) || callers.isForObservers(key)
    }

    /// A stream of statuses as they change. The engine runs for it.
    func statusStream() -> AsyncStream<Product.SubscriptionInfo.Status> {
        use()
        return stream(of: statuses) { number, _ in
            statuses.join(number)
            queue.async { [self] in
                if statuses.has(number), let customer = customer(), !isLive(customer) {
                    bringUpToDate(customer, millisecondsMax: Self.readerMilliseconds)
                }
            }
        }
    }

    /// A stream of storefronts as they change. The engine runs for it.
    func storefrontStream() -> AsyncStream<Storefront> {
        stream(of: storefronts) { number, _ in storefronts.join(number) }
    }

    /// A stream of messages: of what waits for the customer now, and of what comes. The engine runs for
    /// it.
    func messageStream() -> AsyncStream<Message> {
        use()
        let stream = stream { messages.stream(left: $0) }
        engine.withLock { $0.engine }?.priceMessagesWanted()
        queue.async { [self] in
            guard !messages.isEmpty, let customer = customer() else { return }
            if isLive(customer) { return tellMessages() }
            bringUpToDate(customer, millisecondsMax: Self.readerMilliseconds)
            // Without an answer of the store, of what the device has.
            tellMessages()
        }
        return stream
    }

    /// A stream of the purchases that customers begin outside the app. The engine runs for it.
    func intentStream() -> AsyncStream<PurchaseIntent> {
        let look: @Sendable () -> Void = { [weak engine = engine.withLock { $0.engine }] in
            engine?.intentsWanted()
        }
        return stream { intents.stream(look: look, left: $0) }
    }

    private func stream<Element>(
        of listeners: Listeners<Element>,
        begin: (_ number: Int, _ tell: @escaping @Sendable (Element) -> Void) -> Void
    ) -> AsyncStream<Element> {
        stream { listeners.stream(begin: begin, left: $0) }
    }

    /// A stream for which the engine runs, until it calls `left`.
    private func stream<Element>(
        _ make: (_ left: @escaping @Sendable () -> Void) -> AsyncStream<Element>
    ) -> AsyncStream<Element> {
        let engine = engine.withLock { $0.engine }
        engine?.audience.enter()
        let stream = make { [weak engine] in
            engine?.audience.leave()
            engine?.audienceLeft()
        }
        engine?.audienceArrived()
        return stream
    }

    func isLive(_ customer: Customer) -> Bool {
        state.withLock { $0.live == customer }
    }
}
