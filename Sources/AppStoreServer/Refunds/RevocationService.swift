import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Takes purchases back.
enum RevocationService {
    /// `POST /control/v1/transactions/{id}/revoke`; a repeated request gets the same answer.
    static func revoke(_ call: StoreCall, _ body: RevokeBody, _ id: String) async throws
        -> RevokedBody
    {
        let reason = body.reason
        let unknown = Refusal(
            404, "transactionUnknown", "This world has no such transaction.")
        guard let number = Int64(id), "\(number)" == id else { throw unknown }
        let time = call.world.time
        let outcome = try await call.context.commit { scope in
            let found = try scope.reading.transaction(TransactionID(number))
            guard let found, try !scope.reading.isRemains(found.account) else { throw unknown }
            if let share = found.share { throw Refusal.isShared(of: share.purchase) }
            return try revoke(found, reason, at: time.now(), time: time, scope)
        }
        if outcome.isNew {
            call.world.renewals.wake()
            call.world.updates.wake(outcome.account)
            call.world.wakeFamily(of: outcome.account)
            call.log.event(
                StoreEvent.revoked, ("account", .number(outcome.account.rawValue)),
                ("transaction", .number(number)))
        }
        return outcome.body
    }

    /// Settles the renewals that were due before a purchase is taken back. Returns its subscription
    /// if that ends with it: a subscription ends when its newest period is taken back, not when an
    /// older one is.
    private static func settle(
        _ taken: StoreTransaction, until now: Timestamp, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> SubscriptionRecord? {
        guard taken.subscription != nil,
            let known = try scope.reading.subscription(taken.original)
        else { return nil }
        let kept = try Settlement.settled(known, until: now, time: time, scope)
        return kept.newest == (taken.restoration?.purchase ?? taken.id) ? kept : nil
    }

    struct Outcome: Sendable {
        let account: AccountID
        let body: RevokedBody
        let isNew: Bool
    }

    /// Stores the revocation, its events and the new revision of the receipt, and refunds the
    /// money: the amount that a refund names, or all that is left without one.
    static func revoke(
        _ transaction: StoreTransaction, _ reason: Revocation.Reason, amount: Money? = nil,
        refund: TransactionID? = nil, at now: Timestamp, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> Outcome {
        let taken = try scope.reading.transactionsTaken(with: transaction)
        // A restored transaction is taken back together with the original.
        let target = taken.first { $0.id == transaction.id } ?? taken[0]
        let known = try scope.reading.revocation(of: target.id)
        if let known, known.reason != reason {
            throw Refusal(
                409, "revokedBefore",
                "The transaction was revoked before, for the reason \(known.reason.rawValue).")
        }
        let ending =
            known == nil ? try settle(transaction, until: now, time: time, scope) : nil
        let revocation = known ?? Revocation(reason: reason, at: time.record(now))
        if known == nil {
            let end = ending.map {
                SubscriptionTransition(
                    from: $0.state, to: SubscriptionChangeRules.revoked($0.state))
            }
            let before = try scope.reading.revocations(of: taken.map(\.id))
            let new = taken.filter { before[$0.id] == nil }
            // All of them before the first is reported: a notification holds the whole receipt.
            for one in new { try scope.revoke(one.id, revocation, refund: refund) }
            for one in new {
                let event = try scope.record(
                    .refunded(one.kind, standsFor: one.standsFor, end), of: one,
                    at: revocation.at)
                try scope.giveMoneyBack(
                    one.id == refund ? amount : nil, of: one.id, by: event, at: revocation.at,
                    real: time.real())
                try FamilySharing.takeBackCopies(of: one.id, revocation, scope)
            }
            try scope.raiseReceiptRevision(of: target.account, in: target.app)
            if let ending, let end {
                var ended = ending
                ended.state = end.after
                try scope.save(ended)
                try scope.withdrawQuestion(about: ending.state, after: ended, at: revocation.at)
            }
            try scope.payAgain(target.account, at: revocation.at)
        }
        return Outcome(
            account: target.account,
            body: RevokedBody(
                transactionId: "\(target.id)", transactionIds: taken.map { "\($0.id)" },
                productId: target.product.rawValue, reason: reason,
                revocationDate: revocation.at,
                refunds: try taken.compactMap { try scope.reading.moneyGivenBack(of: $0) }),
            isNew: known == nil)
    }
}

extension Refusal {
    static func isShared(of purchase: TransactionID) -> Refusal {
        Refusal(
            409, "transactionShared",
            "A family member bought it, in transaction \(purchase); take that one back.")
    }
}
