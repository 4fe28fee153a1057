import Foundation
import StoreModel
import StoreWire

// How the store's answers change the queue.
extension QueueState {
    mutating func answered(_ key: QueueKey, _ outcome: PostOutcome) -> [QueueAction] {
        let isDecided = decidedMeanwhile.remove(key) != nil
        guard var item = items[key],
            case .sending(let customer, let tries, let isDoubtful) = item.stage
        else { return launchPostAnswered(key) }
        let actions: [QueueAction]
        switch outcome {
        case .done(let transaction, let revision, let receipt):
            actions = done(item, transaction, revision, receipt, customer)
        case .refused(let reason):
            actions = fail(key, reason)
        case .rejected(let reason):
            actions = isDoubtful ? hold(item, customer, reason.sentence) : fail(key, reason)
        case .signedOut:
            actions =
                isDoubtful
                ? hold(
                    item, customer, "Sign in as \(customer.account) to learn the outcome.")
                : askAgain(item)
        case .otherWorld:
            actions = isDoubtful ? setAside(item, customer) : askAgain(item)
        case .priceChanged(let nextAttemptId):
            actions = showAgain(item, nextAttemptId)
        case .deferred:
            actions = deferred(item, customer, isDecided: isDecided)
        case .pending, .lost:
            item.stage = .sending(customer, tries: tries + 1, isDoubtful: true)
            items[key] = item
            actions =
                (item.isFromJournal ? tellOrBatch([key]) : []) + [.post(item, tries: tries + 1)]
        }
        return actions + launchPostAnswered(key)
    }

    /// Posts held payments of these customers again.
    mutating func postHeld(_ isWanted: (Customer) -> Bool) -> [QueueAction] {
        inOrder.compactMap { held in
            guard case .held(let customer) = held.stage, isWanted(customer) else { return nil }
            var item = held
            item.stage = .sending(customer, tries: 0, isDoubtful: true)
            items[item.key] = item
            return .post(item, tries: 0)
        }
    }

    mutating func receiptReady(_ keys: [QueueKey]) -> [QueueAction] {
        // An item of the journal waited for this call, and not for a receipt.
        var news = isLaunching ? [] : endLaunch() ?? []
        var forgotten: [QueueAction] = []
        for key in keys {
            guard var item = items[key], case .receiving(let id) = item.stage else { continue }
            item.stage = .settled(transactionId: id)
            // The store lists a purchase until it is finished; only the journal knows an answer.
            if let attemptId = item.attemptId, !item.isAnswerOnly || item.isForCaller {
                forgotten.append(.forgetAttempt(attemptId: attemptId))
            }
            item.isFromJournal = false
            items[key] = item
            if !item.isAway || item.isForCaller { news.append(update(of: item)) }
        }
        return forgotten + (news.isEmpty ? [] : [.tell(news)])
    }

    // MARK: -

    private mutating func done(
        _ item: QueueItem, _ transaction: TransactionBody, _ revision: Int64, _ receipt: Data?,
        _ customer: Customer
    ) -> [QueueAction] {
        let name = TransactionName(
            worldId: customer.worldId, transactionId: transaction.transactionId)
        var item = item
        // A customer who chose another plan for the next renewal gets the current period as an
        // answer: the app is told of a purchase with its number, as from Apple's queue, whoever
        // finished the period.
        item.isAnswerOnly = transaction.attemptId != item.attemptId
        if item.isForCaller {
            bought(item, transaction, revision, customer)
            return bring([item.key], revision, customer)
        }
        let isOver = transaction.isFinished == true
        let isKnown = keysByTransaction[name] != nil
        if isOver, !item.isAnswerOnly { keysByTransaction[name] = item.key }
        // The list that follows a launch's posts contains a purchase, unless it was finished
        // elsewhere.
        if isOver || !item.isAnswerOnly && (isKnown || launchPosts.contains(item.key)) {
            items[item.key] = nil
            launchBatch.removeAll { $0 == item.key }
            let forgotten = item.attemptId.map { [QueueAction.forgetAttempt(attemptId: $0)] } ?? []
            return item.isFromJournal ? forgotten : forgotten + [.tellRemoved([item.key])]
        }
        bought(item, transaction, revision, customer, receipt: receipt)
        return [.bringReceipt([item.key], revision: revision, customer)]
    }

    /// Records that an item became a transaction whose receipt must be fetched.
    mutating func bought(
        _ item: QueueItem, _ transaction: TransactionBody, _ revision: Int64,
        _ customer: Customer, receipt: Data? = nil
    ) {
        var item = item
        let id = transaction.transactionId
        // Observers are told when the receipt is there, not with the launch.
        launchBatch.removeAll { $0 == item.key }
        item.customer = customer
        item.receiptRevision = revision
        item.stage = .receiving(transactionId: id)
        item.presented = Self.presented(transaction, receipt: receipt)
        // An answer leaves the number and the content to the transaction itself.
        if !item.isAnswerOnly {
            item.offer = DownloadOffer(transaction, of: item.key, customer)
            let name = TransactionName(worldId: customer.worldId, transactionId: id)
            keysByTransaction[name] = item.key
        }
        items[item.key] = item
    }

    static func purchase(
        _ id: String, at time: Timestamp, receipt: Data? = nil
    ) -> PresentedState.Purchase {
        PresentedState.Purchase(
            transactionIdentifier: id,
            date: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000),
            receipt: receipt.map { .brought($0) })
    }

    /// A payment that may have been bought is never reported as failed: it waits.
    private mutating func hold(
        _ item: QueueItem, _ customer: Customer, _ sentence: String
    ) -> [QueueAction] {
        items[item.key]?.stage = .held(customer)
        let say = QueueAction.say(
            "an approved payment for \(item.payment.productIdentifier) waits. \(sentence)")
        return [say] + (item.isFromJournal ? tellOrBatch([item.key]) : []) + freeCaller(of: item)
    }

    /// A caller does not wait for an account or a world to return: what becomes of the payment, the
    /// sequences tell.
    private mutating func freeCaller(of item: QueueItem) -> [QueueAction] {
        guard item.isForCaller, let held = items[item.key] else { return [] }
        items[item.key]?.presented = .deferred
        var told = held
        told.presented = .deferred
        return [.tell([update(of: told)])]
    }

    /// Holds a payment until its world returns; one of an earlier process waits silently.
    private mutating func setAside(_ item: QueueItem, _ customer: Customer) -> [QueueAction] {
        items[item.key]?.stage = .held(customer)
        if item.isFromJournal { return [] }
        return freeCaller(of: item) + [
            .say(
                "an approved payment for \(item.payment.productIdentifier) waits: the store at "
                    + "this address is not the one it was sent to.")
        ]
    }

    /// Nothing was bought yet, so the customer can simply sign in again.
    ///
    /// The approval leaves the journal before the sheet is shown: it must not be posted until the
    /// customer has answered again. It is removed first, since a full disk accepts nothing new.
    private mutating func askAgain(_ unsent: QueueItem) -> [QueueAction] {
        var item = unsent
        item.sheetRounds += 1
        guard item.sheetRounds < Self.sheetRoundsMax else {
            return fail(item.key, FailureReason(.unknown, "Signing in did not last; try again."))
        }
        let wasAway = item.isAway
        item.stage = .writing(wasApproved: true)
        item.customer = nil
        item.terms = nil
        item.isAway = false
        item.worldBefore = world
        items[item.key] = item
        let forgotten = item.attemptId.map { [QueueAction.forgetAttempt(attemptId: $0)] } ?? []
        return (wasAway ? [.tell([update(of: item)])] : []) + forgotten + [.writeAttempt(item)]
    }

    private mutating func launchPostAnswered(_ key: QueueKey) -> [QueueAction] {
        guard launchPosts.remove(key) != nil, launchPosts.isEmpty else { return [] }
        return [.askForList]
    }

    /// The store has accepted a code. Its purchase is treated like one of another device and
    /// reported once its receipt is there; the news of it is then already known.
    mutating func codeRedeemed(_ redeemed: CodeRedemptionFlow.Redeemed) -> [QueueAction] {
        let customer = redeemed.customer
        guard world == nil || world == customer.worldId else { return [] }
        var keys: [QueueKey] = []
        // A new period has begun, and it has not been finished.
        if !redeemed.isForRenewal, redeemed.transaction.isFinished != true,
            let key = takeIn(redeemed.transaction, redeemed.receiptRevision, customer)
        {
            keys = [key]
        }
        return [.bringReceipt(keys, revision: redeemed.receiptRevision, customer)]
    }
}
