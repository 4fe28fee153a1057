import StoreDatabase
import StoreModel
import StoreRules
import StoreService

/// What is asked of a refund, on its way through one commit: by the customer, by the app's server,
/// or by whoever decides for the store.
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

    /// Gives the request after it; the same when that happened before. Of a family's
    /// subscriptions `left` are not settled; throws a `DueTrouble` for another that cannot be.
    func carryOut(
        on id: TransactionID, except left: Set<TransactionID>, _ scope: borrowing WriteScope,
        time: WorldTime
    ) throws -> Outcome {
        let found = try scope.reading { try $0.transaction(id) }
        guard let found else { throw Refusal.transactionUnknown }
        let purchase = try scope.reading { try $0.refundedPurchase(of: found) }
        if let share = purchase.share { throw Refusal.isShared(of: share.purchase) }
        let known = try scope.reading { try $0.refund(of: purchase.id) }
        let facts = try scope.reading { try $0.refundFacts(of: purchase) }
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
        let named = try scope.reading { try $0.namedRefund(of: purchase.id) }
        guard let named else { throw Refusal.refundUnknown }
        return Outcome(refund: named, isNew: changed != known)
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
            case .request(_): preconditionFailure("a request is no event of one")
            case .answer(let consumption): .answer(consumption)
            case .grant(let type): .grant(type)
            case .decline: .decline
            case .reverse: .reverse
            }
        return try RefundRules.applying(event, to: known, facts, at: now)
    }

    /// What a step that is new brings about.
    private func follow(
        _ refund: Refund, of purchase: StoreTransaction, at now: Timestamp,
        except left: Set<TransactionID>, _ scope: borrowing WriteScope, time: WorldTime
    ) throws {
        switch self {
        case .request(let reason):
            try stopRenewing(purchase, scope, time: time)
            try scope.addEvent(
                .refundRequested, of: purchase, subject: reason.rawValue, at: time.record(now))
        case .answer: time.record(now)
        case .grant:
            _ = try RevocationService.revoke(
                purchase, refund.reason.revocationReason, amount: refund.grant?.amount,
                refund: purchase.id, at: now, time: time, scope)
        case .decline:
            try scope.addEvent(.refundDeclined, of: purchase, at: time.record(now))
        case .reverse:
            try RefundReversal.giveBack(
                purchase, at: time.record(now), except: left, scope, time: time)
        }
    }

    /// Who asks for the money of a subscription does not go on with it. Source: Apple,
    /// *DID_CHANGE_RENEWAL_STATUS*.
    private func stopRenewing(
        _ purchase: StoreTransaction, _ scope: borrowing WriteScope, time: WorldTime
    ) throws {
        guard purchase.subscription != nil else { return }
        _ = try SubscriptionChange.settle(purchase.original, scope, time: time)
        let kept = try scope.reading { try $0.subscription(purchase.original) }
        guard let kept, kept.state.isOpen, kept.state.isAutoRenewing else { return }
        _ = try SubscriptionChange.setAutoRenew(false).carryOut(
            on: purchase.original, scope, time: time)
    }
}

extension Refusal {
    static let transactionUnknown = Refusal(
        404, "transactionUnknown", "There is no such transaction in this world.")

    static let refundUnknown = Refusal(
        404, "refundUnknown", "Nobody asked for the money of this transaction.")

    init(_ refusal: RefundRequestRefusal) {
        switch refusal {
        case .requestedBefore:
            self.init(
                409, "refundRequested",
                "The money was asked back before, for another reason; a purchase has one request.")
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
                409, "consumptionAnswered", "The app said something else of the consumption before."
            )
        case .consumptionUnknown:
            self.init(
                409, "consumptionUnknown",
                "The app did not say in time how much was consumed, by which a share is reckoned.")
        case .nothingLeft:
            self.init(
                409, "nothingLeft",
                "Nothing is left of the purchase; grant the refund in full, or decline it.")
        case .decided(let state):
            self.init(409, "refundDecided", "The request was \(state.rawValue) before.")
        case .notGranted:
            self.init(
                409, "refundNotGranted", "Only a refund that was granted is reversed.")
        }
    }
}

extension ConsumptionFault {
    fileprivate var sentence: String {
        switch self {
        case .notConsented: "customerConsented is true, or nothing is said."
        case .percentageOutOfRange:
            "consumptionPercentage is 0 to \(Percentage.whole), in thousandths of a percent; "
                + "with GRANT_PRORATED between them."
        case .undeliveredConsumed:
            "consumptionPercentage is 0 of what was not delivered."
        case .percentageOfSubscription:
            "consumptionPercentage is not of auto-renewable subscriptions, whose time tells it."
        }
    }
}
