package import StoreModel

/// The next request to a provider.
package enum PaymentStep: String, CaseIterable, Sendable {
    case authorization
    case capture
    case void
}

/// A provider's answer, or the lack of one.
package enum ProviderOutcome: Hashable, Sendable {
    case approved(reference: String?)
    case declined(reason: String?)
    /// It may have been done, or not: the provider is asked again. `why` is for the log.
    case unknown(why: String)
}

/// A payment from its request to its end. The purchase and the renewal decide what was sold for it.
package enum PaymentRules {
    /// How long a provider is asked to authorize, by the real clock. Customers do not wait longer
    /// for a purchase, and an uncaptured amount costs nothing.
    package static let authorizationMilliseconds: Int64 = 15 * 60 * 1_000
    /// How long an approved payment waits for another payment of its account, counted from its own
    /// request: the other one is decided by then, and an authorization must not be kept for ever.
    package static let approvedMilliseconds: Int64 = 60 * 60 * 1_000
    /// When it is checked again, if nothing reports that the other payment was decided.
    package static let putOffMilliseconds: Int64 = 5_000
    /// The longest pause before a provider is asked again.
    package static let pauseMillisecondsMax: Int64 = 300_000

    /// The amount to request when this much is missing: no less, in units that the currency can be
    /// paid in.
    package static func asked(_ missing: Money) -> Money {
        let unit = missing.currency.smallestMilliunits
        let rest = missing.milliunits % unit
        // Only an amount far above any price exceeds 64 bits.
        guard rest > 0, missing.milliunits <= .max - unit else { return missing }
        return Money(milliunits: missing.milliunits - rest + unit, currency: missing.currency)
    }

    /// Nil when there is nothing left to request.
    package static func step(of state: Payment.State) -> PaymentStep? {
        switch state {
        case .authorizing: .authorization
        case .capturing: .capture
        case .voiding: .void
        case .declined, .captured, .voided, .failed: nil
        }
    }

    /// When a provider is asked again after unanswered requests: after 1, 2, 4 seconds and so on,
    /// and when an authorization is given up.
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

    /// Whether an authorization is no longer requested. A buyer has left by then; a renewal, for
    /// which nobody waits, is requested at least once, however long others delayed it.
    package static func isGivenUp(_ payment: Payment, real: Timestamp) -> Bool {
        guard payment.state == .authorizing, givenUpAt(payment) <= real else { return false }
        return switch payment.purpose {
        case .purchase: true
        case .renewal: payment.tries > 0
        }
    }

    /// A sale was made, for which this amount is captured.
    package static func sold(
        _ payment: Payment, as transaction: TransactionID, capturing captured: Money
    ) -> Payment {
        var sold = payment
        sold.state = .capturing
        sold.transaction = transaction
        sold.captured = captured
        return sold
    }

    /// The provider carried out a capture or a void, or declined it.
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

    /// The part of a charge that can pay for something else, given the rest of the charge and the
    /// refunds of its payment: all of it, except what the provider declined to capture.
    package static func refundable(
        left: Money, paidWith payment: Payment?, paidOut: Int64
    ) -> Money {
        guard let payment, payment.state == .failed, let captured = payment.captured,
            captured.currency == left.currency
        else { return left }
        let unpaid = max(0, captured.milliunits - paidOut)
        return Money(milliunits: max(0, left.milliunits - unpaid), currency: left.currency)
    }

    /// The part of a refund that goes to the provider, given the earlier refunds of its payment, in
    /// whole units of the currency; nil for none.
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
