// How finishing changes the queue.
extension QueueState {
    mutating func finishCalled(_ key: QueueKey) -> [QueueAction] {
        guard let item = items[key] else { return [] }
        switch item.stage {
        case .settled(let id): return finish(item, id, wasReceiving: false)
        // A restored item waits for its receipt, and the app already has it. Of a new purchase, the
        // app has nothing yet that it could finish.
        case .receiving(let id): return finish(item, id, wasReceiving: true)
        case .failed:
            items[key] = nil
            launchBatch.removeAll { $0 == key }
            let forget = item.attemptId.map { [QueueAction.forgetAttempt(attemptId: $0)] } ?? []
            return forget + [.tellRemoved([key])]
        case .writing, .atSheet, .approving, .sending, .deferred, .held, .abandoned, .finishing:
            return []
        }
    }

    private mutating func finish(
        _ item: QueueItem, _ id: String, wasReceiving: Bool
    ) -> [QueueAction] {
        items[item.key]?.stage = .finishing(transactionId: id, wasReceiving: wasReceiving)
        return [.writeFinish(item.key, item.name(id), item.customer)]
    }

    /// Finishes a transaction that the app got from a sequence or a caller: the queue may have it, too.
    mutating func finishNamed(_ name: TransactionName, _ customer: Customer) -> [QueueAction] {
        if let key = keysByTransaction[name], items[key] != nil { return finishCalled(key) }
        // For the app it is over, whatever the store lists until it knows.
        keysByTransaction[name] = QueueKey(name)
        return [.finishUnlisted(name, customer)]
    }

    mutating func finishWritten(_ key: QueueKey) -> [QueueAction] {
        guard let item = items[key], case .finishing(let id, _) = item.stage else { return [] }
        let name = item.name(id)
        // The finish stands for the attempt now.
        let forgotten = name.attemptId.map { [QueueAction.forgetAttempt(attemptId: $0)] } ?? []
        return drop(item) + forgotten + [.sendFinish(name)]
    }

    /// The journal refused the finish, so the purchase stays unfinished and returns; one that
    /// waited for its receipt waits again.
    mutating func finishNotWritten(_ key: QueueKey) -> [QueueAction] {
        guard case .finishing(let id, let wasReceiving)? = items[key]?.stage else { return [] }
        items[key]?.stage =
            wasReceiving ? .receiving(transactionId: id) : .settled(transactionId: id)
        return []
    }

    /// It leaves the app's queue, whether the store was told now or will be told later.
    mutating func finishLeft(_ name: TransactionName) -> [QueueAction] {
        let named = name.attemptId.map { key(ofAttempt: $0) } ?? keysByTransaction[placed(name)]
        guard let key = named, let item = items[key],
            case .finishing(name.transactionId, _) = item.stage
        else { return [] }
        items[key] = nil
        return [.tellRemoved([key])]
    }

    /// The store refuses the finish, so the purchase is no longer hidden: it returns when the store
    /// still lists it.
    mutating func finishRefused(_ name: TransactionName) -> [QueueAction] {
        let left = finishLeft(name)
        if name.attemptId != nil { return left }
        keysByTransaction[placed(name)] = nil
        return left + [.askForList]
    }

    /// Content is dropped with its transaction.
    func drop(_ item: QueueItem) -> [QueueAction] {
        item.offer.map { [.dropDownload($0.name)] } ?? []
    }

    /// The transactions of a customer that the app has not finished.
    func unfinished(of customer: Customer) -> Set<TransactionName> {
        Set(keysByTransaction.filter { items[$0.value]?.customer == customer }.keys)
    }
}
