/// Why a subscription ended, by its number in receipts and notifications.
package enum ExpirationReason: Int64, CaseIterable, Sendable {
    /// The customer turned renewal off.
    case voluntary = 1
    case billingError = 2
    /// The customer did not agree to a higher price.
    case noPriceConsent = 3
    /// The product was not for sale at the renewal.
    case productUnavailable = 4
    case other = 5
}

/// An auto-renewable subscription of one account in one group of an app, from its first purchase
/// on; it stays the same one when it ends and begins again.
package struct Subscription: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// Paid until `expiresAt`.
        case active
        /// The renewal was not paid; it is served until then, and the payment is retried.
        case gracePeriod(until: Timestamp)
        /// The renewal was not paid; the payment is retried.
        case billingRetry
        case expired(ExpirationReason)
        /// Its last period was revoked.
        case revoked

        /// A phase without its values; the names are those of the wire.
        package enum Name: String, Codable, CaseIterable, Sendable {
            case active, gracePeriod, billingRetry, expired, revoked
        }

        package var name: Name {
            switch self {
            case .active: .active
            case .gracePeriod: .gracePeriod
            case .billingRetry: .billingRetry
            case .expired: .expired
            case .revoked: .revoked
            }
        }

        package var graceUntil: Timestamp? {
            guard case .gracePeriod(let end) = self else { return nil }
            return end
        }

        package var expirationReason: ExpirationReason? {
            guard case .expired(let reason) = self else { return nil }
            return reason
        }
    }

    /// The moment from which months are counted, and how many have passed, so that a subscription
    /// of 31 January renews on 28 February and on 31 March.
    package struct Anchor: Hashable, Sendable {
        package let at: Timestamp
        package let months: Int

        package init(at: Timestamp, months: Int) {
            self.at = at
            self.months = months
        }
    }

    /// An offer of the current period, and how many more periods have it.
    package struct OfferInUse: Hashable, Sendable {
        package let kind: SubscriptionOffer.Kind
        package let id: String?
        package let mode: SubscriptionOffer.PaymentMode
        /// The price of each remaining period.
        package let price: Money
        package let periodsLeft: Int
        /// As in `SubscribedPeriod.Offer.duration`.
        package let duration: CalendarSpan?

        package init(
            kind: SubscriptionOffer.Kind, id: String?, mode: SubscriptionOffer.PaymentMode,
            price: Money, periodsLeft: Int, duration: CalendarSpan?
        ) {
            self.kind = kind
            self.id = id
            self.mode = mode
            self.price = price
            self.periodsLeft = periodsLeft
            self.duration = duration
        }
    }

    /// A higher price that begins with the next renewal.
    package struct PriceIncrease: Hashable, Sendable {
        package enum Consent: String, Codable, CaseIterable, Sendable {
            /// The customer is notified of the price, which applies without an answer.
            case notNeeded
            case pending
            case agreed
            case declined
        }

        package let price: Money
        package var consent: Consent
        /// The number of the question that asks for consent, the newest one if the customer was
        /// asked again; nil when none is needed.
        package var question: Int64?

        /// Whether the price may be charged.
        package var isAgreed: Bool {
            switch consent {
            case .notNeeded, .agreed: true
            case .pending, .declined: false
            }
        }

        package init(price: Money, consent: Consent, question: Int64? = nil) {
            self.price = price
            self.consent = consent
            self.question = question
        }
    }

    /// The retries of a failed payment.
    package struct Retry: Hashable, Sendable {
        package let endsAt: Timestamp
        package var nextAt: Timestamp

        package init(endsAt: Timestamp, nextAt: Timestamp) {
            self.endsAt = endsAt
            self.nextAt = nextAt
        }
    }

    package let original: TransactionID
    /// When the present run of periods began: short gaps do not end it. As
    /// *recentSubscriptionStartDate*.
    package var runStartedAt: Timestamp
    package var phase: Phase
    package var product: ProductID
    package var period: RenewalPeriod
    /// When the newest period began, which was charged.
    package var startedAt: Timestamp
    /// When it ends, or ended.
    package var expiresAt: Timestamp
    package var anchor: Anchor
    /// The price of a renewal without an offer: the price at the sale, until a higher one replaces
    /// it.
    package var price: Money
    package var isAutoRenewing: Bool
    /// The customer's choice for the next renewal; nil when it renews unchanged.
    package var nextProduct: ProductID?
    /// The offer with which the chosen product begins; it may be the current product.
    package var nextOffer: SubscriptionOffer?
    package var offer: OfferInUse?
    package var increase: PriceIncrease?
    /// Whether the owner raised its price: it then does not fall with the price of its product.
    package var isRaised: Bool
    package var retry: Retry?
    /// The renewals since it was last bought by hand.
    package var renewalCount: Int

    package init(
        original: TransactionID, runStartedAt: Timestamp? = nil, phase: Phase = .active,
        product: ProductID,
        period: RenewalPeriod, startedAt: Timestamp, expiresAt: Timestamp, anchor: Anchor,
        price: Money, isAutoRenewing: Bool = true, nextProduct: ProductID? = nil,
        nextOffer: SubscriptionOffer? = nil, offer: OfferInUse? = nil,
        increase: PriceIncrease? = nil, isRaised: Bool = false, retry: Retry? = nil,
        renewalCount: Int = 0
    ) {
        self.original = original
        self.runStartedAt = runStartedAt ?? startedAt
        self.phase = phase
        self.product = product
        self.period = period
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.anchor = anchor
        self.price = price
        self.isAutoRenewing = isAutoRenewing
        self.nextProduct = nextProduct
        self.nextOffer = nextOffer
        self.offer = offer
        self.increase = increase
        self.isRaised = isRaised
        self.retry = retry
        self.renewalCount = renewalCount
    }

    /// When the next automatic event is due; nil when none is.
    package var dueAt: Timestamp? {
        switch phase {
        case .active: expiresAt
        // With renewal turned off there is no further charge, and the days of grace continue.
        case .gracePeriod(let end): isAutoRenewing ? min(end, retry?.nextAt ?? end) : end
        case .billingRetry: retry.map { min($0.endsAt, $0.nextAt) }
        case .expired, .revoked: nil
        }
    }

    /// Whether the customer may use what it sells.
    package var isServed: Bool {
        switch phase {
        case .active, .gracePeriod: true
        case .billingRetry, .expired, .revoked: false
        }
    }

    /// The product of the next period, if there is one.
    package var productToRenew: ProductID { nextProduct ?? product }

    /// Whether it may still renew automatically.
    package var isOpen: Bool {
        switch phase {
        case .active, .gracePeriod, .billingRetry: true
        case .expired, .revoked: false
        }
    }
}
