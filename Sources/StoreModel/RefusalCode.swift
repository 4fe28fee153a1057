/// The refusals of a purchase, in the order they are looked for.
package enum RefusalCode: String, Codable, CaseIterable, Sendable {
    /// The quantity is not 1 to 10, or not 1 for a kind that is bought once.
    case quantityNotAllowed
    case productUnknown
    case productNotForSale
    /// A subscription without a group or a period, which nobody can have.
    case kindNotSold
    /// The environment takes no money yet.
    case productionClosed
    /// The account's receipt in the app has no room for another purchase.
    case receiptFull
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
}
