import CrashPoints
import Dispatch
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import Synchronization

/// Sends a world's stored requests to its payment provider until each is answered, for as long as
/// the world is open.
///
/// The database holds everything it needs: however it was stopped, it resumes the open requests
/// under the same keys.
final class PaymentWorker: Sendable {
    private struct State {
        /// The keys of requests under way, and of those that rest because nothing could be stored.
        var busy: Set<String> = []
        /// The idle queues.
        var idle: [Int]
        var turns = ProviderTurns()
        /// The callers that wait for the outcome of an attempt.
        var waiters: [AttemptKey: [Int64: @Sendable () -> Void]] = [:]
        var nextWaiter: Int64 = 0
    }

    /// How long a request rests when its answer could not be stored.
    private static let troubleMilliseconds = 2_000

    private let state = Mutex(State(idle: Array(0..<Limits.providerCallsMax)))
    private let database: Database
    private let time: WorldTime
    private let provider: any PaymentProvider
    private let log: Log
    private let loop = DueLoop("bodega.payments")
    /// Calls block, so each has a thread of its own instead of one of the shared pool.
    private let calls = (0..<Limits.providerCallsMax).map {
        DispatchQueue(label: "bodega.payments.\($0)")
    }
    private let underWay = DispatchGroup()
    /// Called after something was decided.
    private let decided: @Sendable (PaymentSettlement.Outcome) -> Void

    init(
        database: Database, time: WorldTime, provider: any PaymentProvider, log: Log,
        decided: @escaping @Sendable (PaymentSettlement.Outcome) -> Void
    ) {
        self.database = database
        self.time = time
        self.provider = provider
        self.log = log
        self.decided = decided
        loop.start { [weak self] in self?.look() ?? .untilWoken }
    }

    /// Looks for requests to send; called after one may have been stored.
    func wake() {
        loop.wake()
    }

    /// Ends calls that are under way; their outcome is asked for again later.
    func close() {
        loop.stop()
        provider.close()
        underWay.wait()
        let waiting = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters.values.flatMap { $0.values }
        }
        for body in waiting { body() }
    }

    /// Calls once when an attempt is decided, or after some time.
    func afterDecision(
        on attempt: AttemptKey, milliseconds: Int, _ body: @escaping @Sendable () -> Void
    ) {
        let number: Int64? = state.withLock { state in
            let waiting = state.waiters[attempt]?.count ?? 0
            if loop.isStopped || waiting >= Limits.waitersPerAttemptMax { return nil }
            state.nextWaiter += 1
            state.waiters[attempt, default: [:]][state.nextWaiter] = body
            return state.nextWaiter
        }
        guard let number else { return body() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            [weak self] in
            let late = self?.state.withLock { state in
                let late = state.waiters[attempt]?.removeValue(forKey: number)
                if state.waiters[attempt]?.isEmpty == true { state.waiters[attempt] = nil }
                return late
            }
            late??()
        }
    }

    /// Calls those who wait for the outcome of an attempt.
    func tellWaiters(of attempt: AttemptKey) {
        let waiting = state.withLock { $0.waiters.removeValue(forKey: attempt) ?? [:] }
        for body in waiting.values { body() }
    }

    // MARK: - The work

    private func look() -> DueLoop.Next {
        do {
            try start()
            return try rest()
        } catch {
            log.event(StoreEvent.paymentsFailed, ("why", .text("\(error)")))
            return .failed
        }
    }

    /// Starts as many calls as there are idle queues.
    private func start() throws {
        let (busy, room) = state.withLock { ($0.busy, $0.idle.count) }
        guard room > 0 else { return }
        var found = try database.read { scope in
            try scope.providerTasks(until: time.real(), except: busy, countMax: room)
        }
        for _ in 0..<room {
            let waiting = Set(found.filter { !$0.value.isEmpty }.keys)
            guard let line = state.withLock({ $0.turns.next(of: waiting) }),
                let task = found[line]?.removeFirst()
            else { return }
            let lane = state.withLock { state in
                state.busy.insert(task.key)
                return state.idle.removeLast()
            }
            calls[lane].async(group: underWay) {
                let isStored = self.carryOut(task)
                self.state.withLock { $0.idle.append(lane) }
                if isStored { return self.end(task) }
                // Keeps it from being asked again and again while nothing can be stored.
                DispatchQueue.global().asyncAfter(
                    deadline: .now() + .milliseconds(Self.troubleMilliseconds)
                ) { [weak self] in self?.end(task) }
            }
        }
    }

    private func end(_ task: ProviderTask) {
        state.withLock { _ = $0.busy.remove(task.key) }
        wake()
    }

    private func rest() throws -> DueLoop.Next {
        let (busy, room) = state.withLock { ($0.busy, $0.idle.count) }
        guard room > 0,
            let next = try database.read({ try $0.nextProviderTask(except: busy) })
        else { return .untilWoken }
        return .rest(milliseconds: next.milliseconds - time.real().milliseconds)
    }

    /// Asks and stores the result; false when nothing could be stored.
    private func carryOut(_ task: ProviderTask) -> Bool {
        CrashPoint.storePaymentAsked.reach()
        let answer = answer(to: task)
        switch (task, answer) {
        case (_, .unknown): break
        case (.refund, _): CrashPoint.storePaymentRefunded.reach()
        case (.payment(let payment, _, _), _):
            switch payment.state {
            case .authorizing: CrashPoint.storePaymentAnswered.reach()
            default: CrashPoint.storePaymentCaptured.reach()
            }
        }
        guard !loop.isStopped else { return true }
        do {
            let time = time
            let outcome = try database.write { scope in
                try Self.settle(task, answer, time: time, scope)
            }
            guard let outcome else { return true }
            if outcome.isDecided { CrashPoint.storePaymentSettled.reach() }
            tell(task, answer, outcome)
            return true
        } catch {
            return postpone(task, "\(error)")
        }
    }

    /// Asks the provider, unless nobody waits for the payment any longer or it was approved before.
    private func answer(to task: ProviderTask) -> ProviderOutcome {
        if case .payment(let payment, _, _) = task,
            PaymentRules.isGivenUp(payment, real: time.real())
        {
            return .unknown(why: "nobody waits for it any longer")
        }
        if case .payment(let payment, _, _) = task, payment.state == .authorizing,
            payment.isApproved
        {
            return .approved(reference: payment.reference)
        }
        guard let request = ProviderRequest(task) else {
            return .unknown(why: "nothing is to be asked")
        }
        return provider.ask(request)
    }

    private static func settle(
        _ task: ProviderTask, _ answer: ProviderOutcome, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> PaymentSettlement.Outcome? {
        switch task {
        case .payment(let payment, _, _):
            guard let step = PaymentRules.step(of: payment.state) else { return nil }
            return try PaymentSettlement.settle(
                payment.id, asked: step, answer, time: time, scope)
        case .refund(let refund, _):
            return try PaymentSettlement.settle(refund.id, answer, time: time, scope)
        }
    }

    /// Retries what cannot be settled now like an unanswered request, and abandons it when it is
    /// too late.
    private func postpone(_ task: ProviderTask, _ why: String) -> Bool {
        log(of: task).event(StoreEvent.paymentsFailed, ("why", .text(why)))
        do {
            let outcome = try database.write { [time] scope -> PaymentSettlement.Outcome? in
                let real = time.real()
                switch task {
                case .refund(let refund, _): try scope.askLater(refund, real: real)
                case .payment(let payment, _, _):
                    if PaymentRules.isGivenUp(payment, real: real) {
                        return try PaymentSettlement.abandon(payment.id, time: time, scope)
                    }
                    try scope.askLater(payment, real: real)
                }
                return nil
            }
            if let outcome { tell(task, .unknown(why: why), outcome) }
            return true
        } catch {
            return false
        }
    }

    private func log(of task: ProviderTask) -> Log {
        switch task {
        case .payment(let payment, _, _): log.adding("payment", .text(payment.id.rawValue))
        case .refund(let refund, _):
            log.adding("payment", .text(refund.payment.rawValue))
                .adding("refund", .text(refund.id.rawValue))
        }
    }

    private func tell(
        _ task: ProviderTask, _ answer: ProviderOutcome, _ outcome: PaymentSettlement.Outcome
    ) {
        let log = log(of: task)
        switch answer {
        case .unknown(let why):
            log.event(StoreEvent.paymentUnanswered, ("why", .text(why)))
        case .approved, .declined:
            let isFailed = outcome.refund.map { $0.state == .failed } ?? (outcome.state == .failed)
            let state = outcome.refund?.state.rawValue ?? outcome.state.rawValue
            let told = log.adding("account", .number(outcome.account.rawValue))
            told.event(
                isFailed ? StoreEvent.paymentFailed : .paymentChanged, ("state", .text(state)))
            if let sold = outcome.transaction {
                told.event(StoreEvent.purchased, ("transaction", .number(sold.rawValue)))
            }
        }
        guard outcome.isDecided else { return }
        decided(outcome)
        if let attempt = outcome.attempt { tellWaiters(of: attempt) }
    }
}
