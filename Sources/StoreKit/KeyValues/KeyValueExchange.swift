import CrashPoints
import Dispatch
import StoreCaller
import StoreWire

/// Sends what the app has set, and waits for others' changes or for a sign-in.
///
/// It needs no observer of the payment queue, only that the app has used its key values once.
final class KeyValueExchange: Sendable {
    private let values: KeyValueStore
    private let connection: StoreConnection
    private let retries: Retries
    /// Signs the previous account in again when that needs no sheet.
    private let signBackIn: @Sendable () -> Bool
    private let queue: DispatchQueue
    private let runs = Runs()

    init(
        values: KeyValueStore, connection: StoreConnection, retries: Retries,
        signBackIn: @escaping @Sendable () -> Bool, lanes: Lanes = Lanes()
    ) {
        queue = DispatchQueue(label: "StoreKit.keyValues", target: lanes.calls)
        self.values = values
        self.connection = connection
        self.retries = retries
        self.signBackIn = signBackIn
        connection.hearOfSessions { [weak self] _, _ in self?.start() }
    }

    deinit {
        stop()
    }

    /// Exchanges now, ending the wait for news: there may be something to send.
    func start() {
        let run = runs.next()
        goOn(Course(run: run))
    }

    func stop() {
        runs.next()
    }

    /// Stops for good, and waits for the step under way.
    func end() {
        connection.end()
        stop()
        queue.sync {}
    }

    /// How far a run has come.
    private struct Course: Sendable {
        let run: Runs.Run
        var tries = 0
        /// After a refusal it listens once before sending again, so that news still arrives.
        var sends = true
    }

    /// One step; the next one follows when there is something to do, and nothing waits here for it.
    private func go(_ course: Course) {
        guard runs.isNewest(course.run) else { return }
        // Another process may have signed an account in.
        connection.takeStoredSignIn()
        guard let owner = connection.session?.keyValueOwner else { return waitForPerson(course) }
        do throws(StoreFailure) {
            try step(of: owner, course)
        } catch {
            failed(error, course)
        }
    }

    private func goOn(_ course: Course) {
        queue.async { [weak self] in self?.go(course) }
    }

    private func waitForPerson(_ course: Course) {
        if signBackIn() { return goOn(course) }
        Runs.waitForPerson(
            connection, on: queue, then: { [weak self] in self?.goOn(course) },
            while: { [weak self] in self?.runs.isNewest(course.run) == true })
    }

    private func failed(_ failure: StoreFailure, _ course: Course) {
        values.tellNews()
        guard failure.kind != .cancelled, runs.isNewest(course.run) else { return }
        if failure.kind != .signedOut { Diagnostic.sayOnce(failure.sentence) }
        let next = Course(run: course.run, tries: course.tries + 1)
        let delay = retries.delayMilliseconds(afterTries: next.tries)
        queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            self?.go(next)
        }
    }

    /// Sends pending changes, or else waits for news.
    private func step(of owner: KeyValueOwner, _ course: Course) throws(StoreFailure) {
        let found = try onDisk {
            try values.show(owner)
            return try values.nextStep(of: owner, sends: course.sends)
        }
        guard let step = found else { return done(course) }
        if let request = step.request {
            return done(course, sends: try send(request, step.known, of: owner))
        }
        let take: @Sendable (KeyValuesBody) throws(StoreFailure) -> Void = {
            [self] (answer) throws(StoreFailure) in
            try onDisk { try values.take(answer, to: step.known, of: owner) }
        }
        guard let known = step.known else {
            // Without a known revision everything comes at once.
            try take(
                try connection.keyValues(of: owner.customer, cancellation: course.run.cancellation))
            return done(course)
        }
        try connection.poll(
            KeyValuesBody.self, "key-values?after=\(known)", as: owner.customer,
            cancellation: course.run.cancellation, on: queue
        ) { [weak self] answer in
            do throws(StoreFailure) {
                try take(try answer.get())
                self?.done(course)
            } catch {
                self?.failed(error, course)
            }
        }
    }

    private func done(_ course: Course, sends: Bool = true) {
        values.tellNews()
        goOn(Course(run: course.run, sends: sends))
    }

    /// False when the store refused for a reason other than lack of room.
    private func send(
        _ request: KeyValueRecord.Request, _ known: Int64?, of owner: KeyValueOwner
    ) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            let answer = try connection.change(request, after: known, as: owner.customer)
            CrashPoint.deviceKeyValuesAnswered.reach()
            try onDisk { try values.take(answer, to: known, answering: request.id, of: owner) }
            return true
        } catch {
            guard case .refused(_, let code) = error.kind else { throw error }
            Diagnostic.sayOnce(error.sentence)
            let isFull = code == "keyValuesFull"
            try onDisk { try values.putOff(request, of: owner, isFull: isFull) }
            return isFull
        }
    }

    /// A disk failure is retried later, just like a lost answer.
    private func onDisk<Answer>(_ body: () throws -> Answer) throws(StoreFailure) -> Answer {
        do {
            return try body()
        } catch {
            throw StoreFailure(.lost, "\(error)")
        }
    }
}
