import StoreDatabase
import StoreModel
import StoreRules
import StoreService

/// Settles subscriptions that are due, within one commit: each step is one period, one failed
/// payment or one end, at the moment when it was due, however late it is done.
///
/// Data that a commit looks up for one subscription serve the others, too: nothing else writes
/// meanwhile.
struct Settlement {
    /// The results, to be reported after the commit.
    struct Report: Sendable {
        var renewals: Int64 = 0
        var failedPayments: Int64 = 0
        var endings: Int64 = 0
        /// How many subscriptions now wait for a payment provider.
        var asked: Int64 = 0
        var accounts: Set<AccountID> = []
        /// Family members who see that a subscription of another's ended or is not paid.
        var watchers: Set<AccountID> = []

        var steps: Int64 { renewals + failedPayments + endings + asked }
    }

    private let time: WorldTime
    /// The time of the newest event, by which the events of one commit are dated: a world's time
    /// may be ahead of it.
    private var recorded: Timestamp
    /// Products as devices see them, from a moment on.
    private var products: [AppID: [ProductID: (product: Product?, from: Timestamp)]] = [:]
    private var paces: [StoreEnvironment: RenewalPace] = [:]
    private(set) var report = Report()

    init(time: WorldTime, _ scope: borrowing WriteScope) throws {
        self.time = time
        recorded = try scope.reading.lastEvent()
    }

    /// The most steps that a waiting request takes; beyond it the worker takes over.
    private static let catchUpStepsMax: Int64 = 1_000

    /// Takes every step that one subscription is due for. Throws when they are too many for a
    /// waiting request; the commit is to be undone then.
    mutating func catchUp(
        _ kept: SubscriptionRecord, until moment: Timestamp, _ scope: borrowing WriteScope
    ) throws -> SubscriptionRecord {
        let due = try takeSome(of: kept, until: moment, scope)
        guard !Self.isDue(due, at: moment) else { throw Refusal.busy }
        return due
    }

    /// Takes as many steps as a waiting request may.
    mutating func takeSome(
        of kept: SubscriptionRecord, until moment: Timestamp, _ scope: borrowing WriteScope
    ) throws -> SubscriptionRecord {
        var due = try scope.reading.settling(kept)
        var steps: Int64 = 0
        while Self.isDue(due.kept, at: moment), steps < Self.catchUpStepsMax,
            let dueAt = due.kept.state.dueAt
        {
            try step(&due, at: dueAt, scope)
            steps += 1
        }
        return due.kept
    }

    /// Takes one step at the moment when it was due; `answer` is that of the payment it waited for.
    /// Returns the amount taken of the payment.
    @discardableResult
    mutating func step(
        _ due: inout DueSubscription, at moment: Timestamp, answer: PaymentAnswer? = nil,
        _ scope: borrowing WriteScope
    ) throws -> Money? {
        var taken: Money?
        let facts = try facts(for: due, at: moment, scope)
        recorded = max(recorded, moment)
        time.record(moment)
        report.accounts.insert(due.kept.account)
        switch RenewalRules.due(due.kept.state, facts, at: moment) {
        case .nothing:
            throw DatabaseError(
                code: .notADatabase, detail: "subscription \(due.kept.original) is due for nothing")
        case .charge(let bill):
            // With a purchase more than a receipt can show, none could ever be made again.
            if try isReceiptFull(of: due, scope) {
                // The grace period is promised, so it ends after that.
                if case .gracePeriod = due.kept.state.phase {
                    try fail(&due, facts, at: moment, recorded: recorded, scope)
                } else {
                    try expire(&due, .other, at: recorded, scope)
                }
                break
            }
            let payment: RenewalPayment =
                try due.failsRenewals
                ? .fails : due.kept.payment(of: bill.amount, answer: answer, scope)
            switch payment {
            case .pays(let missing):
                taken = missing
                if let taken, case .authorized(let payment) = answer {
                    try scope.take(taken, of: payment, at: recorded)
                }
                try renew(&due, bill, at: recorded, scope)
            case .asks(let missing): try ask(&due, missing, bill, at: recorded, scope)
            case .fails: try fail(&due, facts, at: moment, recorded: recorded, scope)
            }
        case .tryLater: try fail(&due, facts, at: moment, recorded: recorded, scope)
        case .endGracePeriod:
            let before = due.kept.state
            due.kept.state = RenewalRules.graceEnded(before)
            try noteWatchers(of: due.kept, scope)
            try scope.record(
                .gracePeriodEnded(due.kept.changed(from: before)), of: due.kept, at: recorded)
        case .expire(let reason): try expire(&due, reason, at: recorded, scope)
        }
        try scope.update(due.kept)
        return taken
    }

    /// The receipt's changes were counted at most one commit's steps ago.
    private func isReceiptFull(
        of due: DueSubscription, _ scope: borrowing WriteScope
    ) throws -> Bool {
        try scope.reading.isReceiptFull(
            of: due.kept.account, in: due.kept.app, changes: due.receiptChanges,
            purchasesSinceMax: max(DueWork.stepsMax, Int(Self.catchUpStepsMax)))
    }

    /// The decision on a subscription at a moment, without carrying it out.
    mutating func decision(
        on kept: SubscriptionRecord, at moment: Timestamp, _ scope: borrowing WriteScope
    ) throws -> RenewalDecision {
        let due = try scope.reading.settling(kept)
        let decision = RenewalRules.due(
            kept.state, try facts(for: due, at: moment, scope), at: moment)
        if case .charge = decision, try isReceiptFull(of: due, scope) { return .expire(.other) }
        return decision
    }

    private mutating func expire(
        _ due: inout DueSubscription, _ reason: ExpirationReason, at recorded: Timestamp,
        _ scope: borrowing WriteScope
    ) throws {
        let before = due.kept.state
        due.kept.state = RenewalRules.expired(before, reason)
        report.endings += 1
        try noteWatchers(of: due.kept, scope)
        try scope.withdrawQuestion(about: before, after: due.kept, at: recorded)
        try scope.record(
            .expired(reason, due.kept.changed(from: before)), of: due.kept, at: recorded)
    }

    private mutating func renew(
        _ due: inout DueSubscription, _ bill: SubscriptionBill, at recorded: Timestamp,
        _ scope: borrowing WriteScope
    ) throws {
        let kept = due.kept
        let id = try scope.nextTransactionID(kept.environment)
        let transaction = StoreTransaction(
            id: id, original: kept.original, environment: kept.environment, app: kept.app,
            account: kept.account, device: kept.device, attempt: AttemptID("renewal/\(id)"),
            product: bill.plan.product, kind: .autoRenewable, quantity: 1,
            purchasedAt: bill.startsAt, originallyPurchasedAt: kept.boughtAt,
            charged: bill.amount, storefront: due.storefront.countryCode,
            applicationUsername: kept.applicationUsername, finishedAt: nil,
            subscription: SubscribedPeriod(bill, isRenewal: true))
        try scope.addTransaction(transaction)
        try kept.environment.gateway.charge(transaction, at: recorded, scope)
        due.kept.newest = id
        due.kept.state = RenewalRules.paid(kept.state, bill)
        try scope.update(due.kept)
        let period = due.kept.changed(from: kept.state)
        let price = due.kept.nextPrice(
            try product(due.kept.state.productToRenew, of: kept.app, at: recorded, scope),
            in: due.storefront, at: recorded)
        try scope.record(
            .renewed(period), of: transaction, to: due.kept,
            renewing: NextRenewal(price: price, winBacks: []), at: recorded)
        try scope.withdrawQuestion(about: kept.state, after: due.kept, at: recorded)
        try scope.raiseReceiptRevision(of: kept.account, in: kept.app)
        report.accounts.formUnion(
            try FamilySharing.share(transaction, beginning: period, at: recorded, scope))
        report.renewals += 1
    }

    private mutating func ask(
        _ due: inout DueSubscription, _ amount: Money, _ bill: SubscriptionBill,
        at recorded: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        due.kept.payment = try scope.ask(
            amount, for: .renewal(due.kept.original), of: bill.plan.product,
            by: due.kept.account, in: due.kept.app, due.kept.environment, at: recorded,
            real: time.real())
        report.asked += 1
    }

    private mutating func fail(
        _ due: inout DueSubscription, _ facts: RenewalFacts, at moment: Timestamp,
        recorded: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        let before = due.kept.state
        due.kept.state = RenewalRules.unpaid(before, facts, at: moment)
        report.failedPayments += 1
        // Retries after the first change nothing that anyone is notified of.
        guard before.phase == .active else { return }
        try noteWatchers(of: due.kept, scope)
        try scope.record(
            .renewalFailed(due.kept.changed(from: before)), of: due.kept, at: recorded)
    }

    private mutating func noteWatchers(
        of kept: SubscriptionRecord, _ scope: borrowing WriteScope
    ) throws {
        report.watchers.formUnion(try scope.reading.copies(of: kept.newest).map(\.account))
    }

    private mutating func facts(
        for due: DueSubscription, at moment: Timestamp, _ scope: borrowing WriteScope
    ) throws -> RenewalFacts {
        let (app, state) = (due.kept.app, due.kept.state)
        let product = try product(state.productToRenew, of: app, at: moment, scope)
        let isForSale = product?.state == .clearedForSale
        let plan =
            isForSale
            ? product.flatMap { SubscriptionPlan($0, in: due.storefront, at: moment) } : nil
        return RenewalFacts(
            plan: plan, pace: try pace(of: due.kept.environment, scope),
            gracePeriod: due.gracePeriod)
    }

    /// A product as devices see it at a moment: changes on their way do not apply yet.
    private mutating func product(
        _ id: ProductID, of app: AppID, at moment: Timestamp, _ scope: borrowing WriteScope
    ) throws -> Product? {
        if let known = products[app]?[id], known.from <= moment { return known.product }
        let (found, isSettled) = try scope.reading.shown(id, of: app, at: moment)
        if isSettled { products[app, default: [:]][id] = (found, moment) }
        return found
    }

    private mutating func pace(
        of environment: StoreEnvironment, _ scope: borrowing WriteScope
    ) throws -> RenewalPace {
        if let known = paces[environment] { return known }
        let found = try scope.reading.pace(of: environment)
        paces[environment] = found
        return found
    }
}
