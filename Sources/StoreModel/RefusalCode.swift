/// The refusals of a purchase, in the order in which they are checked.
package enum RefusalCode: String, Codable, CaseIterable, Sendable {
    /// The quantity is not 1 to 10, or not 1 for a product that is owned once.
    case quantityNotAllowed
    case productUnknown
    case productNotForSale
    /// A subscription without a group or a period, which cannot be sold.
    case kindNotSold
    /// The environment did not accept money: attempts in older stores have it; new ones never do.
    case productionClosed
    /// The account's receipt in the app has no room for another purchase.
    case receiptFull
    /// The offer of a payment, or a part of its authorization, is empty.
    case missingOfferParameters
    /// The product does not have such an offer, or is not a subscription.
    case invalidOfferIdentifier
    /// The developer did not sign this, or not for this payment, or the signature was used before.
    case invalidOfferSignature
    /// The offer is not cheaper than the subscription without it.
    case invalidOfferPrice
    /// The owner has deactivated the code.
    case offerCodeDeactivated
    case offerCodeExpired
    /// The account has already redeemed this or another code of the same offer.
    case offerCodeUsedBefore
    /// It was redeemed as often as allowed, by any accounts.
    case offerCodeUsedUp
    /// The sheet's price is not the one that would be charged now.
    case priceChanged
    /// Too many purchases of this account are already waiting.
    case tooManyWaiting
    /// The approver declined it.
    case declined
    /// The account already has this subscription, and it renews.
    case alreadySubscribed
    /// The account is not eligible for the offer.
    case offerNotEligible
    /// The account's store credit does not cover the price.
    case insufficientCredit
    /// The payment provider declined what credit does not cover.
    case paymentDeclined
    /// The payment provider did not answer for too long.
    case paymentUnavailable

    /// Whether it is about how the customer pays, which the sheet reports.
    package var isOfPayment: Bool {
        switch self {
        case .insufficientCredit, .paymentDeclined, .paymentUnavailable: true
        case .quantityNotAllowed, .productUnknown, .productNotForSale, .kindNotSold,
            .productionClosed, .receiptFull, .missingOfferParameters, .invalidOfferIdentifier,
            .invalidOfferSignature, .invalidOfferPrice, .offerCodeDeactivated,
            .offerCodeExpired, .offerCodeUsedBefore, .offerCodeUsedUp, .priceChanged,
            .tooManyWaiting, .declined, .alreadySubscribed, .offerNotEligible:
            false
        }
    }
}
