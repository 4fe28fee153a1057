import Dispatch
import Foundation
import StoreCaller
import StoreWire
import Synchronization

/// Asks for everything unfinished, then waits for what happens, as long as there is an observer
/// and somebody is signed in.
final class UpdatesListener: Sendable {
    private let connection: StoreConnection
    private let retries: Retries
    let marks: NewsMarks
    private let thread = DispatchQueue(label: "StoreKit.updates")
    private let state = Mutex(State())
    private let engine = Mutex(WeakEngine())

    private struct State {
        /// Counts starts and stops; a run ends when it is not the newest.
        var round = 0
        var cancellation = CallCancellation()
        var alarm = DispatchSemaphore(value: 0)
    }

    private struct WeakEngine {
        weak var engine: QueueEngine?
    }

    init(connection: StoreConnection, retries: Retries) {
        self.connection = connection
        self.retries = retries
        marks = NewsMarks(file: CursorFile(home: connection.home))
    }

    deinit {
        stop()
    }

    func attach(_ engine: QueueEngine) {
        self.engine.withLock { $0.engine = engine }
    }

    /// Begins with the list, ending the run before it.
    func start() {
        let (round, cancellation, alarm) = next()
        thread.async { [weak self] in
            self?.run(round, cancellation, alarm)
        }
    }

    func stop() {
        _ = next()
    }

    private func next() -> (Int, CallCancellation, DispatchSemaphore) {
        state.withLock { state in
            state.cancellation.cancel()
            state.alarm.signal()
            state.round += 1
            state.cancellation = CallCancellation()
            state.alarm = DispatchSemaphore(value: 0)
            return (state.round, state.cancellation, state.alarm)
        }
    }

    private func run(
        _ round: Int, _ cancellation: CallCancellation, _ alarm: DispatchSemaphore
    ) {
        var place: Place?
        var tries = 0
        while let engine = current(round) {
            let customer = connection.customer
            do throws(StoreFailure) {
                guard let customer else {
                    return try waitForPerson(engine, round, alarm)
                }
                if place?.customer != customer { place = nil }
                place = try step(place, customer, engine, round, cancellation)
                tries = 0
            } catch {
                guard error.kind != .cancelled, current(round) != nil else { return }
                if connection.customer != customer { continue }
                Message.sayOnce(error.sentence)
                if place == nil { engine.handle(.listFailed) }
                // A cursor that the store refuses is given up for a new list.
                if error.kind != .lost { place = nil }
                tries += 1
                let delay = retries.delayMilliseconds(afterTries: tries)
                _ = alarm.wait(timeout: .now() + .milliseconds(delay))
            }
        }
    }

    /// Where to go on, and for whom: a cursor counts one customer's news.
    private struct Place {
        let cursor: Int64
        /// Where the list was made: what it holds is not news.
        let listed: Int64
        let customer: Customer
    }

    /// What no list of transactions tells, and is caught up with at a launch.
    private static func isLasting(_ kind: UpdateBody.Kind) -> Bool {
        kind == .revoked || kind == .storefrontChanged
    }

    /// How often the home folder is looked at for somebody who signed in elsewhere.
    private static let lookMilliseconds = 500

    /// Signs in again when that takes no person; asks which world it is when the journal waits.
    ///
    /// Signing in starts it again. The device's settings are another process, and what it wrote
    /// is looked for as long as nobody is there.
    private func waitForPerson(
        _ engine: QueueEngine, _ round: Int, _ alarm: DispatchSemaphore
    ) throws(StoreFailure) {
        if engine.asksForWorld { try connection.learnWorld() }
        if connection.account == nil, !engine.signBackIn() { engine.handle(.listFailed) }
        while connection.account == nil, current(round) != nil {
            if connection.takeStoredSignIn() { return }
            _ = alarm.wait(timeout: .now() + .milliseconds(Self.lookMilliseconds))
        }
    }

    private func step(
        _ place: Place?, _ customer: Customer, _ engine: QueueEngine, _ round: Int,
        _ cancellation: CallCancellation
    ) throws(StoreFailure) -> Place {
        guard let place else {
            let list = try connection.unfinished(of: customer, cancellation: cancellation)
            if current(round) != nil {
                engine.handle(
                    .listed(list.transactions, receiptRevision: list.receiptRevision, customer))
                engine.handle(.priceConsentsListed(list.priceConsents ?? [], customer))
            }
            return Place(
                cursor: marks.begin(of: customer, listed: list.cursor), listed: list.cursor,
                customer: customer)
        }
        let news = try connection.updates(
            of: customer, after: place.cursor, cancellation: cancellation)
        if current(round) != nil {
            let events = news.events.filter {
                $0.number > place.listed || Self.isLasting($0.kind)
            }
            marks.came(
                upTo: news.cursor, of: customer, Revocations(events), StorefrontMove(events))
            engine.handle(.updates(events, receiptRevision: news.receiptRevision, customer))
        }
        return Place(cursor: news.cursor, listed: place.listed, customer: customer)
    }

    /// The engine, while this run is the newest and somebody listens.
    private func current(_ round: Int) -> QueueEngine? {
        guard state.withLock({ $0.round == round }),
            let engine = engine.withLock({ $0.engine }), !engine.board.observers.isEmpty
        else { return nil }
        return engine
    }
}
