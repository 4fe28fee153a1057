import Foundation
import StoreModel
import StoreWire

// What the store's answers do to the queue.
extension QueueState {
    mutating func answered(_ key: QueueKey, _ outcome: PostOutcome) -> [QueueAction] {
        guard var item = items[key],
            case .sending(let customer, let tries, let isDoubtful) = item.stage
        else { return launchPostAnswered(key) }
        let actions: [QueueAction]
        switch outcome {
        case .done(let transaction, let revision):
            actions = done(item, transaction, revision, customer)
        case .refused(let reason):
            actions = fail(key, reason)
        case .rejected(let reason):
            actions = isDoubtful ? hold(item, customer, reason.sentence) : fail(key, reason)
        case .signedOut:
            actions =
                isDoubtful
                ? hold(
                    item, customer, "Sign in as \(customer.account) to learn what became of it.")
                : askAgain(item)
        case .otherWorld:
            actions = isDoubtful ? setAside(item, customer) : askAgain(item)
        case .pending(let isDeferred):
            item.stage = .sending(customer, tries: tries + 1, isDoubtful: true)
            let face: TransactionFace = isDeferred ? .deferred : .purchasing
            let isNews = item.face != face || item.isFromJournal
            item.face = face
            items[key] = item
            actions = (isNews ? tellOrBatch([key]) : []) + [.post(item, tries: tries + 1)]
        case .lost:
            item.stage = .sending(customer, tries: tries + 1, isDoubtful: true)
            items[key] = item
            actions =
                (item.isFromJournal ? tellOrBatch([key]) : []) + [.post(item, tries: tries + 1)]
        }
        return actions + launchPostAnswered(key)
    }

    mutating func signedIn(_ customer: Customer) -> [QueueAction] {
        postHeld { $0 == customer }
    }

    /// Asks again for held payments of these customers.
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
        var news: [QueueAction.Told] = []
        var forgotten: [QueueAction] = []
        for key in keys {
            guard var item = items[key] else { continue }
            if case .receiving(let id) = item.stage {
                item.stage = .settled(transactionId: id)
                if let attemptId = item.attemptId {
                    forgotten.append(.forgetAttempt(attemptId: attemptId))
                }
            } else if !item.isFromJournal {
                continue
            }
            item.isFromJournal = false
            items[key] = item
            news.append(told(item))
        }
        return forgotten + (news.isEmpty ? [] : [.tell(news)])
    }

    // MARK: -

    private mutating func done(
        _ item: QueueItem, _ transaction: TransactionBody, _ revision: Int64,
        _ customer: Customer
    ) -> [QueueAction] {
        if launchPosts.contains(item.key) {
            // The list that follows holds it, unless it was finished elsewhere.
            items[item.key] = nil
            launchBatch.removeAll { $0 == item.key }
            return item.attemptId.map { [.forgetAttempt(attemptId: $0)] } ?? []
        }
        let name = TransactionName(
            worldId: customer.worldId, transactionId: transaction.transactionId)
        guard keysByTransaction[name] == nil else {
            items[item.key] = nil
            launchBatch.removeAll { $0 == item.key }
            return item.attemptId.map { [.forgetAttempt(attemptId: $0)] } ?? []
        }
        bought(item, transaction, customer)
        return [.bringReceipt([item.key], revision: revision, customer)]
    }

    /// Notes that an item became a transaction whose receipt must be brought.
    mutating func bought(
        _ item: QueueItem, _ transaction: TransactionBody, _ customer: Customer
    ) {
        var item = item
        let id = transaction.transactionId
        // The observer hears of it when the receipt is there, not with the launch.
        launchBatch.removeAll { $0 == item.key }
        item.customer = customer
        item.stage = .receiving(transactionId: id)
        item.face = .purchased(Self.purchase(transaction))
        items[item.key] = item
        keysByTransaction[TransactionName(worldId: customer.worldId, transactionId: id)] = item.key
    }

    static func purchase(_ transaction: TransactionBody) -> TransactionFace.Purchase {
        TransactionFace.Purchase(
            transactionIdentifier: transaction.transactionId,
            date: Date(
                timeIntervalSince1970: Double(transaction.purchaseDate.milliseconds) / 1_000))
    }

    /// What may have been bought is never told as failed: it waits.
    private mutating func hold(
        _ item: QueueItem, _ customer: Customer, _ sentence: String
    ) -> [QueueAction] {
        items[item.key]?.stage = .held(customer)
        let say = QueueAction.say(
            "an approved payment for \(item.payment.productIdentifier) waits. \(sentence)")
        return [say] + (item.isFromJournal ? tellOrBatch([item.key]) : [])
    }

    /// Its world is not there: it waits for it, and one of an earlier process does so in silence.
    private mutating func setAside(_ item: QueueItem, _ customer: Customer) -> [QueueAction] {
        items[item.key]?.stage = .held(customer)
        if item.isFromJournal { return [] }
        return [
            .say(
                "an approved payment for \(item.payment.productIdentifier) waits: the store at "
                    + "this address is another one than the one it was sent to.")
        ]
    }

    /// Nothing was bought yet, so the person can simply sign in once more.
    private mutating func askAgain(_ item: QueueItem) -> [QueueAction] {
        var item = item
        item.sheetRounds += 1
        guard item.sheetRounds < Self.sheetRoundsMax else {
            return fail(item.key, FailureReason(.unknown, "Signing in did not last; try again."))
        }
        item.stage = .atSheet
        item.customer = nil
        item.worldBefore = world
        items[item.key] = item
        return [.showSheet(item)]
    }

    private mutating func launchPostAnswered(_ key: QueueKey) -> [QueueAction] {
        guard launchPosts.remove(key) != nil, launchPosts.isEmpty else { return [] }
        return [.askForList]
    }
}
