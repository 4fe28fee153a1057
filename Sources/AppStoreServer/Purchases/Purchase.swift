import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning

/// One attempt on its way through one commit.
struct Purchase: Sendable {
    let request: PurchaseRequest
    let session: DeviceSession
    let account: Account
    let environment: StoreEnvironment
    var returnsCurrentPeriod = false

    struct Outcome: Sendable {
        let attempt: Attempt
        let transaction: DeliveredTransaction?
        let receiptRevision: Int64
        /// Whether this commit made it, and not an earlier one.
        let isNew: Bool
        /// The reason why its offer is refused.
        var why: String?
    }

    /// Loads the facts, lets the rules decide and stores the result.
    func decide(_ scope: borrowing WriteScope, time: WorldTime) throws -> Outcome {
        let known = try scope.reading.attempt(request.attempt, of: session.device)
        // One moment decides product, price and date of the purchase.
        let now = time.now()
        let product = try shownProduct(scope.reading, now: now)
        if known == nil {
            let standing = try settleDue(of: product, scope, at: now, time: time)
            try checkDate(after: standing, at: now)
        }
        let realNow = time.real()
        // A known attempt was judged before and used up its signature.
        var judged = JudgedOffer()
        if known == nil {
            judged = try judgeOffer(for: product, scope.reading, now: now, realNow: realNow)
        }
        let facts = try loadFacts(
            scope.reading, of: product, known: known,
            settings: try scope.reading.settings(of: account.id), offer: judged, now: now)
        let command = PurchaseCommand(
            account: account.id, bodyDigest: request.digest, quantity: request.quantity,
            shownPrice: request.shownPrice, simulatesAskToBuy: request.simulatesAskToBuy,
            returnsCurrentPeriod: returnsCurrentPeriod)
        var decision = PurchaseRules.decide(command, given: facts)
        if case .ask(let price, let missing) = decision,
            try isDeclined(scope.reading, real: realNow)
        {
            decision = .unpaid(price: price, missing: missing)
        }
        if request.mustIntroduce { try requireIntroduction(in: decision) }
        try useUp(judged, for: decision, scope, realNow: realNow)
        switch decision {
        case .idReused:
            throw Refusal(
                409, "attemptIdReused",
                "This attempt id was used before for another purchase or account; make a new one.")
        case .answerKnown:
            guard let known else { preconditionFailure("only a stored attempt is known") }
            return try outcome(of: known, scope.reading, isNew: false)
        case .refuse(let reason):
            var refused = try conclude(attempt(.refused, refusal: reason), at: now, scope)
            refused.why = judged.why
            return refused
        case .unpaid(_, let missing):
            return try conclude(refused(lacking: missing), at: now, scope)
        case .sell(let product, let charge, let original):
            let now = time.record(now)
            let sold = try addTransaction(
                of: product, charge: charge, original: original, at: now, scope)
            return try conclude(with: sold, at: now, scope)
        case .subscribe(let bill, let refund):
            let now = time.record(now)
            let sold = try subscribe(bill, refund: refund, at: now, scope)
            try goOn(with: sold, at: now, scope, time: time)
            return try conclude(with: sold, at: now, scope)
        case .changeRenewal(let product, let offer, let group):
            let now = time.record(now)
            let period = try changeRenewal(
                to: product, offer, group: group, at: now, scope)
            return try conclude(attempt(.done, transaction: period.id), at: now, scope)
        case .later: throw Refusal.paymentOpen
        case .wait(let cause):
            return try keep(until: cause, judged, at: time.record(now), scope).outcome
        case .ask(_, let missing):
            let now = time.record(now)
            let kept = try keep(until: .payment, judged, at: now, scope)
            try ask(for: missing, as: kept.number, at: now, real: realNow, scope)
            return kept.outcome
        }
    }

    /// Stores the attempt with everything needed to decide it when the answer comes; returns its
    /// number among the waiting ones.
    private func keep(
        until cause: WaitingCause, _ judged: JudgedOffer, at now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws -> (outcome: Outcome, number: Int64) {
        let attempt = attempt(cause.attemptState)
        try scope.addAttempt(attempt, of: session.device, now: now)
        let number = try scope.addWaitingPurchase(
            request, of: account.id, on: session.device, cause: cause,
            judged, now: now)
        return (try outcome(of: attempt, scope.reading, isNew: true), number)
    }

    func shownProduct(_ scope: borrowing ReadScope, now: Timestamp) throws -> Product? {
        try scope.shownProduct(request.product, of: session.app, at: now)
    }

    func loadFacts(
        _ scope: borrowing ReadScope, of product: Product?, known: Attempt?,
        settings: AccountSettings, offer judged: JudgedOffer, isAnswered: Bool = false,
        paidBy payment: Payment? = nil, now: Timestamp
    ) throws -> PurchaseFacts {
        let means =
            known == nil ? try means(for: product, paidBy: payment, scope) : nil
        let mayWait =
            settings.holdsPurchases || request.simulatesAskToBuy || means?.asksProvider == true
        return PurchaseFacts(
            environment: environment, storefront: account.storefront, now: now,
            beginsAt: date(at: now),
            knownAttempt: known.map {
                PurchaseFacts.KnownAttempt(account: $0.account, bodyDigest: $0.bodyDigest)
            },
            product: product,
            firstPurchase: product?.kind.isBoughtOnce == true
                ? try scope.firstPurchase(of: request.product, in: session.app, by: account.id)
                : nil,
            settings: settings,
            waitingCount: mayWait && !isAnswered ? try scope.waitingCount(of: account.id) : 0,
            isReceiptFull: known == nil
                ? try scope.isReceiptFull(of: account.id, in: session.app) : false,
            subscription: product?.kind == .autoRenewable
                ? try subscriptionFacts(
                    of: product, askedAt: payment?.askedAt,
                    isIntroductionAllowed: judged.isIntroductionAllowed, scope, now: now) : nil,
            offer: judged.asked, means: means)
    }

    /// Stores an attempt that ended without a transaction of its own.
    private func conclude(
        _ attempt: Attempt, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws -> Outcome {
        try scope.addAttempt(attempt, of: session.device, now: now)
        return try outcome(of: attempt, scope.reading, isNew: true)
    }

    /// Stores the attempt of a transaction and the new receipt revision.
    private func conclude(
        with transaction: StoreTransaction, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws -> Outcome {
        let attempt = attempt(.done, transaction: transaction.id)
        try scope.addAttempt(attempt, of: session.device, now: now)
        let revision = try scope.bumpReceiptRevision(of: account.id, in: session.app)
        let receipt = DeviceReceipt(
            account: account.id, appVersion: session.appVersion, revision: revision,
            opaqueValue: randomBytes(16), createdAt: now)
        try scope.saveDeviceReceipt(receipt, of: session.device)
        return Outcome(
            attempt: attempt,
            transaction: try delivered(transaction, scope.reading),
            receiptRevision: revision, isNew: true)
    }

    /// Stores a transaction and its event.
    func addTransaction(
        of product: Product, charge: Money, original: StoreTransaction?, at now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws -> StoreTransaction {
        let id = try scope.nextTransactionID(environment)
        // A free copy is no older than the purchase that it counts as, whatever a test asks for.
        let date = max(date(at: now), original?.originallyPurchasedAt ?? date(at: now))
        let transaction = StoreTransaction(
            id: id, original: original?.original ?? id, environment: environment,
            app: session.app, account: account.id, device: session.device, attempt: request.attempt,
            product: product.id, kind: product.kind, quantity: request.quantity,
            purchasedAt: date, originallyPurchasedAt: original?.originallyPurchasedAt ?? date,
            charged: charge,
            storefront: account.storefront.countryCode,
            applicationUsername: request.applicationUsername, finishedAt: nil)
        try scope.addTransaction(transaction)
        try pay(for: transaction, at: now, scope)
        try scope.record(
            .bought(product.kind, owned: transaction.standsFor), of: transaction, at: now)
        try FamilySharing.share(transaction, at: now, scope)
        return transaction
    }

    func attempt(
        _ state: AttemptState, transaction: TransactionID? = nil, refusal: RefusalCode? = nil
    ) -> Attempt {
        Attempt(
            id: request.attempt, account: account.id, bodyDigest: request.digest, state: state,
            transaction: transaction, refusal: refusal)
    }

    /// The outcome of a stored attempt.
    func known(_ scope: borrowing ReadScope) throws -> Outcome {
        guard let attempt = try scope.attempt(request.attempt, of: session.device) else {
            throw DatabaseError(code: .other, detail: "attempt \(request.attempt) is missing")
        }
        return try outcome(of: attempt, scope, isNew: false)
    }

    private func outcome(
        of attempt: Attempt, _ scope: borrowing ReadScope, isNew: Bool
    ) throws -> Outcome {
        let transaction = try attempt.transaction.flatMap { try scope.transaction($0) }
        return Outcome(
            attempt: attempt,
            transaction: try transaction.map {
                var delivered = try delivered($0, isTakenBack: scope.isTakenBack($0), scope)
                if attempt.isAnswered(with: $0) { delivered.answered = attempt }
                return delivered
            },
            receiptRevision: try scope.receiptRevision(of: account.id, in: session.app),
            isNew: isNew)
    }

    private func delivered(
        _ transaction: StoreTransaction, isTakenBack: Bool = false, _ scope: borrowing ReadScope
    ) throws -> DeliveredTransaction {
        DeliveredTransaction(
            transaction: transaction, deviceGuid: session.guid, isTakenBack: isTakenBack
        )
        .bringing(try scope.currentContent(of: transaction.product, in: transaction.app))
    }
}
