import StoreModel
import StoreWire

// How an earlier process and other devices change the queue.
extension QueueState {
    mutating func loaded(
        _ attempts: [AttemptRecord], _ finishes: [FinishRecord]
    ) -> [QueueAction] {
        isLaunching = true
        var actions: [QueueAction] = []
        for finish in finishes {
            // Finished for the app: it does not return, whatever the store still lists. Another
            // world's numbers hide nothing in this one.
            if finish.attemptId == nil {
                keysByTransaction[placed(finish.name)] = QueueKey(placed(finish.name))
            }
            actions.append(.sendFinish(finish.name))
        }
        let answered = Set(finishes.compactMap(\.attemptId))
        for attempt in attempts {
            actions +=
                answered.contains(attempt.attemptId)
                ? [.forgetAttempt(attemptId: attempt.attemptId)] : loaded(attempt)
        }
        return launchPosts.isEmpty ? actions + [.askForList] : actions
    }

    private mutating func loaded(_ attempt: AttemptRecord) -> [QueueAction] {
        let key = QueueKey(attemptId: attempt.attemptId)
        guard items[key] == nil else { return [] }
        let isHere = attempt.worldId == nil || attempt.worldId == world
        var item = QueueItem(key: key, attempt)
        item.worldBefore = attempt.worldId ?? world
        switch attempt.stage {
        case .written:
            // It was not approved, so it was never posted.
            return [.forgetAttempt(attemptId: attempt.attemptId)]
        case .approved(let account):
            return loadedApproved(item, Customer(worldId: item.worldId ?? "", account: account))
        case .failed(let reason):
            item.presented = .failed(reason)
            items[key] = item
            if isHere { launchBatch.append(key) }
            return []
        }
    }

    private mutating func loadedApproved(
        _ loaded: QueueItem, _ customer: Customer
    ) -> [QueueAction] {
        var item = loaded
        item.customer = customer
        defer { items[item.key] = item }
        guard item.deviceGuid == deviceGuid else {
            item.stage = .abandoned(customer)
            return [
                .say(
                    "a payment for \(item.payment.productIdentifier) was approved before this "
                        + "device lost its device.json. It is not sent again; if it was bought, "
                        + "it will appear in the store's list.")
            ]
        }
        item.isAway = isElsewhere(customer)
        guard customer.worldId == world else {
            // It waits silently until its world returns.
            item.stage = .held(customer)
            return []
        }
        item.stage = .sending(customer, tries: 0, isDoubtful: true)
        launchPosts.insert(item.key)
        return [.post(item, tries: 0)]
    }

    mutating func listed(
        _ transactions: [TransactionBody], _ revision: Int64, _ customer: Customer
    ) -> [QueueAction] {
        let met = world == nil ? worldMet(customer.worldId) : []
        // A list older than the newest session belongs to a world that is gone.
        guard world == customer.worldId else { return endLaunch().map { [.tell($0)] } ?? [] }
        isLaunching = false
        let gone = forgetUnlisted(transactions, revision, customer)
        let keys = transactions.compactMap { takeIn($0, revision, customer) }
        let forgotten = met + forgetAbandoned(of: customer) + askAfterDeferred(of: customer) + gone
        // The journal's items wait along with the new ones, so that one call reports all.
        let batch = keys.isEmpty ? endLaunch() : nil
        return forgotten + (batch.map { [.tell($0)] } ?? [])
            + bring(keys, revision, customer)
    }

    /// Forgets transactions missing from a customer's list: they were finished elsewhere, unless
    /// the list may be older. A purchase raises the receipt's revision; a restore does not.
    private mutating func forgetUnlisted(
        _ transactions: [TransactionBody], _ revision: Int64, _ customer: Customer
    ) -> [QueueAction] {
        let ids = Set(transactions.map(\.transactionId))
        let gone = inOrder.filter { item in
            guard item.customer == customer, !item.isAnswerOnly, let told = item.receiptRevision
            else { return false }
            switch item.stage {
            case .receiving(let id), .settled(let id): if ids.contains(id) { return false }
            default: return false
            }
            if case .restored = item.presented { return told < revision }
            return told <= revision
        }
        let (forgotten, removed) = leave(gone)
        return forgotten + (removed.isEmpty ? [] : [.tellRemoved(removed)])
    }

    /// Removes what was finished elsewhere; gives those that the app may have been told about.
    private mutating func leave(
        _ gone: [QueueItem]
    ) -> (forgotten: [QueueAction], removed: [QueueKey]) {
        var forgotten: [QueueAction] = []
        for item in gone {
            items[item.key] = nil
            if case .receiving = item.stage, let attemptId = item.attemptId {
                forgotten.append(.forgetAttempt(attemptId: attemptId))
            }
            forgotten += drop(item)
        }
        return (forgotten, gone.filter { !$0.isFromJournal }.map(\.key))
    }

    /// Anything missing from the complete list was not bought, or is finished.
    private mutating func forgetAbandoned(of customer: Customer) -> [QueueAction] {
        inOrder.filter { $0.stage == .abandoned(customer) }.compactMap { item in
            items[item.key] = nil
            return item.attemptId.map { .forgetAttempt(attemptId: $0) }
        }
    }

    mutating func updated(
        _ updates: [UpdateBody], _ revision: Int64, _ customer: Customer
    ) -> [QueueAction] {
        guard world == nil || world == customer.worldId else { return [] }
        let finished = Set(
            updates.filter { $0.kind == .finished }.compactMap(\.transaction?.transactionId))
        var keys: [QueueKey] = []
        var decided = updates.filter { $0.kind == .declined }.compactMap(\.subject)
        for transaction in updates.filter({ $0.kind == .purchased }).compactMap(\.transaction) {
            if transaction.isFinished == true || finished.contains(transaction.transactionId) {
                // It is not delivered, and a payment that waits for it learns so from the store.
                decided.append(transaction.attemptId)
            } else if let key = takeIn(transaction, revision, customer) {
                keys.append(key)
            }
        }
        let gone = finished.sorted().compactMap { id -> QueueItem? in
            let name = TransactionName(worldId: customer.worldId, transactionId: id)
            guard let item = keysByTransaction[name].flatMap({ items[$0] }) else { return nil }
            return switch item.stage {
            case .settled, .receiving: item
            default: nil
            }
        }
        let (forgotten, removed) = leave(gone)
        return forgotten + askAfter(decided: decided, customer)
            + bring(keys, revision, customer)
            + (removed.isEmpty ? [] : [.tellRemoved(removed)])
    }

    /// Takes in a purchase reported by the store; nil when it is already known.
    mutating func takeIn(
        _ transaction: TransactionBody, _ revision: Int64, _ customer: Customer
    ) -> QueueKey? {
        let id = transaction.transactionId
        let name = TransactionName(worldId: customer.worldId, transactionId: id)
        if let known = keysByTransaction[name] { return comeBack(known, of: customer) }
        let attemptKey = key(ofAttempt: transaction.attemptId)
        if transaction.original == nil, let item = items[attemptKey],
            item.deviceGuid == transaction.deviceGuid
        {
            switch item.stage {
            case .sending, .deferred, .held, .abandoned:
                // Its own answer was lost, or is on its way and will find it done.
                bought(item, transaction, revision, customer)
                return attemptKey
            // Whatever the app was told about the attempt, it was bought: it is delivered by
            // itself.
            default: break
            }
        }
        let key = QueueKey(name)
        let item = QueueItem(
            key: key, attemptId: nil, deviceGuid: transaction.deviceGuid,
            madeAtMilliseconds: transaction.purchaseDate.milliseconds,
            payment: PaymentContents(
                productIdentifier: transaction.productId, quantity: transaction.quantity,
                applicationUsername: transaction.applicationUsername),
            stage: .receiving(transactionId: id), presented: .purchasing)
        bought(item, transaction, revision, customer)
        return key
    }
}
