package import StoreModel

/// `GET /control/v1/subscriptions`: those of the world, oldest first.
package struct SubscriptionsBody: Codable, Hashable, Sendable {
    package let subscriptions: [SubscriptionBody]
    /// Where the next page continues; absent on the last.
    package let next: Int64?

    package init(subscriptions: [SubscriptionBody], next: Int64?) {
        self.subscriptions = subscriptions
        self.next = next
    }
}

/// A subscription as the store's owner sees it.
package struct SubscriptionBody: Codable, Hashable, Sendable {
    /// The number of its first transaction, which names it.
    package let originalTransactionId: String
    package let environment: StoreEnvironment
    package let account: String
    package let bundleId: String
    package let group: String
    package let productId: String
    package let state: Subscription.Phase.Name
    /// Of the newest period.
    package let transactionId: String
    /// Milliseconds since 1970, of the newest period.
    package let startDate: Timestamp
    package let expiresDate: Timestamp
    /// 1 to 5, as in receipts' `expiration_intent`; present when it ended.
    package let expirationReason: Int64?
    package let gracePeriodExpiresDate: Timestamp?
    /// When the next payment is tried, while one is owed.
    package let nextPaymentDate: Timestamp?
    package let autoRenews: Bool
    /// The product that it renews as; absent when it does not renew.
    package let autoRenewProductId: String?
    /// Of the current product, without an offer.
    package let priceMilliunits: Int64
    package let currency: String
    /// Of the next renewal, with its offer; absent when it does not renew, or its product is not
    /// for sale.
    package let renewalPriceMilliunits: Int64?
    package let renewalCurrency: String?
    package let offer: SubscriptionOfferBody?
    package let priceIncrease: PriceIncreaseBody?
    /// Whether its renewal payments are made to fail.
    package let failsBilling: Bool
    /// The payment whose answer it waits for: until then nothing else happens to it, even if its
    /// period is over. Absent when there is none.
    package let paymentId: String?
    /// Since it was last bought by hand.
    package let renewals: Int
    /// The next step that comes by itself; absent when there is none.
    package let next: SubscriptionStepBody?

    package init(
        originalTransactionId: String, environment: StoreEnvironment, account: String,
        bundleId: String, group: String, transactionId: String, failsBilling: Bool,
        payment: PaymentID?, renewalPrice: Money?, next: SubscriptionStepBody?,
        _ subscription: Subscription
    ) {
        self.originalTransactionId = originalTransactionId
        self.environment = environment
        self.account = account
        self.bundleId = bundleId
        self.group = group
        self.transactionId = transactionId
        self.failsBilling = failsBilling
        paymentId = payment?.rawValue
        productId = subscription.product.rawValue
        state = subscription.phase.name
        startDate = subscription.startedAt
        expiresDate = subscription.expiresAt
        expirationReason = subscription.phase.expirationReason?.rawValue
        gracePeriodExpiresDate = subscription.phase.graceUntil
        nextPaymentDate = subscription.isAutoRenewing ? subscription.retry?.nextAt : nil
        autoRenews = subscription.isAutoRenewing
        autoRenewProductId =
            subscription.isAutoRenewing
            ? subscription.productToRenew.rawValue : nil
        priceMilliunits = subscription.price.milliunits
        currency = subscription.price.currency.code
        renewalPriceMilliunits = renewalPrice?.milliunits
        renewalCurrency = renewalPrice?.currency.code
        offer = subscription.offer.map { SubscriptionOfferBody($0) }
        priceIncrease = subscription.increase.map { PriceIncreaseBody($0) }
        renewals = subscription.renewalCount
        self.next = next
    }
}

/// The offer of the current period.
package struct SubscriptionOfferBody: Codable, Hashable, Sendable {
    package let kind: SubscriptionOffer.Kind
    package let offerId: String?
    package let paymentMode: SubscriptionOffer.PaymentMode
    /// The number of periods with the offer after this one.
    package let periodsLeft: Int

    package init(_ offer: Subscription.OfferInUse) {
        kind = offer.kind
        offerId = offer.id
        paymentMode = offer.mode
        periodsLeft = offer.periodsLeft
    }
}

/// A higher price from the next renewal.
package struct PriceIncreaseBody: Codable, Hashable, Sendable {
    package let priceMilliunits: Int64
    package let consent: Subscription.PriceIncrease.Consent

    init(_ increase: Subscription.PriceIncrease) {
        priceMilliunits = increase.price.milliunits
        consent = increase.consent
    }
}

/// `POST /control/v1/subscriptions/{original}/renew`, which may also have no body.
package struct RenewSubscriptionBody: Codable, Hashable, Sendable {
    /// The newest period, `transactionId`, as last seen; if there is a newer one, nothing is done.
    /// So a request whose answer was lost can be repeated.
    package let expectedTransactionId: String?

    package init(expectedTransactionId: String?) {
        self.expectedTransactionId = expectedTransactionId
    }
}

/// `POST /control/v1/subscriptions/{original}/expire`, which may also have no body.
package struct ExpireSubscriptionBody: Codable, Hashable, Sendable {
    /// 1 to 5, as in receipts' `expiration_intent`; 1 when absent.
    package let expirationReason: Int64?

    package init(expirationReason: Int64?) {
        self.expirationReason = expirationReason
    }
}

/// `POST /control/v1/subscriptions/{original}/choose`
package struct ChooseSubscriptionBody: Codable, Hashable, Sendable {
    /// The product that it will renew as; the current product cancels a choice.
    package let productId: String

    package init(productId: String) {
        self.productId = productId
    }
}

/// `POST /control/v1/subscriptions/{original}/extend`
package struct ExtendSubscriptionBody: Codable, Hashable, Sendable {
    /// The maximum days of one extension, as in the App Store Server API.
    package static let daysMax = 90

    package let days: Int
    /// The end of the period, `expiresDate`, as last seen; if it has changed, nothing is done. So a
    /// request whose answer was lost can be repeated.
    package let expectedExpiresDate: Timestamp?

    package init(days: Int, expectedExpiresDate: Timestamp? = nil) {
        self.days = days
        self.expectedExpiresDate = expectedExpiresDate
    }
}

/// `POST /control/v1/subscriptions/{original}/price-increase`
package struct IncreaseSubscriptionPriceBody: Codable, Hashable, Sendable {
    /// A decimal in the subscription's currency, above its current price.
    package let price: String
    /// Whether the subscription ends unless the customer agrees; if so, the customer is asked.
    package let needsConsent: Bool

    package init(price: String, needsConsent: Bool) {
        self.price = price
        self.needsConsent = needsConsent
    }
}
