/// What happened to an account in an app, with what the store's rules knew at that moment.
///
/// The account, the app, the time and the transaction concerned are stated where it is recorded.
package enum Happening: Hashable, Sendable {
    /// A product other than an auto-renewable subscription was bought. `owned` is the purchase that
    /// it repeats at no charge.
    case bought(ProductKind, owned: TransactionID?)
    /// A waiting attempt ended without a transaction of its own.
    case declined(AttemptID)
    /// The app finished a transaction.
    case finished
    /// A purchase was restored to a device, in a transaction of its own.
    case restored
    /// A test deleted a transaction, which belongs to nobody from then on.
    case deleted
    /// The app's server named the user of a purchase, or of a subscription from its present period
    /// on.
    case appAccountTokenSet
    /// The account buys in another storefront.
    case storefrontChanged(Storefront)

    /// A period of a subscription was bought by hand: the first, one after an end, or one of
    /// another product that replaces the current one at once.
    case subscribed(SubscriptionTransition)
    /// Another product took the place of a period before its end.
    case replaced
    /// A subscription's next period was paid for, on time or after retries.
    case renewed(SubscriptionTransition)
    /// Its payment failed for the first time.
    case renewalFailed(SubscriptionTransition)
    /// It is no longer served, and its payment is still retried.
    case gracePeriodEnded(SubscriptionTransition)
    case expired(ExpirationReason, SubscriptionTransition)
    /// The customer turned renewal on or off, or chose what it renews as, perhaps as before.
    case renewalChanged(SubscriptionTransition)
    /// Its period was made longer, by a request of the app's server or by the owner.
    case extended(SubscriptionTransition, request: String?)
    /// The end of a transaction's period was moved, along with its subscription's or that of the
    /// family member who shares it, of which another happening tells.
    case periodMoved
    /// It could not be made longer with all others of its product, as the app's server requested.
    case extensionFailed(request: String)
    /// A higher price was announced, with or without the need for consent.
    case priceIncreased(SubscriptionTransition)

    /// The account was asked whether it agrees to a price.
    case priceAsked(question: Int64)
    /// It answered; the transition is that of the subscription concerned, if there is one.
    case priceAnswered(question: Int64, PriceConsent.Answer, SubscriptionTransition?)
    case priceQuestionWithdrawn(question: Int64)

    /// The customer asked for a purchase's money back.
    case refundRequested(RefundReason)
    /// A purchase was taken back. `standsFor` is the purchase that the transaction repeats or
    /// restores. The transition is that of a subscription that ended with its newest period.
    case refunded(ProductKind, standsFor: TransactionID?, SubscriptionTransition?)
    case refundDeclined
    /// A granted refund was reversed, with `standsFor` as in `refunded`.
    case refundReversed(standsFor: TransactionID?)

    /// A family member's purchase is now shared with the account.
    case shared(ProductKind, SharedAccess)
    /// A shared subscription was renewed; the transition is that of its owner, nil when the account
    /// gets the period later than the owner did.
    case sharedRenewal(SubscriptionTransition?)
    /// A shared purchase is no longer shared, or was taken back from its owner.
    case shareEnded
}

/// How a family member comes to use what another one bought.
package enum SharedAccess: Hashable, Sendable {
    case first
    /// An earlier share of the same subscription had ended.
    case regained
    /// The owner bought another period of a shared subscription by hand; the transition is as in
    /// `Happening.sharedRenewal`.
    case nextPeriod(SubscriptionTransition?)
}
