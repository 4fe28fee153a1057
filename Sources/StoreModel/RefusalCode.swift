/// The refusals of a purchase, in the order they are looked for.
package enum RefusalCode: String, Codable, CaseIterable, Sendable {
    /// The quantity is not 1 to 10, or not 1 for a kind that is bought once.
    case quantityNotAllowed
    case productUnknown
    case productNotForSale
    /// A subscription without a group or a period, which nobody can have.
    case kindNotSold
    /// The environment took no money: attempts of stores of before have it, and no new one gets it.
    case productionClosed
    /// The account's receipt in the app has no room for another purchase.
    case receiptFull
    /// The offer of a payment, or a part of what stands for it, is empty.
    case missingOfferParameters
    /// The product has no such offer, or is no subscription.
    case invalidOfferIdentifier
    /// The developer did not sign this, or not for this payment, or it was used before.
    case invalidOfferSignature
    /// The offer costs no less than the subscription does without it.
    case invalidOfferPrice
    /// The code's owner has ended it.
    case offerCodeDeactivated
    case offerCodeExpired
    /// The account redeemed a code of the same offer before, this one or another.
    case offerCodeUsedBefore
    /// As often as it may be, by whomever.
    case offerCodeUsedUp
    /// The sheet showed another price than the one that would be charged now.
    case priceChanged
    /// Too many purchases of this account wait for somebody already.
    case tooManyWaiting
    /// Who was asked to approve it did not.
    case declined
    /// The account has this subscription, and it goes on.
    case alreadySubscribed
    /// The offer is not for this account.
    case offerNotEligible
    /// The account's store credit is less than what it costs.
    case insufficientCredit
    /// The payment provider declined what credit does not pay.
    case paymentDeclined
    /// The payment provider gave no answer for too long.
    case paymentUnavailable

    /// Whether it is about how its person pays, who is told at the sheet.
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
