import StoreModel

/// Something about which the store has a message for the customer, as long as it lasts.
enum MessageOccasion: Hashable, Sendable {
    /// A price that waits for the customer's answer, by the store's number.
    case priceIncrease(worldId: String, number: Int64)
    /// The renewal of a period could not be charged; the transaction is the period's.
    case billingIssue(transactionID: UInt64)
    /// A subscription has ended, and the customer may come back at a better price; the transaction is
    /// its last period's.
    case winBackOffer(transactionID: UInt64)

    var reason: Message.Reason {
        switch self {
        case .priceIncrease: .priceIncreaseConsent
        case .billingIssue: .billingIssue
        case .winBackOffer: .winBackOffer
        }
    }

    /// The occasion that a subscription's status gives, if any. A family member cannot mend the payment
    /// of the one who subscribed.
    init?(_ status: Product.SubscriptionInfo.Status) {
        let transaction = status.transaction.unsafePayloadValue
        switch status.state {
        case .inBillingRetryPeriod, .inGracePeriod:
            guard transaction.ownershipType == .purchased else { return nil }
            self = .billingIssue(transactionID: transaction.id)
        case .expired:
            guard !status.renewalInfo.unsafePayloadValue.eligibleWinBackOfferIDs.isEmpty
            else { return nil }
            self = .winBackOffer(transactionID: transaction.id)
        default: return nil
        }
    }
}
