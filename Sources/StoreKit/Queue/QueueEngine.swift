import CrashPoints
import Dispatch
import Foundation
import StoreModel
import StoreWire
import Synchronization

/// Carries out what `QueueState` decides: journal, sheet, store, receipt, observers.
///
/// Events are handled one after another on a queue of its own, which also writes the journal. Work
/// that waits for the customer or for the store has queues of its own. Only creating the engine
/// reads the home folder on the caller's thread, usually the main one; after that, nothing waits
/// there.
final class QueueEngine: Sendable {
    /// The parts of a queue with a store.
    struct Parts: Sendable {
        let connection: StoreConnection
        let home: HomeFolder
        let sheet: any PaymentSheet
        let retries: Retries
    }

    let parts: Result<Parts, FailureReason>
    /// Why the app may begin nothing now; nil when it may.
    let objection: @Sendable () -> FailureReason?
    let board: TransactionBoard
    let audience: Audience
    /// Calls of the app's code.
    let calls: AppCalls
    let clock: WallClock
    /// The app's side; weak, since it owns the engine.
    let appQueue = Mutex(WeakQueue())

    let lanes: Lanes
    let events: DispatchQueue
    let sheets: DispatchQueue
    let courier: DispatchQueue
    let receipts: DispatchQueue
    /// Receipts that the app asks for.
    let refreshes: DispatchQueue
    let finishes: DispatchQueue
    let restores: DispatchQueue
    private let state: Mutex<QueueState>
    let isLaunched = Mutex(false)
    /// Actions that wait for somebody who wants them.
    let parked = Mutex<[QueueAction]>([])
    /// Finishes that wait for their account to sign in.
    let heldFinishes = Mutex<Set<TransactionName>>([])
    /// Purchases whose receipt waits for their account to sign in.
    let heldReceipts = Mutex<[HeldReceipt]>([])
    /// Held while a receipt is fetched: the next caller finds it in the file, so a finish and the
    /// news of it do not fetch the same receipt twice.
    let fetching = Mutex(())
    /// The receipt that came with the newest answer to an attempt, until it is on disk.
    let sent = Mutex<SentReceipt?>(nil)
    /// The revision that the receipt file is being brought to without a purchase waiting for it.
    let refresh = Mutex<Refresh?>(nil)
    /// Whether the journal may be waiting for a world that only the store can name.
    private let mustLearnWorld = Mutex(false)
    /// The storefronts of unapproved payments when the app was last asked, or when they were added.
    let storefronts = Mutex<[QueueKey: String]>([:])
    /// The newest moves missing from the device's record because it could not be written.
    let unsavedMoves = Mutex<[Customer: StorefrontMove]>([:])
    let listener: UpdatesListener?
    /// Signed purchases; nil without a store.
    let feed: SignedFeed?
    /// Set once, when there is a store.
    let downloads = Mutex<DownloadEngine?>(nil)
    let watch: HomeWatch

    struct WeakQueue {
        weak var queue: SKPaymentQueue?
    }

    init(
        parts: Result<Parts, FailureReason>, clock: WallClock = .system,
        calls: AppCalls = AppCalls(), lanes: Lanes = Lanes(),
        objection: @escaping @Sendable () -> FailureReason? = { nil }
    ) {
        self.objection = objection
        self.lanes = lanes
        events = DispatchQueue(label: "StoreKit.events", target: lanes.journal)
        sheets = DispatchQueue(label: "StoreKit.sheet", target: lanes.calls)
        courier = DispatchQueue(label: "StoreKit.courier", target: lanes.calls)
        receipts = DispatchQueue(label: "StoreKit.receipt", target: lanes.calls)
        refreshes = DispatchQueue(label: "StoreKit.receiptRefresh", target: lanes.calls)
        finishes = DispatchQueue(label: "StoreKit.finish", target: lanes.calls)
        restores = DispatchQueue(label: "StoreKit.restore", target: lanes.calls)
        watch = HomeWatch(lanes: lanes)
        self.clock = clock
        self.calls = calls
        board = TransactionBoard(calls: calls)
        audience = Audience(observers: board.observers)
        switch parts {
        case .failure:
            self.parts = parts
            listener = nil
            feed = nil
            state = Mutex(QueueState(deviceGuid: "", world: nil))
        case .success(let usable):
            do {
                var initial = QueueState(
                    deviceGuid: try usable.connection.guid(),
                    world: usable.connection.session?.worldId,
                    present: usable.connection.customer)
                initial.failsEmptyRestore = usable.connection.configuration.failsEmptyRestore
                state = Mutex(initial)
                self.parts = parts
                let feed = SignedFeed(
                    connection: usable.connection, home: usable.home, lanes: lanes)
                self.feed = feed
                listener = UpdatesListener(
                    connection: usable.connection, retries: usable.retries, feed: feed,
                    lanes: lanes)
            } catch {
                Diagnostic.sayOnce("\(error)")
                state = Mutex(QueueState(deviceGuid: "", world: nil))
                self.parts = .failure(FailureReason(.paymentNotAllowed, "\(error)"))
                listener = nil
                feed = nil
            }
        }
        listener?.attach(self)
        feed?.attach(self)
        if case .success(let usable) = self.parts {
            downloads.withLock { $0 = makeDownloads(usable) }
            board.begin(inStorefront: usable.connection.session?.storefrontIdentifier)
            usable.connection.hearOfSessions { [weak self] customer, worldId in
                self?.sessionChanged(customer, worldId)
            }
        }
    }

    /// The parts for what the app begins now.
    var usable: Result<Parts, FailureReason> { objection().map { .failure($0) } ?? parts }

    var queue: SKPaymentQueue? { appQueue.withLock { $0.queue } }

    /// Reads the queue's current state.
    func look<Answer>(_ body: (QueueState) -> Answer) -> Answer { state.withLock { body($0) } }

    func attach(_ queue: SKPaymentQueue) {
        let box = UncheckedBox(queue)
        appQueue.withLock { $0.queue = box.value }
    }

    /// The same, unless a queue is already attached.
    func attachIfAlone(_ queue: SKPaymentQueue) {
        let box = UncheckedBox(queue)
        appQueue.withLock { if $0.queue == nil { $0.queue = box.value } }
    }

    /// Accepts an event; its consequences happen on other threads.
    func handle(_ event: QueueEvent) {
        events.async { self.handleNow(event) }
    }

    /// The same, on the events' own queue.
    func handleNow(_ event: QueueEvent) {
        dispatchPrecondition(condition: .onQueue(events))
        noteChange(by: event)
        let actions = state.withLock { $0.apply(event) }
        for action in actions { perform(action) }
        tellPriceMessages()
        switch event {
        case .listed(_, _, let customer): sweepDownloads(of: customer)
        case .updates(let updates, _, let customer) where StorefrontMove(updates) == nil:
            saveMove(of: customer)
        default: break
        }
    }

    // MARK: - Launch

    func launch(_ parts: Parts) {
        let journal = Journal(home: parts.home)
        var contents = journal.contents(of: parts.connection.configuration.scope)
        contents.attempts = journal.claim(contents.attempts)
        let world = parts.connection.session?.worldId
        let mayWait =
            !contents.finishes.isEmpty
            || contents.attempts.contains { record in
                if case .approved = record.stage { return true }
                return record.worldId != nil && record.worldId != world
            }
        mustLearnWorld.withLock { $0 = mayWait }
        handleNow(.journalLoaded(contents.attempts, contents.finishes))
        askAfterRedemptions(parts)
    }

    /// Whether to ask the store for its world even though no account is signed in.
    var asksForWorld: Bool { mustLearnWorld.withLock { $0 } }

    /// A different customer or world than before: records that waited for them continue.
    private func sessionChanged(_ customer: Customer?, _ worldId: String) {
        if case .success(let parts) = parts, let session = parts.connection.session {
            noteStorefront(ofFirst: session)
            tell(storefront: session)
        }
        handle(.worldMet(worldId))
        if let customer {
            handle(.signedIn(customer))
        } else {
            handle(.signedOut(worldId: worldId))
        }
        releaseFinishes()
        guard let customer else { return }
        handleDownload(.signedIn(customer))
        releaseReceipts(of: customer)
        if isLaunched.withLock({ $0 }) { listener?.start() }
    }

    // MARK: - Actions

    func perform(_ action: QueueAction) {
        switch action {
        case .tell(let news): tell(news)
        case .dropDownload(let name): downloads.withLock { $0 }?.drop(name)
        case .tellRemoved(let keys): board.tellRemoved(keys, queue: queue)
        case .hide(let keys): board.hide(keys)
        case .say(let sentence): Diagnostic.say(sentence)
        case .writeAttempt(let item): write(item)
        case .forgetAttempt(let attemptId): forget(attemptId)
        case .writeFinish(let key, let name, let customer): writeFinish(key, name, customer)
        case .showSheet(let item): showSheet(item)
        case .post(let item, let tries): post(item, tries)
        case .askForList: listener?.start()
        // Observers who come later begin with a list, which asks for the receipt again.
        case .bringReceipt([], _, _) where audience.hasListeners && !audience.wants(action): break
        case .bringReceipt([], let revision, let customer): refreshReceipt(to: revision, customer)
        case .bringReceipt where audience.hasListeners && park(action): break
        case .bringReceipt(let keys, let revision, let customer):
            bringReceipt(HeldReceipt(keys: keys, revision: revision, customer: customer), tries: 0)
        case .bringReceiptWithout(let revoked, let revision, let customer):
            bringReceipt(
                HeldReceipt(keys: [], revision: revision, customer: customer, revoked: revoked),
                tries: 0)
        case .bringSigned(let keys, let customer): bringSigned(keys, customer, tries: 0)
        case .changeStorefront(let move, let customer, let keys):
            changeStorefront(move, customer, asking: keys)
        case .sendFinish(let name): sendFinish(name, tries: 0)
        case .finishUnlisted(let name, let customer): finishUnlisted(name, customer)
        case .showRestoreSheet(let restoreId): showRestoreSheet(restoreId)
        case .askToRestore(let question, let customer): askToRestore(question, customer)
        case .tellRestoreEnded(let reason): board.tellRestoreEnded(reason, queue: queue)
        case .offerPriceConsents(let numbers): offerPriceConsents(numbers)
        case .showPriceConsent(let consent): showPriceConsent(consent)
        }
    }

    private func write(_ item: QueueItem, tries: Int = 0) {
        let isNew = item.stage == .writing(wasApproved: false)
        if isNew, case .failure(let reason) = usable {
            return handleNow(.attemptRefused(item.key, reason))
        }
        guard case .success(let parts) = parts else { return }
        if isNew, let reason = parts.connection.simulation.paymentFailure {
            return handleNow(.attemptRefused(item.key, reason))
        }
        guard let record = item.record(scope: parts.connection.configuration.scope) else { return }
        do {
            try Journal(home: parts.home).write(record)
        } catch {
            if tries == 0 { Diagnostic.say("\(error)") }
            return notWritten(item, record, error, tries: tries + 1)
        }
        switch record.stage {
        case .written:
            CrashPoint.deviceAttemptWritten.reach()
            handleNow(.attemptWritten(item.key))
        case .approved:
            CrashPoint.deviceAttemptApproved.reach()
            handleNow(.approvalWritten(item.key))
        case .failed: break
        }
    }

    /// The journal refused a record, or took it without a guarantee to keep it.
    private func notWritten(
        _ item: QueueItem, _ record: AttemptRecord, _ error: any Error, tries: Int
    ) {
        let reason = FailureReason(.unknown, "The payment cannot be saved: \(error)")
        switch record.stage {
        case .written:
            // An earlier approval that cannot be withdrawn is posted by the next launch.
            if item.stage == .writing(wasApproved: true),
                !forget(record.attemptId, says: tries == 1)
            {
                return writeLater(item.key, tries: tries)
            }
            handleNow(.attemptRefused(item.key, reason))
        case .approved:
            // A failure may be reported only when no approval is left for the next launch to post.
            let isForgotten = forget(record.attemptId)
            handleNow(
                isForgotten
                    ? .attemptRefused(item.key, reason) : .approvalUncertain(item.key))
        case .failed: forget(record.attemptId)
        }
    }

    /// Tries again later, when the disk may have recovered.
    private func writeLater(_ key: QueueKey, tries: Int) {
        guard case .success(let parts) = parts else { return }
        let delay = parts.retries.delayMilliseconds(afterTries: tries)
        events.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            guard let self, let item = look({ $0.items[key] }), case .writing = item.stage
            else { return }
            write(item, tries: tries)
        }
    }

    @discardableResult private func forget(_ attemptId: String, says: Bool = true) -> Bool {
        guard case .success(let parts) = parts else { return true }
        do {
            try Journal(home: parts.home).removeAttempt(attemptId)
            return true
        } catch {
            if says { Diagnostic.say("\(error)") }
            return false
        }
    }

    private func writeFinish(_ key: QueueKey, _ name: TransactionName, _ customer: Customer?) {
        handleNow(journalFinish(name, customer) ? .finishWritten(key) : .finishNotWritten(key))
    }

    /// Writes a finish; false when the journal refuses it.
    func journalFinish(_ name: TransactionName, _ customer: Customer?) -> Bool {
        guard case .success(let parts) = parts else { return false }
        CrashPoint.deviceFinishCalled.reach()
        let record = FinishRecord(
            transactionId: name.transactionId, scope: parts.connection.configuration.scope,
            worldId: customer?.worldId, account: customer?.account, attemptId: name.attemptId)
        do {
            try Journal(home: parts.home).write(record)
        } catch {
            Diagnostic.say("\(error)")
            return false
        }
        if let customer, let id = UInt64(name.transactionId) {
            feed?.library.finished(id, of: customer)
        }
        CrashPoint.deviceFinishWritten.reach()
        return true
    }
}
