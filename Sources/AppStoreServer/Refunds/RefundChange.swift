import StoreDatabase
import StoreModel
import StoreRules
import StoreService

/// A step of a refund, on its way through one commit: by the customer, by the app's server, or by
/// whoever decides for the store.
enum RefundChange: Sendable {
    case request(RefundReason)
    case answer(Consumption)
    case grant(RefundType)
    case decline
    case reverse

    struct Outcome: Sendable {
        let refund: NamedRefund
        /// Whether anything was changed.
        let isNew: Bool
    }

    /// Returns the changed request; the same one when that happened before. Of a family's
    /// subscriptions those in `left` are not settled; throws a `DueTrouble` for any other that
    /// cannot be.
    func carryOut(
        on id: TransactionID, except left: Set<TransactionID>, _ scope: borrowing WriteScope,
        time: WorldTime
    ) throws -> Outcome {
        let found = try scope.reading.transaction(id)
        guard let found, try !scope.reading.isRemains(found.account) else {
            throw Refusal.transactionUnknown
        }
        let purchase = try scope.reading.refundedPurchase(of: found)
        if let share = purchase.share { throw Refusal.isShared(of: share.purchase) }
        if isForCustomer, try scope.reading.isDeleted(purchase.account) {
            throw Refusal.accountDeleted
        }
        let known = try scope.reading.refund(of: purchase.id)
        let facts = try scope.reading.refundFacts(of: purchase)
        let now = time.now()
        let changed: Refund
        do {
            changed = try decide(known, of: purchase.id, facts, at: now)
        } catch let refusal as RefundRequestRefusal {
            throw Refusal(refusal)
        }
        if changed != known {
            try scope.save(changed)
            try follow(changed, of: purchase, at: now, except: left, scope, time: time)
        }
        let named = try scope.reading.namedRefund(of: purchase.id)
        guard let named else { throw Refusal.refundUnknown }
        return Outcome(refund: named, isNew: changed != known)
    }

    /// Whether the customer asks for it, or has the purchase afterwards.
    private var isForCustomer: Bool {
        switch self {
        case .request, .reverse: true
        case .answer, .grant, .decline: false
        }
    }

    private func decide(
        _ known: Refund?, of purchase: TransactionID, _ facts: RefundFacts, at now: Timestamp
    ) throws -> Refund {
        if case .request(let reason) = self {
            return try RefundRules.request(
                of: purchase, for: reason, known: known, facts, at: now)
        }
        guard let known else { throw Refusal.refundUnknown }
        let event: RefundEvent =
            switch self {
            case .request(_): preconditionFailure("a request is not an event of a refund")
            case .answer(let consumption): .answer(consumption)
            case .grant(let type): .grant(type)
            case .decline: .decline
            case .reverse: .reverse
            }
        return try RefundRules.applying(event, to: known, facts, at: now)
    }

    /// The effects of a new step.
    private func follow(
        _ refund: Refund, of purchase: StoreTransaction, at now: Timestamp,
        except left: Set<TransactionID>, _ scope: borrowing WriteScope, time: WorldTime
    ) throws {
        switch self {
        case .request(let reason):
            try stopRenewing(purchase, scope, time: time)
            try scope.record(.refundRequested(reason), of: purchase, at: time.record(now))
        case .answer: time.record(now)
        case .grant:
            _ = try RevocationService.revoke(
                purchase, refund.reason.revocationReason, amount: refund.grant?.amount,
                refund: purchase.id, at: now, time: time, scope)
        case .decline:
            try scope.record(.refundDeclined, of: purchase, at: time.record(now))
        case .reverse:
            try RefundReversal.giveBack(
                purchase, at: time.record(now), except: left, scope, time: time)
        }
    }

    /// A customer who asks for a subscription's money back stops renewing it. Source: Apple,
    /// *DID_CHANGE_RENEWAL_STATUS*.
    private func stopRenewing(
        _ purchase: StoreTransaction, _ scope: borrowing WriteScope, time: WorldTime
    ) throws {
        guard purchase.subscription != nil else { return }
        _ = try SubscriptionChange.settle(purchase.original, scope, time: time)
        let kept = try scope.reading.subscription(purchase.original)
        guard let kept, kept.state.isOpen, kept.state.isAutoRenewing else { return }
        _ = try SubscriptionChange.setAutoRenew(false).carryOut(
            on: purchase.original, scope, time: time)
    }
}

extension Refusal {
    static let transactionUnknown = Refusal(
        404, "transactionUnknown", "This world has no such transaction.")

    static let refundUnknown = Refusal(
        404, "refundUnknown", "Nobody has asked for a refund of this transaction.")

    init(_ refusal: RefundRequestRefusal) {
        switch refusal {
        case .requestedBefore:
            self.init(
                409, "refundRequested",
                "A refund was requested before, for another reason; a purchase has only one "
                    + "request.")
        case .takenBack:
            self.init(409, "transactionRevoked", "The purchase was taken back.")
        case .tooOld:
            self.init(
                409, "refundTooLate",
                "The purchase is more than "
                    + "\(RefundRules.windowMilliseconds / 86_400_000) days old.")
        case .consumption(let fault): self.init(422, "badField", fault.sentence)
        case .answeredBefore:
            self.init(
                409, "consumptionAnswered",
                "The app reported another consumption before, and the first report stands.")
        case .consumptionUnknown:
            self.init(
                409, "consumptionUnknown",
                "The app did not report the consumption in time, so a share cannot be computed; "
                    + "grant the refund in full, or decline it.")
        case .nothingLeft:
            self.init(
                409, "nothingLeft",
                "A share of the purchase would refund nothing; grant the refund in full, or decline "
                    + "it.")
        case .decided(let state):
            self.init(409, "refundDecided", "The request was already \(state.rawValue).")
        case .notGranted:
            self.init(
                409, "refundNotGranted", "Only a granted refund can be reversed.")
        }
    }
}

extension ConsumptionFault {
    fileprivate var sentence: String {
        switch self {
        case .notConsented: "customerConsented must be true; without consent, report nothing."
        case .percentageOutOfRange:
            "consumptionPercentage must be 0 to \(Percentage.whole), in thousandths of a percent; "
                + "with GRANT_PRORATED, strictly between them."
        case .undeliveredConsumed:
            "consumptionPercentage must be 0 for a purchase that was not delivered."
        case .percentageOfSubscription:
            "consumptionPercentage is not for auto-renewable subscriptions, whose time determines "
                + "it."
        }
    }
}
