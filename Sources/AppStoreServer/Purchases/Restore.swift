import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// One page of a restore on its way through one commit.
struct Restore: Sendable {
    let request: RestoreRequest
    let session: DeviceSession
    let account: Account
    let environment: StoreEnvironment

    struct Outcome: Sendable {
        let page: RestorePage
        let transactions: [DeliveredTransaction]
        let receiptRevision: Int64
        /// Whether this commit made them, rather than an earlier one.
        let isNew: Bool
    }

    /// Answers a repeated page with the same transactions, and makes those of a new one.
    func answer(_ scope: borrowing WriteScope, time: WorldTime) throws -> Outcome {
        let isBegun = try isBegun(scope)
        let known = try scope.reading.restorePage(
            after: request.after, in: request.restore, of: session.device)
        if let known {
            let transactions = try scope.reading.restored(
                in: known, of: request.restore, on: session.device)
            return try outcome(known, transactions, isNew: false, scope)
        }
        try check(scope)
        // Everything that may refuse comes before the first write: undoing one makes the writer run
        // others again.
        if !isBegun { try scope.addRestore(request.restore, of: session.device, wanted) }
        return try giveBack(scope, at: time.recordNow())
    }

    /// The restore's account and user name, from its first page on.
    private var wanted: StoredRestore {
        StoredRestore(account: account.id, applicationUsername: request.applicationUsername)
    }

    /// Whether there was a page of it before; refuses an id that belongs to another restore.
    private func isBegun(_ scope: borrowing WriteScope) throws -> Bool {
        let known = try scope.reading.restore(request.restore, of: session.device)
        guard let known else { return false }
        guard known == wanted else {
            throw Refusal(
                409, "restoreIdReused",
                "This restore id was used before for another account or user name; make a new one.")
        }
        return true
    }

    private func check(_ scope: borrowing WriteScope) throws {
        let isPosition =
            try request.after.rawValue == 0
            || scope.reading.isPosition(request.after, of: request.restore, on: session.device)
        let waiting = try scope.reading.unfinishedRestoredCount(
            of: account.id, in: session.app, on: session.device)
        guard isPosition else { throw RestoreRequest.unknownPosition }
        guard waiting < Limits.restoredUnfinishedMax else {
            throw Refusal(
                409, "tooManyRestored",
                "\(waiting) restored transactions wait on this device; the app must finish them "
                    + "before more can be restored.")
        }
    }

    private func giveBack(_ scope: borrowing WriteScope, at now: Timestamp) throws -> Outcome {
        let countMax = RestoreRequestBody.transactionsMax
        let purchases = try scope.reading.purchasesToRestore(
            of: account.id, in: session.app, after: request.after, countMax: countMax)
        let given = try scope.reading.originalsGiven(by: request.restore, on: session.device)
        let page = RestorePage(
            after: request.after, last: purchases.count == countMax ? purchases.last?.id : nil)
        try scope.addRestorePage(page, of: request.restore, on: session.device, at: now)
        var transactions: [StoreTransaction] = []
        for purchase in RestoreRules.restored(
            purchases, for: request.applicationUsername, given: given)
        {
            let transaction = copy(of: purchase, id: try scope.nextTransactionID(environment), now)
            try scope.addTransaction(transaction)
            try scope.record(.restored, of: transaction, at: now)
            transactions.append(transaction)
        }
        return try outcome(page, transactions, isNew: true, scope)
    }

    /// The new transaction that restores a purchase, free of charge.
    private func copy(
        of purchase: StoreTransaction, id: TransactionID, _ now: Timestamp
    ) -> StoreTransaction {
        StoreTransaction(
            id: id, original: purchase.original, environment: environment, app: session.app,
            account: account.id, device: session.device,
            attempt: AttemptID("\(request.restore)/\(purchase.id)"), product: purchase.product,
            kind: purchase.kind, quantity: purchase.quantity, purchasedAt: now,
            originallyPurchasedAt: purchase.originallyPurchasedAt,
            charged: Money(milliunits: 0, currency: purchase.charged.currency),
            storefront: account.storefront.countryCode,
            applicationUsername: purchase.applicationUsername, finishedAt: nil,
            restoration: Restoration(restore: request.restore, purchase: purchase.id),
            subscription: purchase.subscription, share: purchase.share)
    }

    private func outcome(
        _ page: RestorePage, _ transactions: [StoreTransaction], isNew: Bool,
        _ scope: borrowing WriteScope
    ) throws -> Outcome {
        let content = try scope.reading.currentContent(of: session.app)
        let delivered = transactions.map {
            DeliveredTransaction(transaction: $0, deviceGuid: session.guid)
                .bringing(content[$0.product])
        }
        return Outcome(
            page: page, transactions: try scope.reading.withOriginals(delivered),
            receiptRevision: try scope.reading.receiptRevision(of: account.id, in: session.app),
            isNew: isNew)
    }
}
