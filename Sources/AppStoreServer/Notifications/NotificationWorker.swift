import CrashPoints
import Dispatch
import StoreCaller
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import Synchronization

/// Signs a world's notifications and delivers them to apps' servers, for as long as the world is
/// open.
///
/// The file says everything: however it was stopped, it resumes with what is unsigned and due, and
/// sends what it had sent and not noted once more, with the same bytes.
final class NotificationWorker: Sendable {
    private struct State {
        var lines: [AppPlace: NotificationLine] = [:]
        /// The callers that wait for a turn that begins after their call, and those that wait
        /// until all that is due was attempted.
        var waiting: [@Sendable () -> Void] = []
        var atRest: [@Sendable () -> Void] = []
        var isClosed = false
    }

    /// Notifications signed in one commit, and fetched for sending at once.
    private static let batchMax = 256
    /// How long a notification rests whose attempt could not be noted.
    private static let troubleMilliseconds = 2_000

    private let state = Mutex(State())
    /// Used by turns, which never overlap.
    private let unsignable = Mutex(UnsignableNotifications())
    private let sweep: NotificationSweep
    private let database: Database
    private let time: WorldTime
    private let signers: WorldSigners
    private let caller: CallerLoop
    private let log: Log
    private let loop = DueLoop("bodega.notifications")
    private let sending = DispatchQueue(label: "bodega.notifications.send")

    init(
        database: Database, time: WorldTime, signers: WorldSigners, caller: CallerLoop, log: Log
    ) {
        self.database = database
        self.time = time
        self.signers = signers
        self.caller = caller
        self.log = log
        sweep = NotificationSweep(database: database, time: time)
        loop.start { [weak self] in self?.turn() ?? .untilWoken }
    }

    /// Looks for notifications; called when some were stored, an address was set, or the clock was.
    func wake() {
        loop.wake()
    }

    /// Starts nothing more; the outcome of calls under way is not noted.
    func close() {
        loop.stop()
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { (state.atRest, state.waiting) = ([], []) }
            return state.atRest + state.waiting
        }
        for body in waiting { body() }
    }

    /// Calls once all that is due now was attempted, or after some time.
    func afterAttempts(milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        let once = OneCall(body)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.waiting.append { once.call() } }
            return state.isClosed
        }
        if isClosed { return once.call() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            once.call()
        }
        wake()
    }

    private func turn() -> DueLoop.Next {
        state.withLock { state in
            state.atRest += state.waiting
            state.waiting = []
        }
        do {
            var place = unsignable.withLock { $0.begin(at: time.real()) }
            var next: DueLoop.Next
            // Each batch is sent before the next one is signed: while more comes and comes, nothing
            // waits for the last.
            repeat {
                place = try sign(after: place)
                next = try fetch()
            } while place != nil && !loop.isStopped
            endWaiting()
            next = unsignable.withLock { [next] in $0.end(next, at: time.real()) }
            // Sweeps when all else is done.
            if !loop.isStopped, try sweep.step() { return .turn }
            return next
        } catch {
            log.event(StoreEvent.notificationsFailed, ("why", .text("\(error)")))
            return .failed
        }
    }

    // MARK: - Signing

    /// Signs the oldest of those that are unsigned after a place, in one commit; returns the last one
    /// if there may be more.
    private func sign(after place: NotificationNumber?) throws -> NotificationNumber? {
        let found = try database.read { scope in
            try scope.unsignedNotifications(
                after: place ?? NotificationNumber(0), countMax: Self.batchMax)
        }
        guard let last = found.last else { return nil }
        CrashPoint.storeNotificationStored.reach()
        var signed: [NotificationSignatures] = []
        for one in found {
            do {
                signed.append(try one.signed(by: signers))
            } catch  where !DatabaseError.isPassing(error) {
                let isNew = unsignable.withLock { $0.add(one.number) }
                if isNew {
                    log.event(
                        StoreEvent.notificationUnsigned,
                        ("notification", .number(one.number.rawValue)), ("why", .text("\(error)")))
                }
            }
        }
        if !signed.isEmpty { try database.write { [signed] in try $0.keep(signed) } }
        unsignable.withLock { $0.passed(last.number) }
        CrashPoint.storeNotificationSigned.reach()
        return found.count == Self.batchMax ? last.number : nil
    }

    // MARK: - Sending

    /// Fills the lines with what is due, and says when more is.
    private func fetch() throws -> DueLoop.Next {
        let now = time.now()
        var next: Timestamp?
        let targets = try database.read { try $0.notificationTargets() }
        let known = Set(targets.map(\.place))
        state.withLock { state in
            for place in state.lines.keys where !known.contains(place) {
                state.lines[place]?.drop()
                if state.lines[place]?.isIdle == true { state.lines[place] = nil }
            }
        }
        for target in targets {
            let wanted = state.withLock { state -> Set<NotificationNumber>? in
                state.lines[target.place, default: NotificationLine(target)].target = target
                return state.lines[target.place]?.beginFetch()
            }
            if let held = wanted {
                let found = try database.read { scope in
                    try scope.dueNotifications(
                        to: target.place, until: now, except: held, countMax: Self.batchMax)
                }
                state.withLock { state in
                    state.lines[target.place]?.add(found, mayBeMore: found.count == Self.batchMax)
                }
                sending.async { self.send(to: target.place) }
            }
            guard case .real = time.current.clock else { continue }
            let later = try database.read {
                try $0.nextNotificationDue(to: target.place, after: now)
            }
            if let later { next = min(next ?? later, later) }
        }
        return next.map { .rest(milliseconds: $0.milliseconds - now.milliseconds) } ?? .untilWoken
    }

    private func endWaiting() {
        let waiting = state.withLock { state in
            guard state.lines.values.allSatisfy(\.isIdle) else {
                return [] as [@Sendable () -> Void]
            }
            defer { state.atRest = [] }
            return state.atRest
        }
        for body in waiting { body() }
    }

    /// Starts as many calls as the line has room for; on the queue for sending.
    private func send(to place: AppPlace) {
        while true {
            let next = state.withLock { state -> (NotificationTarget, DueNotification)? in
                guard !state.isClosed, let sent = state.lines[place]?.take(),
                    let target = state.lines[place]?.target
                else { return nil }
                return (target, sent)
            }
            guard let (target, sent) = next else { return }
            send(sent, to: target)
        }
    }

    private func send(_ sent: DueNotification, to target: NotificationTarget) {
        if target.disorder?.drops(sent.number, attempt: sent.attempts + 1) == true {
            return note(.noResponse, of: sent, to: target)
        }
        guard let body = sent.text.requestBody(password: target.password) else {
            return note(.other, of: sent, to: target)
        }
        let request = target.request(with: body)
        caller.send(request) { [weak self] answer in
            CrashPoint.storeNotificationSent.reach()
            self?.answered(answer, request, sent, target)
        }
    }

    private func answered(
        _ answer: Result<CallerResponse, CallerError>, _ request: CallerRequest,
        _ sent: DueNotification, _ target: NotificationTarget
    ) {
        switch answer {
        case .success(let response):
            let result = SendAttemptResult(response, sent.text.version)
            guard result == .success, target.disorder?.duplicates(sent.number) == true else {
                return note(result, of: sent, to: target, status: response.status)
            }
            // The copy's outcome is of no interest.
            caller.send(request) { [weak self] _ in
                self?.note(result, of: sent, to: target, status: response.status)
            }
        case .failure(let error):
            guard let result = SendAttemptResult(error) else { return }
            note(result, of: sent, to: target, why: error)
        }
    }

    private func note(
        _ result: SendAttemptResult, of sent: DueNotification, to target: NotificationTarget,
        status: Int? = nil, why: CallerError? = nil
    ) {
        if result != .success {
            var log = log.adding("notification", .number(sent.number.rawValue))
            if let status { log = log.adding("status", .number(Int64(status))) }
            if let why { log = log.adding("why", .text("\(why)")) }
            log.event(StoreEvent.notificationUndelivered, ("result", .text(result.rawValue)))
        }
        // An attempt is dated when it was due, however late it was made.
        let attempt = SendAttempt(at: sent.dueAt, result: result)
        let next =
            result == .success
            ? nil
            : NotificationSchedule.next(
                after: sent.attempts + 1, at: retriesCount(from: sent.dueAt), sent.text.version,
                in: target.environment)
        database.write { [time] scope in
            let isMore = try scope.note(attempt, of: sent, next: next)
            if target.disorder != nil {
                try scope.releaseNotifications(
                    behind: sent.number, at: target.place, now: time.now())
            }
            return isMore
        } then: { [weak self] outcome in
            guard let self else { return }
            do {
                let isMore = try outcome.get()
                CrashPoint.storeNotificationNoted.reach()
                sending.async { self.end(sent, at: target.place, isMore: isMore) }
            } catch {
                log.event(StoreEvent.notificationsFailed, ("why", .text("\(error)")))
                // Keeps it from being sent again and again while nothing can be stored.
                sending.asyncAfter(deadline: .now() + .milliseconds(Self.troubleMilliseconds)) {
                    self.end(sent, at: target.place, isMore: true)
                }
            }
        }
    }

    /// From when the time to the next attempt counts. With a running clock that is when this one was
    /// made: after the store was stopped for days, not all that are left follow at once.
    private func retriesCount(from dueAt: Timestamp) -> Timestamp {
        switch time.current.clock {
        case .held: dueAt
        case .real: max(dueAt, time.now())
        }
    }

    /// Forgets what was fetched for an address that is gone; after the commit that removed it.
    func forget(_ place: AppPlace) {
        state.withLock { $0.lines[place]?.drop() }
    }

    private func end(_ sent: DueNotification, at place: AppPlace, isMore: Bool) {
        let isWanted = state.withLock { state in
            state.lines[place]?.end(sent, mayBeMore: isMore)
            guard let line = state.lines[place] else { return false }
            return line.wantsMore || (line.isIdle && !state.atRest.isEmpty)
        }
        if isWanted { wake() }
        send(to: place)
    }
}

/// Calls a body once, whoever is first, and releases it then.
private final class OneCall: Sendable {
    private struct Body {
        let call: @Sendable () -> Void
    }

    private let body: Mutex<Body?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Mutex(Body(call: body))
    }

    func call() {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?.call()
    }
}
