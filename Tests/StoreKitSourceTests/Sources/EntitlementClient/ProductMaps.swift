import StoreKit

/// Products and transactions as dictionaries, for a bridge to another language.
public enum ProductMaps {
    public static func map(_ product: Product) -> [String: Any] {
        var map: [String: Any] = [
            "id": product.id,
            "title": product.displayName,
            "description": product.description,
            "price": NSDecimalNumber(decimal: product.price).doubleValue,
            "displayPrice": product.displayPrice,
            "kind": product.type.rawValue,
            "currencyCode": product.priceFormatStyle.currencyCode,
            "locale": product.priceFormatStyle.locale.identifier,
            "isFamilyShareable": product.isFamilyShareable,
            "json": String(data: product.jsonRepresentation, encoding: .utf8) ?? "",
        ]
        if let subscription = product.subscription {
            map["group"] = subscription.subscriptionGroupID
            map["period"] = words(subscription.subscriptionPeriod)
            map["trial"] = subscription.introductoryOffer.map(Self.map)
            var offers = subscription.promotionalOffers
            if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) {
                offers += subscription.winBackOffers
            }
            map["offers"] = offers.map(Self.map)
            #if compiler(>=6.3)
                if #available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) {
                    map["plans"] = subscription.pricingTerms.map { terms -> [String: Any] in
                        [
                            "type": terms.billingPlanType == .monthly ? "monthly" : "once",
                            "price": terms.billingDisplayPrice,
                            "total": terms.commitmentInfo.displayPrice,
                            "trials": terms[offers: .introductory].count,
                        ]
                    }
                }
            #endif
        }
        return map
    }

    public static func map(_ offer: Product.SubscriptionOffer) -> [String: Any] {
        var map: [String: Any] = [
            "id": offer.id ?? "", "price": offer.displayPrice, "count": offer.periodCount,
            "period": words(offer.period),
        ]
        switch offer.type {
        case .introductory: map["type"] = "introductory"
        case .promotional: map["type"] = "promotional"
        default:
            if #available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *),
                offer.type == .winBack
            {
                map["type"] = "winBack"
            }
        }
        switch offer.paymentMode {
        case .freeTrial: map["mode"] = 0
        case .payAsYouGo: map["mode"] = 1
        case .payUpFront: map["mode"] = 2
        default: map["mode"] = -1
        }
        return map
    }

    public static func map(_ result: VerificationResult<Transaction>) -> [String: Any?] {
        let transaction = result.unsafePayloadValue
        var map: [String: Any?] = [
            "jws": result.jwsRepresentation,
            "id": String(transaction.id),
            "originalId": String(transaction.originalID),
            "productId": transaction.productID,
            "bought": transaction.purchaseDate.timeIntervalSince1970 * 1000,
            "ends": transaction.expirationDate.map { $0.timeIntervalSince1970 * 1000 },
            "quantity": transaction.purchasedQuantity,
            "account": transaction.appAccountToken?.uuidString,
            "shared": transaction.ownershipType == .familyShared,
            "revoked": transaction.revocationDate != nil,
            "why": transaction.revocationReason?.rawValue,
        ]
        if #available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *) {
            map["reason"] = transaction.reason.rawValue
            map["country"] = transaction.storefront.countryCode
            map["currency"] = transaction.currency?.identifier
        }
        if #available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, *) {
            map["offer"] = transaction.offer?.id
            map["offerType"] = transaction.offer?.type.rawValue
        }
        return map
    }

    public static func words(_ period: Product.SubscriptionPeriod) -> String {
        let unit: String
        switch period.unit {
        case .day: unit = "day"
        case .week: unit = "week"
        case .month: unit = "month"
        case .year: unit = "year"
        @unknown default: unit = "period"
        }
        return period.value == 1 ? unit : "\(period.value) \(unit)s"
    }
}
