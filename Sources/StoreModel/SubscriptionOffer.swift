/// Another price for the beginning of a subscription, or for coming back to one.
package struct SubscriptionOffer: Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// For who never had one in the group.
        case introductory
        /// For who subscribes or did, with the developer's signature.
        case promotional
        /// For who has a code.
        case code
        /// For who does not subscribe any more.
        case winBack
    }

    package enum PaymentMode: String, Codable, CaseIterable, Sendable {
        case freeTrial
        /// Each of so many periods at the offer's price.
        case payAsYouGo
        /// All of them at once.
        case payUpFront
    }

    /// Whom an offer code is for.
    package enum Customer: String, Codable, CaseIterable, Sendable {
        case new
        case existing
        case expired
    }

    package let kind: Kind
    /// The offer's identifier, or the reference name of a code's; nil for an introductory one.
    package let id: String?
    package let mode: PaymentMode
    /// Of one period: for `payAsYouGo` the subscription's own.
    package let span: CalendarSpan
    /// How many of them, from 1.
    package let periodCount: Int
    /// Of one payment; 0 for a free trial.
    package let price: Price
    /// Of an offer code; empty for the other kinds.
    package let customers: Set<Customer>

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
