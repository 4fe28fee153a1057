/// A special price for the beginning of a subscription, or for coming back to one.
package struct SubscriptionOffer: Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// For accounts that never had one in the group.
        case introductory
        /// For current and former subscribers, with the developer's signature.
        case promotional
        /// For customers with a code.
        case code
        /// For former subscribers.
        case winBack

        /// Whether customers redeem it; an introductory one begins by itself.
        package var isRedeemed: Bool { self != .introductory }
    }

    package enum PaymentMode: String, Codable, CaseIterable, Sendable {
        case freeTrial
        /// Each of `periodCount` periods at the offer's price.
        case payAsYouGo
        /// All of them at once.
        case payUpFront
    }

    /// The customers an offer code is for.
    package enum Customer: String, Codable, CaseIterable, Sendable {
        case new
        case existing
        case expired
    }

    package let kind: Kind
    /// The offer's identifier, or the reference name of a code's; nil for an introductory one.
    package let id: String?
    package let mode: PaymentMode
    /// The length of one period: for `payAsYouGo`, the subscription's own.
    package let span: CalendarSpan
    /// The number of periods, from 1.
    package let periodCount: Int
    /// The price of one payment; 0 for a free trial.
    package let price: Price
    /// Of an offer code; empty for the other kinds.
    package let customers: Set<Customer>

    /// How long one payment of it lasts. Assumed to be *offerPeriod* in signed data.
    package var duration: CalendarSpan {
        mode == .payAsYouGo ? span : span.times(periodCount)
    }

    package init(
        kind: Kind, id: String?, mode: PaymentMode, span: CalendarSpan, periodCount: Int,
        price: Price, customers: Set<Customer> = []
    ) {
        self.kind = kind
        self.id = id
        self.mode = mode
        self.span = span
        self.periodCount = periodCount
        self.price = price
        self.customers = customers
    }
}
