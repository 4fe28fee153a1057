import Dispatch
import Synchronization

/// Checks the home folder periodically while there is an audience: for records left by processes
/// that have ended, and for purchases begun outside the app.
final class HomeWatch: Sendable {
    private static let milliseconds = 500
    /// The number of rounds between two checks of the journal.
    private static let roundsBetweenJournals = 4

    let queue: DispatchQueue
    /// Counts starts and stops; a watch ends when it is not the newest.
    private let round = Mutex(0)

    init(lanes: Lanes) {
        queue = DispatchQueue(label: "StoreKit.home", target: lanes.calls)
    }

    deinit {
        stop()
    }

    func start(_ engine: QueueEngine) {
        let round = next()
        look(WeakEngine(engine), round, 1)
    }

    func stop() {
        _ = next()
    }

    /// Stops, and waits for the look under way.
    func end() {
        stop()
        queue.sync {}
    }

    /// Looks now for purchases begun outside the app.
    func lookForIntents(_ engine: QueueEngine) {
        queue.async { [weak engine] in engine?.takeIntents() }
    }

    private struct WeakEngine: Sendable {
        private(set) weak var engine: QueueEngine?

        init(_ engine: QueueEngine) {
            self.engine = engine
        }
    }

    private func next() -> Int {
        round.withLock {
            $0 += 1
            return $0
        }
    }

    private func look(_ box: WeakEngine, _ round: Int, _ count: Int) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.milliseconds)) { [weak self] in
            guard let self, let engine = box.engine, self.round.withLock({ $0 == round }) else {
                return
            }
            // Observers that were released did not announce that they left.
            guard !engine.audience.isEmpty else { return engine.audienceLeft() }
            engine.takeIntents()
            if count % Self.roundsBetweenJournals == 0 { engine.takeOrphans() }
            look(box, round, count + 1)
        }
    }
}

extension QueueEngine {
    /// Carries out what ended processes left in the journal, as a launch does.
    fileprivate func takeOrphans() {
        guard case .success(let parts) = parts else { return }
        let journal = Journal(home: parts.home)
        let orphans = journal.orphans(of: parts.connection.configuration.scope)
        let claimed = journal.claim(orphans)
        if !claimed.isEmpty { handle(.journalLoaded(claimed, [])) }
    }
}
