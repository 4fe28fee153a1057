import Foundation
import StoreModel
import StoreWire

// What restoring does to the queue.
//
// A page is asked for when observers have heard of the one before, so that there is never more
// than one on its way. Nothing of a restore is in the journal: what it gave back is unfinished at
// the store, and comes with the store's list at the next launch.
extension QueueState {
    /// Restores that wait for the one before; more fail at once.
    static let restoresMax = 16
    /// Pages of one restore: five million transactions.
    static let restorePagesMax = 10_000

    mutating func restoreCalled(_ restoreId: String, _ username: String?) -> [QueueAction] {
        guard restores.count < Self.restoresMax else {
            return [
                .tellRestoreEnded(
                    FailureReason(.unknown, "\(restores.count) restores are on their way already."))
            ]
        }
        restores.append(RestoreRun(restoreId: restoreId, applicationUsername: username))
        return restores.count == 1 ? beginRestore() : []
    }

    mutating func restoreSheetEnded(
        _ restoreId: String, _ outcome: SheetFlow.Outcome
    ) -> [QueueAction] {
        guard let run = current(restoreId), run.stage == .atSheet else { return [] }
        switch outcome {
        case .approved(let customer, _): return askToRestore(after: nil, customer)
        case .ended(let reason): return endRestore(reason)
        }
    }

    mutating func restoredCame(
        _ restoreId: String, _ page: RestoreAnswerBody, _ customer: Customer
    ) -> [QueueAction] {
        guard let run = current(restoreId), run.stage == .asking(customer) else { return [] }
        let met = world == nil ? worldMet(customer.worldId) : []
        guard world == customer.worldId else {
            return endRestore(FailureReason(.unknown, "The store is another one than before."))
        }
        // What has no original is no answer to a restore.
        let restored = page.transactions.filter { $0.original != nil }
        let keys = restored.compactMap { takeIn($0, page.receiptRevision, customer) }
        restores[0].restoredCount += restored.count
        let bring =
            keys.isEmpty
            ? [] : [QueueAction.bringReceipt(keys, revision: page.receiptRevision, customer)]
        // The store's list may have brought some of them before.
        let untold = Set(restored.compactMap { untoldKey(of: $0, customer) })
        restores[0].stage = .telling(untold, next: page.next, customer)
        return met + bring + (untold.isEmpty ? goOnRestoring() : [])
    }

    mutating func restoreFailed(_ restoreId: String, _ reason: FailureReason) -> [QueueAction] {
        guard let run = current(restoreId), case .asking = run.stage else { return [] }
        return endRestore(reason)
    }

    /// Observers hear of these now.
    mutating func restoredTold(_ keys: [QueueKey]) -> [QueueAction] {
        guard let run = restores.first,
            case .telling(let untold, let next, let customer) = run.stage
        else { return [] }
        let rest = untold.subtracting(keys)
        restores[0].stage = .telling(rest, next: next, customer)
        return rest.isEmpty ? goOnRestoring() : []
    }

    /// Whoever waits for a restore is not kept waiting; what it gave back is told when it can be.
    mutating func restoredLate(_ keys: [QueueKey]) -> [QueueAction] {
        guard let run = restores.first, case .telling(let untold, _, _) = run.stage,
            !untold.isDisjoint(with: keys)
        else { return [] }
        return endRestore(
            FailureReason(
                .unknown, "The store gave purchases back, and their receipt does not come yet."))
    }

    // MARK: -

    /// The restore on its way, when it is this one.
    private func current(_ restoreId: String) -> RestoreRun? {
        restores.first.flatMap { $0.restoreId == restoreId ? $0 : nil }
    }

    private mutating func beginRestore() -> [QueueAction] {
        guard let first = restores.first else { return [] }
        restores[0].stage = .atSheet
        return [.showRestoreSheet(restoreId: first.restoreId)]
    }

    private mutating func goOnRestoring() -> [QueueAction] {
        guard let run = restores.first, case .telling(_, let next, let customer) = run.stage else {
            return []
        }
        if let next {
            guard next != run.position, run.pageCount < Self.restorePagesMax else {
                return endRestore(FailureReason(.unknown, "The store gives back without end."))
            }
            return askToRestore(after: next, customer)
        }
        let isEmpty = run.restoredCount == 0 && failsEmptyRestore
        return endRestore(isEmpty ? FailureReason(.unknown, "There is nothing to restore.") : nil)
    }

    private mutating func askToRestore(after position: String?, _ customer: Customer)
        -> [QueueAction]
    {
        restores[0].stage = .asking(customer)
        restores[0].position = position
        restores[0].pageCount += 1
        let body = RestoreRequestBody(
            restoreId: restores[0].restoreId,
            applicationUsername: restores[0].applicationUsername, after: position)
        return [.askToRestore(body, customer)]
    }

    private mutating func endRestore(_ reason: FailureReason?) -> [QueueAction] {
        restores.removeFirst()
        return [.tellRestoreEnded(reason)] + beginRestore()
    }

    /// The item of a transaction that observers have not heard of.
    private func untoldKey(of transaction: TransactionBody, _ customer: Customer) -> QueueKey? {
        let name = TransactionName(
            worldId: customer.worldId, transactionId: transaction.transactionId)
        guard let key = keysByTransaction[name], case .receiving? = items[key]?.stage else {
            return nil
        }
        return key
    }

    /// What the app sees of a transaction that the store made.
    static func presented(_ transaction: TransactionBody, receipt: Data?) -> PresentedState {
        let purchase = purchase(
            transaction.transactionId, at: transaction.purchaseDate, receipt: receipt)
        guard let original = transaction.original else { return .purchased(purchase) }
        return .restored(
            purchase,
            of: PresentedState.Original(
                payment: PaymentContents(
                    productIdentifier: original.productId, quantity: original.quantity,
                    applicationUsername: original.applicationUsername),
                purchase: Self.purchase(original.transactionId, at: original.purchaseDate)))
    }
}
