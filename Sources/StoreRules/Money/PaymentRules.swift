package import StoreModel

/// What a provider is asked next.
package enum PaymentStep: String, CaseIterable, Sendable {
    case authorization
    case capture
    case void
}

/// What a provider said, or that it said nothing.
package enum ProviderOutcome: Hashable, Sendable {
    case approved(reference: String?)
    case declined(reason: String?)
    /// It may have done it, or not: it is asked again. `why` is for the log.
    case unknown(why: String)
}

/// A payment from its request to its end. What was sold for it is decided by the purchase and the
/// renewal.
package enum PaymentRules {
    /// For how long a provider is asked to authorize, by the real clock. Nobody waits longer for
    /// something to be bought, and what was not captured costs nobody anything.
    package static let authorizationMilliseconds: Int64 = 15 * 60 * 1_000
    /// For how long what a provider approved waits for another payment of its account, from its
    /// request on: that is decided by then, and what is authorized is not kept for ever.
    package static let approvedMilliseconds: Int64 = 60 * 60 * 1_000
    /// How soon it is looked at again, when nothing says that the other payment is decided.
    package static let putOffMilliseconds: Int64 = 5_000
    /// The longest pause before a provider is asked again.
    package static let pauseMillisecondsMax: Int64 = 300_000

    /// What a provider is asked for when so much is missing: no less, in whole units of what the
    /// currency can be paid in.
    package static func asked(_ missing: Money) -> Money {
        let unit = missing.currency.smallestMilliunits
        let rest = missing.milliunits % unit
        // Only what no price comes near to leaves 64 bits.
        guard rest > 0, missing.milliunits <= .max - unit else { return missing }
        return Money(milliunits: missing.milliunits - rest + unit, currency: missing.currency)
    }

    /// Nil when nothing is to be asked any more.
    package static func step(of state: Payment.State) -> PaymentStep? {
        switch state {
        case .authorizing: .authorization
        case .capturing: .capture
        case .voiding: .void
        case .declined, .captured, .voided, .failed: nil
        }
    }

    /// When a provider is asked again after so many requests that it did not answer: after 1, 2, 4
    /// and so on seconds, and when an authorization is given up.
    package static func nextTry(
        _ payment: Payment?, afterTries tries: Int64, real: Timestamp
    ) -> Timestamp {
        let next = real.adding(milliseconds: pause(afterTries: tries))
        guard let payment, payment.state == .authorizing else { return next }
        return max(real, min(next, givenUpAt(payment)))
    }

    private static func givenUpAt(_ payment: Payment) -> Timestamp {
        payment.askedReal.adding(
            milliseconds: payment.isApproved ? approvedMilliseconds : authorizationMilliseconds)
    }

    static func pause(afterTries tries: Int64) -> Int64 {
        let doublings = min(max(tries, 1) - 1, 20)
        return min(1_000 << doublings, pauseMillisecondsMax)
    }

    /// Whether an authorization is not asked for any more. Whoever buys has gone by then; a renewal,
    /// for which nobody waits, is asked for at least once, however long others kept it waiting.
    package static func isGivenUp(_ payment: Payment, real: Timestamp) -> Bool {
        guard payment.state == .authorizing, givenUpAt(payment) <= real else { return false }
        return switch payment.purpose {
        case .purchase: true
        case .renewal: payment.tries > 0
        }
    }

    /// Something was sold for it, for which so much is captured.
    package static func sold(
        _ payment: Payment, as transaction: TransactionID, capturing captured: Money
    ) -> Payment {
        var sold = payment
        sold.state = .capturing
        sold.transaction = transaction
        sold.captured = captured
        return sold
    }

    /// The provider let it be captured or voided, or did not.
    package static func ended(_ payment: Payment, _ outcome: ProviderOutcome) -> Payment {
        var ended = payment
        switch (payment.state, outcome) {
        case (.capturing, .approved): ended.state = .captured
        case (.voiding, .approved): ended.state = .voided
        case (.capturing, .declined(let reason)), (.voiding, .declined(let reason)):
            ended.state = .failed
            ended.reason = reason
        case (_, .unknown), (.authorizing, _), (.declined, _), (.captured, _), (.voided, _),
            (.failed, _):
            break
        }
        return ended
    }

    /// What of a charge can pay for something else, when so much of it is left and so much of its
    /// payment went back: all of it, but for what the provider declined to capture.
    package static func refundable(
        left: Money, paidWith payment: Payment?, paidOut: Int64
    ) -> Money {
        guard let payment, payment.state == .failed, let captured = payment.captured,
            captured.currency == left.currency
        else { return left }
        let unpaid = max(0, captured.milliunits - paidOut)
        return Money(milliunits: max(0, left.milliunits - unpaid), currency: left.currency)
    }

    /// What of the money that goes back for a purchase goes back to its provider, when so much of
    /// its payment went back before, in whole units of the currency; nil for nothing.
    package static func payout(
        of given: Money, for payment: Payment, paidOut: Int64
    ) -> Money? {
        guard let captured = payment.captured, captured.currency == given.currency else {
            return nil
        }
        let left = min(given.milliunits, captured.milliunits - paidOut)
        let most = left - left % captured.currency.smallestMilliunits
        return most > 0 ? Money(milliunits: most, currency: given.currency) : nil
    }
}
