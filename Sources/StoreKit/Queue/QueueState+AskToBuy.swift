import StoreWire

// Payments that another person approves.
//
// A deferred payment is not posted repeatedly. Its approval arrives as a purchase with its own
// attempt, a refusal as an event. Either may arrive while the answer that defers it is still on its
// way, or lie before the cursor of a list, and the purchase may be over by then. In all these cases
// the payment is posted once more, and the store answers with the outcome.
extension QueueState {
    /// The store waits for an approval: the app is told, and news ends the wait. If already
    /// decided, the outcome is requested at once.
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

    /// Requests the outcome of attempts that the store reports as decided.
    mutating func askAfter(
        decided attemptIds: [String], _ customer: Customer
    ) -> [QueueAction] {
        attemptIds.flatMap { attemptId in
            askOrNote(key(ofAttempt: attemptId), customer)
        }
    }

    /// Requests the outcome of all this customer's deferred payments: a list does not show those
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
