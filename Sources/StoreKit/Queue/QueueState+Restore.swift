import Foundation
import StoreModel
import StoreWire

// How restoring changes the queue.
//
// A page is requested once observers have received the one before, so that there is never more than
// one on its way. Restores are not in the journal: restored transactions are unfinished at the
// store, and arrive with the store's list at the next launch.
extension QueueState {
    /// The maximum number of pending restores; more fail at once.
    static let restoresMax = 16
    /// The maximum number of pages of one restore: five million transactions.
    static let restorePagesMax = 10_000

    mutating func restoreCalled(_ restoreId: String, _ username: String?) -> [QueueAction] {
        guard restores.count < Self.restoresMax else {
            return [
                .tellRestoreEnded(
                    FailureReason(.unknown, "\(restores.count) restores are already in progress."))
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
            return endRestore(FailureReason(.unknown, "The store is not the same one as before."))
        }
        // A transaction without an original does not belong to a restore.
        let restored = page.transactions.filter { $0.original != nil }
        let keys = restored.compactMap { takeIn($0, page.receiptRevision, customer) }
        restores[0].restoredCount += restored.count
        let bring =
            keys.isEmpty
            ? [] : [QueueAction.bringReceipt(keys, revision: page.receiptRevision, customer)]
        // The store's list may have brought some of them already.
        let untold = Set(restored.compactMap { untoldKey(of: $0, customer) })
        restores[0].stage = .telling(untold, next: page.next, customer)
        return met + bring + (untold.isEmpty ? goOnRestoring() : [])
    }

    mutating func restoreFailed(_ restoreId: String, _ reason: FailureReason) -> [QueueAction] {
        guard let run = current(restoreId), case .asking = run.stage else { return [] }
        return endRestore(reason)
    }

    /// Observers receive these now.
    mutating func restoredTold(_ keys: [QueueKey]) -> [QueueAction] {
        guard let run = restores.first,
            case .telling(let untold, let next, let customer) = run.stage
        else { return [] }
        let rest = untold.subtracting(keys)
        restores[0].stage = .telling(rest, next: next, customer)
        return rest.isEmpty ? goOnRestoring() : []
    }

    /// The waiting app is not kept waiting; restored purchases are reported when possible.
    mutating func restoredLate(_ keys: [QueueKey]) -> [QueueAction] {
        guard let run = restores.first, case .telling(let untold, _, _) = run.stage,
            !untold.isDisjoint(with: keys)
        else { return [] }
        return endRestore(
            FailureReason(
                .unknown, "Purchases were restored, but their receipt has not arrived yet."))
    }

    // MARK: -

    /// The current restore, when it is this one.
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
                return endRestore(FailureReason(.unknown, "The restore has too many pages."))
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

    /// The item of a transaction that observers do not know yet.
    private func untoldKey(of transaction: TransactionBody, _ customer: Customer) -> QueueKey? {
        let name = TransactionName(
            worldId: customer.worldId, transactionId: transaction.transactionId)
        guard let key = keysByTransaction[name], case .receiving? = items[key]?.stage else {
            return nil
        }
        return key
    }

    /// The app's view of a transaction from the store.
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
