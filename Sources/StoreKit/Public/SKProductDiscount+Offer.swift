import Foundation
import StoreModel
import StoreWire

extension SKProductDiscount {
    /// An offer as the store sent it; nil when its period is not valid.
    convenience init?(_ offer: OfferBody, priceLocale: Locale, type: SKProductDiscount.`Type`) {
        guard let span = CalendarSpan(iso8601: offer.period) else { return nil }
        self.init(
            price: ProductDetails.price(milliunits: offer.priceMilliunits),
            priceLocale: priceLocale, identifier: offer.offerId,
            subscriptionPeriod: SKProductSubscriptionPeriod(span),
            numberOfPeriods: offer.numberOfPeriods,
            paymentMode: PaymentMode(offer.paymentMode), type: type)
    }
}

extension SKProductDiscount.PaymentMode {
    init(_ mode: StoreModel.SubscriptionOffer.PaymentMode) {
        self =
            switch mode {
            case .freeTrial: .freeTrial
            case .payAsYouGo: .payAsYouGo
            case .payUpFront: .payUpFront
            }
    }
}
