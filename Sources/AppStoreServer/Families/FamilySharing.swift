import StoreDatabase
import StoreModel
import StoreRules

/// Gives families what their members share and takes it back, in the commit of the cause: a
/// purchase, a period, a revocation or another member.
enum FamilySharing {
    /// The result of a family's change.
    struct Report: Sendable {
        var given = 0
        var taken = 0
        /// Purchases for which a member's receipt had no room.
        var withoutRoom = 0
    }

    /// Gives the family what one of them just bought, or a period that began with that; returns the
    /// accounts that got it.
    @discardableResult
    static func share(
        _ purchase: StoreTransaction, beginning period: SubscriptionTransition? = nil,
        at now: Timestamp, _ scope: borrowing WriteScope
    ) throws -> [AccountID] {
        guard FamilyShareRules.isShareable(purchase.kind) else { return [] }
        let family = try scope.reading.family(of: purchase.account)
        guard !family.isEmpty else { return [] }
        let product = try scope.reading.product(purchase.product, of: purchase.app)
        guard product?.isFamilyShareable == true else { return [] }
        // Members who have the purchase already have this one, too.
        let isAgain = purchase.kind != .autoRenewable && purchase.id != purchase.original
        let held =
            isAgain
            ? try sharesHeld(by: family.map(\.account), at: now, scope.reading) : []
        let changes = FamilyShareRules.changes(
            in: family, purchases: [SharedPurchase(purchase)], held: held)
        var accounts: [AccountID] = []
        for gift in changes.gifts {
            let isGiven = try give(
                purchase, to: gift.member, from: purchase.purchasedAt, beginning: period,
                at: now, scope)
            if isGiven { accounts.append(gift.member) }
        }
        return accounts
    }

    /// Brings everyone's shares in line with a family's members after a change; those who left lose
    /// theirs.
    static func settle(
        from before: [FamilyMember], to after: [FamilyMember], at now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws -> Report {
        let left = before.map(\.account).filter { gone in
            !after.contains { $0.account == gone }
        }
        let purchases = try shareable(by: after, at: now, scope.reading)
        let held = try sharesHeld(by: after.map(\.account) + left, at: now, scope.reading)
        let changes = FamilyShareRules.changes(
            in: after, purchases: purchases.values.map { SharedPurchase($0) }, held: held)
        var report = Report()
        try takeBack(changes.taken, Revocation(reason: .other, at: now), scope)
        report.taken = changes.taken.count
        for gift in changes.gifts {
            guard let purchase = purchases[gift.purchase] else { continue }
            let isGiven = try give(
                purchase, to: gift.member, from: purchase.isOver(at: now) ? nil : now, at: now,
                scope)
            if isGiven { report.given += 1 } else { report.withoutRoom += 1 }
        }
        return report
    }

    /// Takes a purchase that was taken back from the family, too, for the same reason; returns the
    /// accounts that had it.
    @discardableResult
    static func takeBackCopies(
        of purchase: TransactionID, _ revocation: Revocation, _ scope: borrowing WriteScope
    ) throws -> [AccountID] {
        let all = try scope.reading.copies(of: purchase)
        let taken = try scope.reading.revocations(of: all.map(\.id))
        let copies = all.filter { taken[$0.id] == nil }
        try takeBack(copies.map(\.id), revocation, scope)
        return copies.map(\.account)
    }

    private static func shareable(
        by family: [FamilyMember], at now: Timestamp, _ scope: borrowing ReadScope
    ) throws -> [TransactionID: StoreTransaction] {
        var purchases: [TransactionID: StoreTransaction] = [:]
        for member in family where member.sharesPurchases {
            for purchase in try scope.sharedPurchases(of: member.account, at: now) {
                purchases[purchase.id] = purchase
            }
        }
        return purchases
    }

    private static func sharesHeld(
        by accounts: [AccountID], at now: Timestamp, _ scope: borrowing ReadScope
    ) throws -> [HeldShare] {
        var held: [HeldShare] = []
        for account in accounts { held += try scope.heldShares(of: account, at: now) }
        return held
    }

    /// Takes back all of them before the first is reported: a notification holds the whole receipt.
    private static func takeBack(
        _ ids: [TransactionID], _ revocation: Revocation, _ scope: borrowing WriteScope
    ) throws {
        let taken = try ids.compactMap { try scope.reading.transaction($0) }
        for one in taken { try scope.revoke(one.id, revocation) }
        for one in taken {
            try scope.record(.shareEnded, of: one, at: revocation.at)
            try scope.raiseReceiptRevision(of: one.account, in: one.app)
        }
    }

    /// Makes the transaction that gives a member a purchase from a moment on, nil for the
    /// purchase's own; false when the member's receipt is full. `period` is what the purchase just
    /// did to its owner's subscription.
    private static func give(
        _ purchase: StoreTransaction, to member: AccountID, from start: Timestamp?,
        beginning period: SubscriptionTransition? = nil, at now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws -> Bool {
        let isFull = try scope.reading.isReceiptFull(of: member, in: purchase.app)
        if isFull { return false }
        let history = try history(of: purchase, with: member, scope.reading)
        let copy = purchase.shared(
            with: member, as: try scope.nextTransactionID(purchase.environment),
            goingOn: history.period, from: start ?? purchase.purchasedAt)
        try scope.addTransaction(copy)
        try scope.record(history.happening(of: copy, beginning: period), of: copy, at: now)
        try scope.raiseReceiptRevision(of: member, in: purchase.app)
        return true
    }
}

extension FamilySharing {
    /// How a member's newest share of a subscription stands.
    private enum History {
        case none
        /// A purchase that was taken back and is shared again is a new one for its holder.
        case takenBack
        /// The next period follows this transaction.
        case goesOn(StoreTransaction)

        var period: StoreTransaction? {
            guard case .goesOn(let period) = self else { return nil }
            return period
        }

        func happening(
            of copy: StoreTransaction, beginning period: SubscriptionTransition?
        ) -> Happening {
            switch self {
            case .none: .shared(copy.kind, .first)
            case .takenBack: .shared(copy.kind, .regained)
            case .goesOn:
                copy.subscription?.isRenewal == true
                    ? .sharedRenewal(period) : .shared(copy.kind, .nextPeriod(period))
            }
        }
    }

    private static func history(
        of purchase: StoreTransaction, with member: AccountID, _ scope: borrowing ReadScope
    ) throws -> History {
        guard purchase.kind == .autoRenewable,
            let newest = try scope.newestShare(of: purchase.original, with: member)
        else { return .none }
        return try scope.isTakenBack(newest) ? .takenBack : .goesOn(newest)
    }
}

extension SharedPurchase {
    init(_ transaction: StoreTransaction) {
        let share = FamilyShare(purchase: transaction.id, original: transaction.original)
        self.init(
            purchase: transaction.id, item: share.item(of: transaction.kind),
            owner: transaction.account)
    }
}

extension StoreTransaction {
    /// Whether its period has ended and only the grace period still serves it.
    fileprivate func isOver(at now: Timestamp) -> Bool {
        subscription.map { $0.expiresAt <= now } ?? false
    }

    /// The transaction that gives it to a family member, free of charge and without the buyer's
    /// name in the app; `earlier` is that of the period before.
    fileprivate func shared(
        with member: AccountID, as id: TransactionID, goingOn earlier: StoreTransaction?,
        from start: Timestamp
    ) -> StoreTransaction {
        StoreTransaction(
            id: id, original: earlier?.original ?? id, environment: environment, app: app,
            account: member, device: device, attempt: AttemptID("family/\(id)"),
            product: product, kind: kind, quantity: quantity, purchasedAt: start,
            originallyPurchasedAt: earlier?.originallyPurchasedAt ?? start,
            charged: Money(milliunits: 0, currency: charged.currency), storefront: storefront,
            applicationUsername: nil, finishedAt: nil, subscription: subscription,
            share: FamilyShare(purchase: self.id, original: original))
    }
}

extension World {
    /// Ends the polls of an account's family, after a commit that may have given them something.
    ///
    /// A member who is not woken because the family cannot be read learns of it with the next poll.
    func wakeFamily(of account: AccountID) {
        let family = try? database.read { try $0.family(of: account) }
        for member in family ?? [] where member.account != account {
            updates.wake(member.account, .events)
        }
    }
}
