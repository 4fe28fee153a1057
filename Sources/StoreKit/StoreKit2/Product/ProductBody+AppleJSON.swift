import Foundation
import StoreModel
import StoreWire

extension ProductBody {
    /// The product as Apple's JSON has it, as far as clients have been seen to read it. The address
    /// in Apple's catalogue is left out.
    var appleJSON: JSONValue {
        let prices = PriceFormat(self)
        var attributes: [JSONValue.Member] = [
            .init("name", .string(localizedTitle)),
            .init("description", ["standard": .string(localizedDescription)]),
            .init("offerName", .string(productId)),
            .init("kind", .string(Product.ProductType(kind).rawValue)),
            .init("icuLocale", .string(priceLocale)),
            .init("isFamilyShareable", .integer(isFamilyShareable ? 1 : 0)),
        ]
        if let subscriptionGroupIdentifier {
            attributes.append(.init("subscriptionFamilyId", .string(subscriptionGroupIdentifier)))
        }
        if let subscriptionGroupDisplayName {
            attributes.append(
                .init("subscriptionFamilyName", .string(subscriptionGroupDisplayName)))
        }
        if let subscriptionGroupLevel {
            attributes.append(.init("subscriptionFamilyRank", .integer(subscriptionGroupLevel)))
        }
        attributes.append(.init("offers", .array([offer(prices)])))
        return .object([
            .init("id", .string(internalId ?? productId)),
            .init("type", "in-apps"),
            .init("attributes", .object(attributes)),
        ])
    }

    private func offer(_ prices: PriceFormat) -> JSONValue {
        var members: [JSONValue.Member] = [.init("currencyCode", .string(currency))]
        members += price(priceMilliunits, prices)
        if let subscriptionPeriod {
            members.append(
                .init("recurringSubscriptionPeriod", .string(subscriptionPeriod.rawValue)))
        }
        let discounts =
            (introductoryOffer.map { [($0, "IntroOffer")] } ?? [])
            + (promotionalOffers ?? []).map { ($0, "AdhocOffer") }
            + (winBackOffers ?? []).map { ($0, "WinBackOffer") }
        if !discounts.isEmpty {
            members.append(
                .init("discounts", .array(discounts.map { discount($0, type: $1, prices) })))
        }
        return .object(members)
    }

    private func discount(_ offer: OfferBody, type: String, _ prices: PriceFormat) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("type", .string(type)),
            .init(
                "modeType",
                .string(Product.SubscriptionOffer.PaymentMode(offer.paymentMode).rawValue)),
            .init("numOfPeriods", .integer(offer.numberOfPeriods)),
        ]
        if let id = offer.offerId { members.append(.init("offerId", .string(id))) }
        members += price(offer.priceMilliunits, prices)
        members.append(.init("recurringSubscriptionPeriod", .string(offer.period)))
        return .object(members)
    }

    private func price(_ milliunits: Int64, _ prices: PriceFormat) -> [JSONValue.Member] {
        [
            .init("priceString", .string("\(Decimal(milliunits: milliunits))")),
            .init("priceFormatted", .string(prices.text(milliunits))),
        ]
    }
}
