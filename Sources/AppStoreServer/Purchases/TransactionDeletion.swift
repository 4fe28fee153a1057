import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService

/// The deletion of a test's transaction, on its way through one commit.
///
/// Nothing is erased: the history stays as it is, and so does every number. The rows are given to an
/// account that stands for what was deleted, which nobody can sign in to and no list of accounts or sales
/// shows; refunds that were asked for stay in theirs. As with an account that was deleted, app servers
/// learn that they do not exist.
struct TransactionDeletion: Sendable {
    let id: TransactionID

    struct Outcome: Sendable {
        /// The account that had it.
        let account: AccountID
        /// With the transactions that came from it; none for a repeated request.
        let deleted: [TransactionID]
    }

    /// `DELETE /control/v1/transactions/{id}`
    static func delete(_ call: StoreCall, _ text: String) async throws -> HTTPResponse {
        try call.context.placed(in: .sandbox).requireTest()
        guard let number = Int64(text), "\(number)" == text else {
            throw Refusal.transactionUnknown
        }
        let deletion = Self(id: TransactionID(number))
        let time = call.world.time
        let outcome = try await call.context.commit { try deletion.carryOut($0, time: time) }
        if !outcome.deleted.isEmpty {
            call.world.renewals.wake()
            call.world.updates.wake(outcome.account)
            call.log.event(
                StoreEvent.transactionDeleted, ("account", .number(outcome.account.rawValue)),
                ("transaction", .number(number)))
        }
        return HTTPResponse(status: 204)
    }

    func carryOut(_ scope: borrowing WriteScope, time: WorldTime) throws -> Outcome {
        guard let found = try scope.reading.transaction(id) else {
            throw Refusal.transactionUnknown
        }
        guard found.environment == .sandbox else { throw Refusal.notATest }
        guard try !scope.reading.isRemains(found.account) else {
            return Outcome(account: found.account, deleted: [])
        }
        if let share = found.share { throw Refusal.isShared(of: share.purchase) }
        // A renewal that was due is one of those that came from it.
        let kept = try subscription(of: found, scope, time: time)
        let now = time.recordNow()
        let purchases = try scope.reading.purchases(deletedWith: found)
        for one in purchases where try !scope.reading.copies(of: one.id).isEmpty {
            throw Refusal.sharedByFamily(one.id)
        }
        let restored = try scope.reading.restored(from: purchases)
        let deleted = (purchases + restored).sorted { $0.id < $1.id }
        let remains = try scope.addRemains(of: found, at: now)
        if let kept { try take(purchases, from: kept, for: remains, at: now, scope) }
        for one in deleted { try scope.give(one, to: remains) }
        for one in deleted { try scope.record(.deleted, of: one, at: now) }
        try scope.raiseReceiptRevision(of: found.account, in: found.app)
        return Outcome(account: found.account, deleted: deleted.map(\.id))
    }

    /// The subscription that a transaction paid for, settled; nil for what paid for none.
    private func subscription(
        of found: StoreTransaction, _ scope: borrowing WriteScope, time: WorldTime
    ) throws -> SubscriptionRecord? {
        guard found.subscription != nil, found.restoration == nil,
            let kept = try scope.reading.subscription(found.original)
        else { return nil }
        return try Settlement.settled(kept, until: time.now(), time: time, scope)
    }

    /// Takes the newest periods away from a subscription, which goes with its first.
    private func take(
        _ periods: [StoreTransaction], from before: SubscriptionRecord, for remains: AccountID,
        at now: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        var kept = before
        let earlier = try scope.reading.periods(before: periods[0])
        guard let last = earlier.last else {
            kept.state = RenewalRules.expired(kept.state, .other)
            try scope.withdrawQuestion(about: before.state, after: kept, at: now)
            try scope.save(kept)
            return try scope.giveSubscription(kept.original, to: remains)
        }
        var products: [ProductID: Product] = [:]
        for id in Set(earlier.map(\.product)) {
            products[id] = try scope.reading.product(id, of: last.app)
        }
        let all = try earlier.map { transaction in
            try SubscriptionChangeRules.Period(
                transaction,
                of: products[transaction.product]?.renewalPeriod ?? kept.state.period)
        }
        try scope.takeBackUpgrade(of: last.id)
        kept.newest = last.id
        kept.device = last.device
        kept.state = SubscriptionChangeRules.goneBack(
            kept.state, to: all[all.count - 1], after: all.dropLast(),
            price: try price(of: last, products[last.product], of: kept, scope.reading, at: now),
            isRevoked: try scope.reading.revocation(of: last.id) != nil,
            pace: try scope.reading.pace(of: kept.environment), at: now)
        try scope.withdrawQuestion(about: before.state, after: kept, at: now)
        try scope.save(kept)
        // It may have been replaced before.
        if last.subscription?.upgradedAt != nil {
            try scope.record(.periodMoved, of: last, at: now)
        }
    }
}

extension TransactionDeletion {
    /// The price of a renewal of an earlier period, without an offer.
    private func price(
        of last: StoreTransaction, _ product: Product?, of kept: SubscriptionRecord,
        _ scope: borrowing ReadScope, at now: Timestamp
    ) throws -> Money {
        if last.product == kept.state.product { return kept.state.price }
        // The charge of an offer's period says nothing of the price; the next renewal costs today's.
        guard last.subscription?.offer != nil, let product else { return last.charged }
        return PriceRules.price(
            of: product, in: try scope.storefront(of: kept.account) ?? .default, at: now)
    }
}

extension SubscriptionChangeRules.Period {
    fileprivate init(_ transaction: StoreTransaction, of period: RenewalPeriod) throws {
        guard let paid = transaction.subscription else {
            throw DatabaseError(code: .notADatabase, detail: "a period without an end")
        }
        self.init(
            product: transaction.product, period: period, startedAt: transaction.purchasedAt,
            expiresAt: paid.expiresAt, isRenewal: paid.isRenewal,
            offerDuration: paid.offer?.duration)
    }
}

extension Refusal {
    fileprivate static func sharedByFamily(_ purchase: TransactionID) -> Refusal {
        Refusal(
            409, "transactionShared",
            "A family shares transaction \(purchase), and what others have of it cannot be deleted."
        )
    }
}
