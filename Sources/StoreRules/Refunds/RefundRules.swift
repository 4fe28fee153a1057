package import StoreModel

/// Why a refund request stays unchanged.
package enum RefundRequestRefusal: Error, Hashable, Sendable {
    /// There is already a request, for another reason.
    case requestedBefore
    /// The purchase was revoked.
    case takenBack
    /// The purchase was made too long ago.
    case tooOld
    case consumption(ConsumptionFault)
    /// The app reported something else before.
    case answeredBefore
    /// The app did not report, or not in time, what was consumed, which a prorated refund requires.
    case consumptionUnknown
    /// A prorated refund would be zero.
    case nothingLeft
    /// It was decided otherwise before; the request has this state.
    case decided(Refund.State)
    /// Only a granted refund can be reversed.
    case notGranted
}

/// An event of a request.
package enum RefundEvent: Hashable, Sendable {
    case answer(Consumption)
    case grant(RefundType)
    case decline
    case reverse
}

/// The life of a refund request: a state and an event give the next state; a repeated event gives
/// the same one.
package enum RefundRules {
    /// How long after a purchase a refund can be requested, in milliseconds: 90 days, as Apple's
    /// support states.
    package static let windowMilliseconds: Int64 = 90 * 86_400_000
    /// How long to wait for the app's report. Source: Apple, *Send Consumption Information*.
    package static let answerMilliseconds: Int64 = 12 * 3_600_000

    /// Until when the app's report counts.
    package static func answerDue(_ refund: Refund) -> Timestamp {
        refund.requestedAt.adding(milliseconds: answerMilliseconds)
    }

    /// Requests a refund; once per purchase, whatever was decided. Source: Apple,
    /// *RefundRequestError.duplicateRequest*.
    package static func request(
        of transaction: TransactionID, for reason: RefundReason, known: Refund?,
        _ facts: RefundFacts, at now: Timestamp
    ) throws(RefundRequestRefusal) -> Refund {
        if let known {
            guard known.reason == reason else { throw .requestedBefore }
            return known
        }
        guard !facts.isTakenBack else { throw .takenBack }
        let age = now.milliseconds - facts.purchasedAt.milliseconds
        guard age <= windowMilliseconds else { throw .tooOld }
        return Refund(transaction: transaction, reason: reason, requestedAt: now)
    }

    package static func applying(
        _ event: RefundEvent, to refund: Refund, _ facts: RefundFacts, at now: Timestamp
    ) throws(RefundRequestRefusal) -> Refund {
        var changed = refund
        switch event {
        case .answer(let consumption):
            changed.answer = try answer(consumption, refund, facts, at: now)
        case .grant(let type): changed.decision = try grant(type, refund, facts, at: now)
        case .decline:
            switch refund.decision {
            case nil: changed.decision = .declined(at: now)
            case .declined: break
            case .granted, .reversed: throw .decided(refund.state)
            }
        case .reverse:
            switch refund.decision {
            case .granted(let grant): changed.decision = .reversed(grant, at: now)
            case .reversed: break
            case .declined, nil: throw .notGranted
            }
        }
        return changed
    }

    private static func answer(
        _ consumption: Consumption, _ refund: Refund, _ facts: RefundFacts, at now: Timestamp
    ) throws(RefundRequestRefusal) -> Refund.Answer {
        do {
            try ConsumptionRules.check(consumption, of: facts.kind)
        } catch {
            throw .consumption(error)
        }
        if let known = refund.answer {
            guard known.consumption == consumption else { throw .answeredBefore }
            return known
        }
        guard refund.decision == nil else { throw .decided(refund.state) }
        return Refund.Answer(consumption, at: now)
    }

    private static func grant(
        _ type: RefundType, _ refund: Refund, _ facts: RefundFacts, at now: Timestamp
    ) throws(RefundRequestRefusal) -> Refund.Decision {
        switch refund.decision {
        case .granted(let known)? where known.type == type: return .granted(known)
        case .granted, .declined, .reversed: throw .decided(refund.state)
        case nil: break
        }
        guard !facts.isTakenBack else { throw .takenBack }
        switch type {
        case .full:
            return .granted(
                RefundGrant(
                    type: type, percentage: Percentage.whole, amount: facts.charged, at: now))
        case .prorated:
            // A late report does not count.
            let answer = refund.answer.flatMap { $0.at <= answerDue(refund) ? $0 : nil }
            let left = try RefundShare.left(of: facts, answer?.consumption, at: now)
            let amount = facts.charged.share(left, of: Percentage.whole)
            guard amount.milliunits > 0 else { throw .nothingLeft }
            return .granted(RefundGrant(type: type, percentage: left, amount: amount, at: now))
        }
    }
}
