import Dispatch
import Foundation
import StoreCaller
import StoreWire
import Synchronization

/// Requests everything unfinished, then waits for news, as long as there is an audience and an
/// account is signed in.
final class UpdatesListener: Sendable {
    private let connection: StoreConnection
    private let retries: Retries
    let marks: NewsMarks
    private let feed: SignedFeed?
    private let queue: DispatchQueue
    private let runs = Runs()
    /// Names its waits with other devices, of which it has one at a time; nil when it waits alone.
    private let waitID: String?
    private let engine = Mutex(WeakEngine())

    private struct WeakEngine {
        weak var engine: QueueEngine?
    }

    init(
        connection: StoreConnection, retries: Retries, feed: SignedFeed? = nil,
        lanes: Lanes = Lanes()
    ) {
        self.feed = feed
        waitID = lanes.areShared ? UUID().uuidString : nil
        queue = DispatchQueue(label: "StoreKit.updates", target: lanes.calls)
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
        goOn(Course(run: run))
    }

    func stop() {
        runs.next()
    }

    /// Stops, and waits for the step under way.
    func end() {
        stop()
        queue.sync {}
    }

    /// How far a run has come.
    private struct Course: Sendable {
        let run: Runs.Run
        var place: Place?
        var tries = 0
    }

    /// One step; the next one follows when there is something to do, and nothing waits here for it.
    private func go(_ course: Course) {
        guard let engine = current(course.run) else { return }
        let customer = connection.customer
        do throws(StoreFailure) {
            guard let customer else {
                return try waitForPerson(engine, course.run)
            }
            guard let place = course.place, place.customer == customer else {
                let listed = try list(of: customer, engine, course.run)
                return goOn(Course(run: course.run, place: listed))
            }
            try waitForNews(place, course)
        } catch {
            failed(error, of: customer, course)
        }
    }

    private func goOn(_ course: Course) {
        queue.async { [weak self] in self?.go(course) }
    }

    private func failed(_ failure: StoreFailure, of customer: Customer?, _ course: Course) {
        guard failure.kind != .cancelled, let engine = current(course.run) else { return }
        if connection.customer != customer { return goOn(course) }
        var course = course
        Diagnostic.sayOnce(failure.sentence)
        if course.place == nil { engine.handle(.listFailed) }
        // A cursor that the store refuses is replaced by a new list.
        if failure.kind != .lost { course.place = nil }
        course.tries += 1
        let delay = retries.delayMilliseconds(afterTries: course.tries)
        queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self, course] in
            self?.go(course)
        }
    }

    /// Where to continue, and for whom: a cursor counts one customer's news.
    private struct Place {
        let cursor: Int64
        /// The position of the list: what it contains is not news.
        let listed: Int64
        /// Whether the list named the account's storefront; stores of earlier versions do not.
        let namesStorefront: Bool
        let customer: Customer

        /// Whether the list omits this news, so that it is caught up at a launch.
        func omits(_ kind: UpdateBody.Kind) -> Bool {
            kind == .revoked || kind == .storefrontChanged && !namesStorefront
        }
    }

    /// Signs in again when that needs no sheet; asks for the world when the journal waits for it.
    private func waitForPerson(_ engine: QueueEngine, _ run: Runs.Run) throws(StoreFailure) {
        if engine.asksForWorld { try connection.learnWorld() }
        if connection.account == nil, !engine.signBackIn() { engine.handle(.listFailed) }
        Runs.waitForPerson(connection, on: queue) { [weak self] in self?.current(run) != nil }
    }

    private func list(
        of customer: Customer, _ engine: QueueEngine, _ run: Runs.Run
    ) throws(StoreFailure) -> Place {
        let list = try connection.unfinished(of: customer, cancellation: run.cancellation)
        if current(run) != nil {
            engine.handle(
                .listed(list.transactions, receiptRevision: list.receiptRevision, customer))
            engine.handle(.priceConsentsListed(list.priceConsents ?? [], customer))
            tellMove(list, of: customer, engine)
            feed?.newsCame(of: customer)
        }
        return Place(
            cursor: marks.begin(of: customer, listed: list.cursor), listed: list.cursor,
            namesStorefront: list.storefront != nil, customer: customer)
    }

    /// The account may have moved after it signed in and before the list, which news begin after.
    private func tellMove(_ list: UnfinishedBody, of customer: Customer, _ engine: QueueEngine) {
        guard let storefront = list.storefront, let session = connection.session,
            session.customer == customer, session.countryCode != storefront
        else { return }
        let move = UpdateBody(
            number: list.cursor, kind: .storefrontChanged, transaction: nil, subject: storefront)
        engine.handle(.updates([move], receiptRevision: list.receiptRevision, customer))
    }

    private func waitForNews(_ place: Place, _ course: Course) throws(StoreFailure) {
        // Whoever reads signed purchases hears of every change of them.
        try connection.pollUpdates(
            after: place.cursor, signed: feed?.isInUse == true, together: waitID,
            as: place.customer, cancellation: course.run.cancellation, on: queue
        ) { [weak self] answer in
            switch answer {
            case .success(let news): self?.came(news, at: place, course.run)
            case .failure(let failure): self?.failed(failure, of: place.customer, course)
            }
        }
    }

    private func came(_ news: UpdatesBody, at place: Place, _ run: Runs.Run) {
        if let engine = current(run) {
            let events = news.events.filter {
                $0.number > place.listed || place.omits($0.kind)
            }
            marks.came(
                upTo: news.cursor, of: place.customer, Revocations(events),
                StorefrontMove(events))
            engine.handle(
                .updates(events, receiptRevision: news.receiptRevision, place.customer))
            if !news.events.isEmpty { feed?.newsCame(of: place.customer) }
        }
        let next = Place(
            cursor: news.cursor, listed: place.listed, namesStorefront: place.namesStorefront,
            customer: place.customer)
        go(Course(run: run, place: next))
    }

    /// The engine, while this run is the newest and there is an audience.
    private func current(_ run: Runs.Run) -> QueueEngine? {
        guard runs.isNewest(run),
            let engine = engine.withLock({ $0.engine }), !engine.audience.isEmpty
        else { return nil }
        return engine
    }
}
