import StoreModel

/// What a product list says about a subscription, checked.
struct SubscriptionTerms {
    let length: CalendarSpan?
    let offers: [PromotionalOffer]

    init(
        _ item: ProductListFile.Item, _ kind: ProductKind, at place: String
    ) throws(ListTrouble) {
        let isSubscription = kind == .autoRenewable || kind == .nonRenewing
        try Self.check(item.service, "service", isSubscription, "subscriptions", at: place)
        try Self.check(
            item.group, "group", kind == .autoRenewable, "auto-renewable subscriptions", at: place)
        length = try Self.length(item, kind, at: place)
        offers = try Self.offers(item, kind, at: place)
    }

    private static func check(
        _ text: String?, _ name: String, _ fits: Bool, _ kinds: String, at place: String
    ) throws(ListTrouble) {
        guard let text else { return }
        guard fits else {
            throw ListTrouble(place: "\(place).\(name)", sentence: "is for \(kinds)")
        }
        try word(text, at: "\(place).\(name)", max: 255)
    }

    private static func length(
        _ item: ProductListFile.Item, _ kind: ProductKind, at place: String
    ) throws(ListTrouble) -> CalendarSpan? {
        guard let text = item.length else { return nil }
        guard kind == .nonRenewing else {
            throw ListTrouble(
                place: place + ".length",
                sentence: "is for non-renewing subscriptions only; the store knows it for others")
        }
        guard let length = CalendarSpan(iso8601: text) else {
            throw ListTrouble(
                place: place + ".length",
                sentence: "\"\(text)\" is not a length of up to a year, such as P7D, P2W, P1M or "
                    + "P1Y")
        }
        return length
    }

    private static func offers(
        _ item: ProductListFile.Item, _ kind: ProductKind, at place: String
    ) throws(ListTrouble) -> [PromotionalOffer] {
        guard let written = item.offers, !written.isEmpty else { return [] }
        guard kind == .autoRenewable, item.group != nil else {
            throw ListTrouble(
                place: place + ".offers",
                sentence: "are for auto-renewable subscriptions with a group")
        }
        guard written.count <= BackendLimits.offersPerProductMax else {
            throw ListTrouble(
                place: place + ".offers",
                sentence: "has more than \(BackendLimits.offersPerProductMax) items")
        }
        var offers: [PromotionalOffer] = []
        for (index, offer) in written.enumerated() {
            let place = "\(place).offers[\(index)]"
            try word(offer.offerId, at: place + ".offerId", max: BackendLimits.offerIDBytesMax)
            for text in [item.productId, offer.offerId]
            where text.unicodeScalars.contains("\u{2063}") {
                throw ListTrouble(
                    place: place,
                    sentence: "\"\(text)\" holds U+2063, which separates what is signed")
            }
            guard !offers.contains(where: { $0.id == offer.offerId }) else {
                throw ListTrouble(
                    place: place + ".offerId", sentence: "\"\(offer.offerId)\" is listed twice")
            }
            guard (1...BackendLimits.offerUsesMax).contains(offer.usesPerUser) else {
                throw ListTrouble(
                    place: place + ".usesPerUser",
                    sentence: "must be 1 to \(BackendLimits.offerUsesMax)")
            }
            offers.append(
                PromotionalOffer(id: offer.offerId, usesPerUserMax: offer.usesPerUser))
        }
        return offers
    }
}
