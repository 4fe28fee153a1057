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
                    // Signing in starts it again.
                    return try waitForPerson(engine)
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
        let customer: Customer
    }

    /// Signs in again when that takes no person; asks which world it is when the journal waits.
    private func waitForPerson(_ engine: QueueEngine) throws(StoreFailure) {
        if engine.asksForWorld { try connection.learnWorld() }
        if connection.account == nil, !engine.signBackIn() { engine.handle(.listFailed) }
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
            }
            return Place(cursor: list.cursor, customer: customer)
        }
        let news = try connection.updates(
            of: customer, after: place.cursor, cancellation: cancellation)
        if current(round) != nil {
            engine.handle(.updates(news.events, receiptRevision: news.receiptRevision, customer))
        }
        return Place(cursor: news.cursor, customer: customer)
    }

    /// The engine, while this run is the newest and somebody listens.
    private func current(_ round: Int) -> QueueEngine? {
        guard state.withLock({ $0.round == round }),
            let engine = engine.withLock({ $0.engine }), !engine.board.observers.isEmpty
        else { return nil }
        return engine
    }
}
