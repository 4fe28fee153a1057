import CrashPoints
import Dispatch
import StoreCaller
import StoreWire

/// Sends what the app has set, and waits for others' changes or for a sign-in.
///
/// It needs no observer of the payment queue, only that the app has used its key values once. Its
/// thread waits in the store's long poll, and does not keep the process alive.
final class KeyValueExchange: Sendable {
    private let values: KeyValueStore
    private let connection: StoreConnection
    private let retries: Retries
    /// Signs the previous account in again when that needs no sheet.
    private let signBackIn: @Sendable () -> Bool
    private let thread = DispatchQueue(label: "StoreKit.keyValues")
    private let runs = Runs()

    init(
        values: KeyValueStore, connection: StoreConnection, retries: Retries,
        signBackIn: @escaping @Sendable () -> Bool
    ) {
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
        thread.async { [weak self] in self?.go(run) }
    }

    func stop() {
        runs.next()
    }

    private func go(_ run: Runs.Run) {
        var tries = 0
        // After a refusal it listens once before sending again, so that news still arrives.
        var sends = true
        while runs.isNewest(run) {
            // Another process may have signed an account in.
            connection.takeStoredSignIn()
            guard let owner = connection.session?.keyValueOwner else {
                if !signBackIn() {
                    runs.waitForPerson(run, connection) { runs.isNewest(run) }
                }
                continue
            }
            do throws(StoreFailure) {
                sends = try step(of: owner, sends: sends, run.cancellation)
                tries = 0
                values.tellNews()
            } catch {
                values.tellNews()
                guard error.kind != .cancelled, runs.isNewest(run) else { return }
                if error.kind != .signedOut { Message.sayOnce(error.sentence) }
                sends = true
                tries += 1
                run.wait(milliseconds: retries.delayMilliseconds(afterTries: tries))
            }
        }
    }

    /// Sends pending changes, or else waits for news; returns whether the next step may send.
    private func step(
        of owner: KeyValueOwner, sends: Bool, _ cancellation: CallCancellation
    ) throws(StoreFailure) -> Bool {
        let found = try onDisk {
            try values.show(owner)
            return try values.nextStep(of: owner, sends: sends)
        }
        guard let step = found else { return true }
        if let request = step.request { return try send(request, step.known, of: owner) }
        let answer = try connection.keyValues(
            of: owner.customer, after: step.known, cancellation: cancellation)
        try onDisk { try values.take(answer, to: step.known, of: owner) }
        return true
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
            Message.sayOnce(error.sentence)
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
