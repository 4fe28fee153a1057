import StoreWire

// Each account sees only its own transactions.
extension QueueState {
    /// Hides other accounts' transactions and shows this account's again.
    mutating func signedIn(_ customer: Customer) -> [QueueAction] {
        present = customer
        let hidden = sendAway { $0.worldId == customer.worldId && $0 != customer }
        var shown: [QueueAction.Update] = []
        for item in inOrder where item.isAway && item.customer == customer {
            // A reported transaction waits for the store's list, which shows whether it still
            // exists. An answer is in no list.
            if case .settled = item.stage, !item.isAnswerOnly { continue }
            items[item.key]?.isAway = false
            let isWaiting = if case .receiving = item.stage { true } else { false }
            if !isWaiting { shown.append(update(of: item)) }
        }
        let seen: [QueueAction] = shown.isEmpty ? [] : [.tell(shown)]
        return hidden + seen + postHeld { $0 == customer }
    }

    /// Hides all transactions until an account signs in.
    mutating func signedOut(_ worldId: String) -> [QueueAction] {
        present = nil
        return sendAway { $0.worldId == worldId }
    }

    /// Whether another account is signed in to a customer's world.
    func isElsewhere(_ customer: Customer) -> Bool {
        present.map { $0.worldId == customer.worldId && $0 != customer } ?? false
    }

    private mutating func sendAway(_ isMeant: (Customer) -> Bool) -> [QueueAction] {
        var keys: [QueueKey] = []
        for item in inOrder where !item.isAway {
            guard let customer = item.customer, isMeant(customer) else { continue }
            switch item.stage {
            case .approving, .sending, .deferred, .held, .receiving, .settled: break
            case .writing, .atSheet, .abandoned, .failed, .finishing: continue
            }
            items[item.key]?.isAway = true
            launchBatch.removeAll { $0 == item.key }
            keys.append(item.key)
        }
        return keys.isEmpty ? [] : [.hide(keys)]
    }

    /// Takes in a purchase that was known but hidden; nil when it was visible.
    mutating func comeBack(_ key: QueueKey, of customer: Customer) -> QueueKey? {
        guard let item = items[key], item.isAway, item.customer == customer,
            case .settled(let id) = item.stage
        else { return nil }
        items[key]?.isAway = false
        // Its customer's receipt is fetched before the app sees it again.
        items[key]?.stage = .receiving(transactionId: id)
        return key
    }
}
