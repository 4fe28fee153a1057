package import StoreModel

/// Why a refund stays as it is.
package enum RefundRequestRefusal: Error, Hashable, Sendable {
    /// There is a request already, for another reason.
    case requestedBefore
    /// The purchase was taken back.
    case takenBack
    /// The purchase was made too long ago.
    case tooOld
    case consumption(ConsumptionFault)
    /// The app said something else before.
    case answeredBefore
    /// The app did not say, or too late, what was consumed, which a prorated refund goes by.
    case consumptionUnknown
    /// A prorated refund would give nothing back.
    case nothingLeft
    /// It was decided otherwise before; that state is the request's.
    case decided(Refund.State)
    /// Only what was granted is reversed.
    case notGranted
}

/// What happens to a request.
package enum RefundEvent: Hashable, Sendable {
    case answer(Consumption)
    case grant(RefundType)
    case decline
    case reverse
}

/// The life of a refund request: a state goes in with what happened, and the state after it comes
/// out; the same one when that happened before.
package enum RefundRules {
    /// For how long after a purchase its money can be asked back, in milliseconds: 90 days. Apple's
    /// support names that many.
    package static let windowMilliseconds: Int64 = 90 * 86_400_000
    /// For how long what the app says is waited for. Source: Apple, *Send Consumption Information*.
    package static let answerMilliseconds: Int64 = 12 * 3_600_000

    /// Until when the app's answer counts.
    package static func answerDue(_ refund: Refund) -> Timestamp {
        refund.requestedAt.adding(milliseconds: answerMilliseconds)
    }

    /// Money is asked back; once for a purchase, whatever was decided. Source: Apple,
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
            // What comes late does not count.
            let answer = refund.answer.flatMap { $0.at <= answerDue(refund) ? $0 : nil }
            let left = try RefundShare.left(of: facts, answer?.consumption, at: now)
            guard left > 0 else { throw .nothingLeft }
            return .granted(
                RefundGrant(
                    type: type, percentage: left,
                    amount: RefundShare.amount(left, of: facts.charged), at: now))
        }
    }
}
