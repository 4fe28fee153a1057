import Foundation
import StoreModel
import StoreWire

/// Subscriptions as commands print them.
enum SubscriptionWords {
    /// One line with everything that a command may have changed.
    static func line(_ body: SubscriptionBody) -> String {
        let facts = [
            body.productId, state(of: body), renewal(of: body), increase(of: body),
            body.failsBilling ? "its renewals are made to fail" : nil,
        ]
        return "\(body.originalTransactionId) of \(body.account): "
            + facts.compactMap { $0 }.joined(separator: ", ")
    }

    static func state(of body: SubscriptionBody) -> String {
        let end = TimeWords.text(body.expiresDate)
        if let payment = body.paymentId {
            return switch body.state {
            case .gracePeriod: "served until \(grace(of: body)), waiting for payment \(payment)"
            default: "its period ends \(end), waiting for payment \(payment)"
            }
        }
        return switch body.state {
        case .active: "active until \(end)"
        case .gracePeriod: "served until \(grace(of: body)), its payment is overdue"
        case .billingRetry: "not served since \(end), its payment is overdue"
        case .expired: "ended \(end) (\(reason(body.expirationReason)))"
        case .revoked: "revoked"
        }
    }

    /// The notes for `list`, which does not have a column for them.
    static func notes(on body: SubscriptionBody) -> String {
        var notes: [String] = []
        if body.failsBilling { notes.append("made to fail") }
        if let increase = body.priceIncrease {
            notes.append("\(amount(of: increase, body)) \(word(increase.consent))")
        }
        return notes.isEmpty ? "-" : notes.joined(separator: ", ")
    }

    private static func grace(of body: SubscriptionBody) -> String {
        TimeWords.text(body.gracePeriodExpiresDate ?? body.expiresDate)
    }

    private static func renewal(of body: SubscriptionBody) -> String {
        guard let product = body.autoRenewProductId else { return "does not renew" }
        guard let milliunits = body.renewalPriceMilliunits else { return "renews as \(product)" }
        let price = AmountWords.text(milliunits, body.renewalCurrency ?? body.currency)
        return "renews as \(product) for \(price)"
    }

    private static func increase(of body: SubscriptionBody) -> String? {
        guard let increase = body.priceIncrease else { return nil }
        let price = amount(of: increase, body)
        return switch increase.consent {
        case .notNeeded: "the customer was notified of \(price)"
        case .pending: "the customer is asked about \(price) and has not answered"
        case .agreed: "the customer agreed to \(price)"
        case .declined: "the customer declined \(price)"
        }
    }

    private static func amount(of increase: PriceIncreaseBody, _ body: SubscriptionBody) -> String {
        AmountWords.text(increase.priceMilliunits, body.currency)
    }

    private static func word(_ consent: Subscription.PriceIncrease.Consent) -> String {
        switch consent {
        case .notNeeded: "told"
        case .pending: "asked"
        case .agreed: "agreed to"
        case .declined: "declined"
        }
    }

    private static func reason(_ number: Int64?) -> String {
        switch number.flatMap({ ExpirationReason(rawValue: $0) }) {
        case .voluntary: "renewal was off"
        case .billingError: "it was not paid"
        case .noPriceConsent: "the customer did not agree to its price"
        case .productUnavailable: "the product was not for sale"
        case .other, nil: "for another reason"
        }
    }
}
