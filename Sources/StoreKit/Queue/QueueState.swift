import StoreWire

/// The queue's knowledge, and the rules by which it changes: an event goes in, actions come out.
///
/// It never waits and has no side effects, so that each rule can be tested by itself.
struct QueueState: Sendable {
    /// The maximum number of sheets for one payment when sign-ins do not last.
    static let sheetRoundsMax = 4

    /// This device's own identifier, which distinguishes its purchases from other devices'.
    let deviceGuid: String
    /// The world of the newest session; nil before the first one.
    var world: String?
    /// The customer who is signed in, as far as known.
    var present: Customer?
    var items: [QueueKey: QueueItem] = [:]
    /// Every transaction that this process has learned of, including finished ones.
    var keysByTransaction: [TransactionName: QueueKey] = [:]
    /// From reading the journal until the store's list has arrived or failed.
    var isLaunching = false
    /// Attempts of the journal whose first post has not been answered.
    var launchPosts: Set<QueueKey> = []
    /// Attempts that were decided while they were being posted.
    var decidedMeanwhile: Set<QueueKey> = []
    /// The items of attempts that replaced a refused one.
    var laterAttempts: [String: QueueKey] = [:]
    /// What observers are told together at the end of the launch.
    var launchBatch: [QueueKey] = []
    /// Restores in the order they were requested; the first is in progress.
    var restores: [RestoreRun] = []
    /// Whether a restore that finds nothing fails.
    var failsEmptyRestore = false
    /// Prices that wait for an answer, by the store's number.
    var priceConsents: [Int64: PendingPriceConsent] = [:]

    /// Applies one event and gives the required actions, in order.
    mutating func apply(_ event: QueueEvent) -> [QueueAction] {
        switch event {
        case .journalLoaded(let attempts, let finishes): loaded(attempts, finishes)
        case .paymentAdded(let attemptId, let payment, let moment, let isForCaller):
            added(attemptId, payment, moment, isForCaller)
        case .attemptWritten(let key): attemptWritten(key)
        case .attemptRefused(let key, let reason):
            items[key] == nil ? [] : fail(key, reason, isJournalled: false)
        case .sheetEnded(let key, let outcome): sheetEnded(key, outcome)
        case .approvalWritten(let key): approvalWritten(key, isDoubtful: false)
        case .approvalUncertain(let key): approvalWritten(key, isDoubtful: true)
        case .answered(let key, let outcome): answered(key, outcome)
        case .signedIn(let customer): signedIn(customer)
        case .signedOut(let worldId): signedOut(worldId)
        case .worldMet(let worldId): worldMet(worldId)
        case .transactionReceiptsCame(let receipts): transactionReceiptsCame(receipts)
        case .receiptReady(let keys): receiptReady(keys) + restoredTold(keys)
        case .receiptsLate(let keys): restoredLate(keys)
        case .listed(let transactions, let revision, let customer):
            listed(transactions, revision, customer)
        case .listFailed: endLaunch().map { [.tell($0)] } ?? []
        case .updates(let updates, let revision, let customer):
            updated(updates, revision, customer) + news(updates, revision, customer)
                + priceConsentNews(updates, customer)
        case .notContinued(let key): notContinued(key)
        case .finishCalled(let key): finishCalled(key)
        case .finishNamed(let name, let customer): finishNamed(name, customer)
        case .finishWritten(let key): finishWritten(key)
        case .finishNotWritten(let key): finishNotWritten(key)
        case .finishSent(let name), .finishPutOff(let name): finishLeft(name)
        case .finishRefused(let name): finishRefused(name)
        case .restoreCalled(let restoreId, let username): restoreCalled(restoreId, username)
        case .restoreSheetEnded(let restoreId, let outcome): restoreSheetEnded(restoreId, outcome)
        case .restoredCame(let restoreId, let page, let customer):
            restoredCame(restoreId, page, customer)
        case .restoreFailed(let restoreId, let reason): restoreFailed(restoreId, reason)
        case .priceConsentsListed(let bodies, let customer): priceConsentsListed(bodies, customer)
        case .priceConsentAllowed(let numbers, let isAllowed):
            priceConsentAllowed(numbers, isAllowed)
        case .codeRedeemed(let redeemed): codeRedeemed(redeemed)
        case .priceConsentWanted: priceConsentWanted()
        case .priceConsentSheetEnded(let number, let isAnswered):
            priceConsentSheetEnded(number, isAnswered: isAnswered)
        }
    }

    // MARK: - Buying

    private mutating func added(
        _ attemptId: String, _ payment: PaymentContents, _ moment: Int64, _ isForCaller: Bool
    ) -> [QueueAction] {
        let key = QueueKey(attemptId: attemptId)
        var item = QueueItem(
            key: key, attemptId: attemptId, deviceGuid: deviceGuid, madeAtMilliseconds: moment,
            payment: payment, stage: .writing(wasApproved: false), presented: .purchasing)
        item.isForCaller = isForCaller
        item.worldBefore = world
        items[key] = item
        return [.tell([update(of: item)]), .writeAttempt(item)]
    }

    private mutating func attemptWritten(_ key: QueueKey) -> [QueueAction] {
        guard var item = items[key], case .writing = item.stage else { return [] }
        item.stage = .atSheet
        items[key] = item
        return [.showSheet(item)]
    }

    private mutating func sheetEnded(
        _ key: QueueKey, _ outcome: SheetFlow.Outcome
    ) -> [QueueAction] {
        guard var item = items[key], item.stage == .atSheet else { return [] }
        switch outcome {
        case .approved(let customer, let shownPrice):
            item.stage = .approving(customer)
            item.customer = customer
            item.terms = AttemptTerms(
                shownPrice: shownPrice,
                simulatesAskToBuy: item.payment.simulatesAskToBuyInSandbox)
            items[key] = item
            return [.writeAttempt(item)]
        case .ended(let reason): return fail(key, reason)
        }
    }

    /// An approval that the journal may hold is doubtful as soon as it is posted: it is never
    /// reported as failed before the store has decided.
    private mutating func approvalWritten(
        _ key: QueueKey, isDoubtful: Bool
    ) -> [QueueAction] {
        guard var item = items[key], case .approving(let customer) = item.stage else { return [] }
        item.stage = .sending(customer, tries: 0, isDoubtful: isDoubtful)
        items[key] = item
        return [.post(item, tries: 0)]
    }

    /// Ends a payment without a purchase. The failure stays in the journal until the app finishes
    /// it; a caller is told once, and finishes nothing.
    mutating func fail(
        _ key: QueueKey, _ reason: FailureReason, isJournalled: Bool = true
    ) -> [QueueAction] {
        guard var item = items[key] else { return [] }
        item.stage = .failed
        item.isAway = false
        item.worldBefore = item.worldBefore ?? world
        item.presented = .failed(reason)
        if item.isForCaller {
            items[key] = nil
            let forgotten = item.attemptId.map { [QueueAction.forgetAttempt(attemptId: $0)] } ?? []
            return forgotten + [.tell([update(of: item)])]
        }
        items[key] = item
        return (isJournalled ? [.writeAttempt(item)] : []) + tellOrBatch([key])
    }

    // MARK: - Telling

    func update(of item: QueueItem) -> QueueAction.Update {
        QueueAction.Update(
            key: item.key, payment: item.payment, presented: item.presented,
            isForCaller: item.isForCaller, offer: item.offer)
    }

    /// Brings what must be on the device before anybody is told of purchases.
    func bring(_ keys: [QueueKey], _ revision: Int64, _ customer: Customer) -> [QueueAction] {
        let called = keys.filter { items[$0]?.isForCaller == true }
        let observed = keys.filter { items[$0]?.isForCaller != true }
        return (called.isEmpty ? [] : [.bringSigned(called, customer)])
            + (observed.isEmpty && !called.isEmpty
                ? [] : [.bringReceipt(observed, revision: revision, customer)])
    }

    /// Reports items, or keeps the journal's items for the one call at the end of the launch.
    mutating func tellOrBatch(_ keys: [QueueKey]) -> [QueueAction] {
        var now: [QueueAction.Update] = []
        for key in keys {
            guard let item = items[key], !item.isAway || item.isForCaller else { continue }
            if isLaunching, item.isFromJournal {
                if !launchBatch.contains(key) { launchBatch.append(key) }
            } else {
                items[key]?.isFromJournal = false
                now.append(update(of: item))
            }
        }
        return now.isEmpty ? [] : [.tell(now)]
    }

    /// Ends the launch and gives the updates kept for it; nil when there are none.
    mutating func endLaunch() -> [QueueAction.Update]? {
        isLaunching = false
        // An item that has changed since then was reported by itself.
        let batch = launchBatch.compactMap { items[$0] }.filter(\.isFromJournal)
        for item in batch { items[item.key]?.isFromJournal = false }
        launchBatch = []
        return batch.isEmpty ? nil : batch.map(update)
    }
}
