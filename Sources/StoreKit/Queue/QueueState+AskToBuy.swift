import StoreWire

// Payments that somebody else approves.
//
// A deferred payment is not asked for again and again. Its approval comes as a purchase, by its
// own attempt; that it was declined comes as an event. Either may come while the answer that it is
// deferred is still on its way, or lie before the cursor of a list, and a purchase may be over by
// then. In all these cases the payment is posted once more: the store answers what became of it.
extension QueueState {
    /// The store waits for an approval: the app is told, and news end the wait. Decided already,
    /// it is asked after at once.
    mutating func deferred(
        _ deferred: QueueItem, _ customer: Customer, isDecided: Bool
    ) -> [QueueAction] {
        var item = deferred
        let isNews = item.presented != .deferred || item.isFromJournal
        item.presented = .deferred
        item.stage = .deferred(customer)
        items[item.key] = item
        let news = isNews ? tellOrBatch([item.key]) : []
        return isDecided ? news + askAfter(item, customer) : news
    }

    /// Asks what became of attempts that the store says are decided.
    mutating func askAfter(
        decided attemptIds: [String], _ customer: Customer
    ) -> [QueueAction] {
        attemptIds.flatMap { attemptId in
            askOrNote(key(ofAttempt: attemptId), customer)
        }
    }

    /// Asks what became of all that this customer has deferred: a list says nothing of what was
    /// declined before it.
    mutating func askAfterDeferred(of customer: Customer) -> [QueueAction] {
        inOrder.flatMap { askOrNote($0.key, customer) }
    }

    private mutating func askOrNote(_ key: QueueKey, _ customer: Customer) -> [QueueAction] {
        guard let item = items[key], item.customer == customer else { return [] }
        switch item.stage {
        case .deferred: return askAfter(item, customer)
        case .sending:
            decidedMeanwhile.insert(key)
            return []
        default: return []
        }
    }

    private mutating func askAfter(_ item: QueueItem, _ customer: Customer) -> [QueueAction] {
        var item = item
        item.stage = .sending(customer, tries: 0, isDoubtful: true)
        items[item.key] = item
        return [.post(item, tries: 0)]
    }
}
