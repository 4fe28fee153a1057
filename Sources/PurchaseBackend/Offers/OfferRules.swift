/// Why an offer is not signed, in the order in which the reasons are checked.
package enum OfferDenial: Hashable, Sendable {
    /// The list does not have such an offer of such a product.
    case unknown
    /// The user never had a subscription of the group.
    case notEligible
    /// The user's subscription runs at this offer's price.
    case inUse
    /// The user used it as often as the list allows, or was promised that.
    case usedUp
}

/// What is known of a user who wants an offer.
package struct OfferStanding: Hashable, Sendable {
    /// The groups in which the user has or had a subscription.
    package let groups: Set<String>
    /// Whether one of them runs with this offer now.
    package let isRunning: Bool
    /// Signatures for this offer that were used, and those that can still be.
    package let promises: Int64
}

/// Who is given a promotional offer: values in, a refusal out.
package enum OfferRules {
    /// The offer of a product that the list gives out.
    package static func offer(
        _ request: OfferRequest, in products: ProductList
    ) -> (group: String, offer: PromotionalOffer)? {
        guard let product = products[request.productID], let group = product.group,
            let offer = product.offers.first(where: { $0.id == request.offerID })
        else { return nil }
        return (group, offer)
    }

    /// Nil when the offer may be signed.
    package static func refusal(
        _ request: OfferRequest, in products: ProductList, _ standing: OfferStanding
    ) -> OfferDenial? {
        guard let (group, offer) = offer(request, in: products) else { return .unknown }
        guard standing.groups.contains(group) else { return .notEligible }
        guard !standing.isRunning else { return .inUse }
        return standing.promises < Int64(offer.usesPerUserMax) ? nil : .usedUp
    }
}
