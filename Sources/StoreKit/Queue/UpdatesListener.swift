import Dispatch
import Foundation
import StoreCaller
import StoreWire
import Synchronization

/// Requests everything unfinished, then waits for news, as long as there is an observer and an
/// account is signed in.
final class UpdatesListener: Sendable {
    private let connection: StoreConnection
    private let retries: Retries
    let marks: NewsMarks
    private let thread = DispatchQueue(label: "StoreKit.updates")
    private let runs = Runs()
    private let engine = Mutex(WeakEngine())

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

    /// Begins with the list, ending the previous run.
    func start() {
        let run = runs.next()
        thread.async { [weak self] in self?.go(run) }
    }

    func stop() {
        runs.next()
    }

    private func go(_ run: Runs.Run) {
        var place: Place?
        var tries = 0
        while let engine = current(run) {
            let customer = connection.customer
            do throws(StoreFailure) {
                guard let customer else {
                    return try waitForPerson(engine, run)
                }
                if place?.customer != customer { place = nil }
                place = try step(place, customer, engine, run)
                tries = 0
            } catch {
                guard error.kind != .cancelled, current(run) != nil else { return }
                if connection.customer != customer { continue }
                Message.sayOnce(error.sentence)
                if place == nil { engine.handle(.listFailed) }
                // A cursor that the store refuses is replaced by a new list.
                if error.kind != .lost { place = nil }
                tries += 1
                run.wait(milliseconds: retries.delayMilliseconds(afterTries: tries))
            }
        }
    }

    /// Where to continue, and for whom: a cursor counts one customer's news.
    private struct Place {
        let cursor: Int64
        /// The position of the list: what it contains is not news.
        let listed: Int64
        let customer: Customer
    }

    /// Whether a list of transactions omits this news, so that it is caught up at a launch.
    private static func isLasting(_ kind: UpdateBody.Kind) -> Bool {
        kind == .revoked || kind == .storefrontChanged
    }

    /// Signs in again when that needs no sheet; asks for the world when the journal waits for it.
    private func waitForPerson(_ engine: QueueEngine, _ run: Runs.Run) throws(StoreFailure) {
        if engine.asksForWorld { try connection.learnWorld() }
        if connection.account == nil, !engine.signBackIn() { engine.handle(.listFailed) }
        runs.waitForPerson(run, connection) { current(run) != nil }
    }

    private func step(
        _ place: Place?, _ customer: Customer, _ engine: QueueEngine, _ run: Runs.Run
    ) throws(StoreFailure) -> Place {
        guard let place else {
            let list = try connection.unfinished(of: customer, cancellation: run.cancellation)
            if current(run) != nil {
                engine.handle(
                    .listed(list.transactions, receiptRevision: list.receiptRevision, customer))
                engine.handle(.priceConsentsListed(list.priceConsents ?? [], customer))
            }
            return Place(
                cursor: marks.begin(of: customer, listed: list.cursor), listed: list.cursor,
                customer: customer)
        }
        let news = try connection.updates(
            of: customer, after: place.cursor, cancellation: run.cancellation)
        if current(run) != nil {
            let events = news.events.filter {
                $0.number > place.listed || Self.isLasting($0.kind)
            }
            marks.came(
                upTo: news.cursor, of: customer, Revocations(events), StorefrontMove(events))
            engine.handle(.updates(events, receiptRevision: news.receiptRevision, customer))
        }
        return Place(cursor: news.cursor, listed: place.listed, customer: customer)
    }

    /// The engine, while this run is the newest and there is an observer.
    private func current(_ run: Runs.Run) -> QueueEngine? {
        guard runs.isNewest(run),
            let engine = engine.withLock({ $0.engine }), !engine.board.observers.isEmpty
        else { return nil }
        return engine
    }
}
