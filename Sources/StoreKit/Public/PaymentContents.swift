import Foundation
import StoreModel
import StoreWire

/// What a payment asks for: the values behind `SKPayment`.
struct PaymentContents: Hashable, Sendable {
    var productIdentifier = ""
    var quantity = 1
    var requestData: Data?
    var applicationUsername: String?
    var simulatesAskToBuyInSandbox = false
    var discount: PaymentDiscountContents?
    /// What only StoreKit 2 can ask for; nil without an offer.
    var offers: PaymentOffers?
}

/// The offers of a payment that StoreKit 2 makes; one at most is there.
struct PaymentOffers: Codable, Hashable, Sendable {
    /// A promotional offer with the JWS of the app's server.
    struct Promotional: Codable, Hashable, Sendable {
        let offerId: String
        let jws: String
    }

    var promotional: Promotional?
    var winBackOfferId: String?
    /// The JWS in which the app's server says whether an introductory offer applies.
    var introductoryEligibility: String?
    /// What only a test session's buyer may ask for.
    var test: PaymentTest?
}

/// What tests buy with, and no customer could: see `TestPurchaseBody`.
struct PaymentTest: Codable, Hashable, Sendable {
    var purchasedAtMilliseconds: Int64?
    var cancelsAtOnce: Bool?
    var promotionalOfferId: String?
    var codeOfferReferenceName: String?
}

/// The values behind `SKPaymentDiscount`.
struct PaymentDiscountContents: Codable, Hashable, Sendable {
    let identifier: String
    let keyIdentifier: String
    let nonce: UUID
    let signature: String
    let timestampMilliseconds: Int64
}

extension PaymentContents {
    /// The current values of a payment, possibly of a subclass that the app defined.
    init(_ payment: SKPayment) {
        productIdentifier = payment.productIdentifier
        quantity = payment.quantity
        requestData = payment.requestData
        applicationUsername = payment.applicationUsername
        simulatesAskToBuyInSandbox = payment.simulatesAskToBuyInSandbox
        discount = payment.paymentDiscount.map {
            PaymentDiscountContents(
                identifier: $0.identifier, keyIdentifier: $0.keyIdentifier, nonce: $0.nonce,
                signature: $0.signature, timestampMilliseconds: $0.timestamp.int64Value)
        }
    }
}

extension PaymentContents {
    /// What StoreKit 2 buys: the app's token of the buyer is the user name of the original API.
    init(_ product: Product, _ terms: PurchaseTerms) {
        productIdentifier = product.id
        quantity = terms.quantity
        applicationUsername = terms.appAccountToken?.uuidString.lowercased()
        simulatesAskToBuyInSandbox = terms.simulatesAskToBuy
        var offers = PaymentOffers()
        switch terms.offer {
        case .signed(let id, let signature):
            discount = PaymentDiscountContents(
                identifier: id, keyIdentifier: signature.keyID, nonce: signature.nonce,
                signature: signature.signature.base64EncodedString(),
                timestampMilliseconds: Int64(signature.timestamp))
        case .promotional(let id, let jws):
            offers.promotional = PaymentOffers.Promotional(offerId: id, jws: jws)
        case .winBack(let id): offers.winBackOfferId = id
        case nil: break
        }
        offers.test = terms.test
        offers.introductoryEligibility = terms.introductoryEligibilityJWS
        if offers != PaymentOffers() { self.offers = offers }
    }
}

extension TestPurchaseBody {
    /// The values from the test, unchanged; the store judges them.
    init(_ test: PaymentTest) {
        self.init(
            purchasedAt: test.purchasedAtMilliseconds.map { Timestamp(milliseconds: $0) },
            cancelsAtOnce: test.cancelsAtOnce, promotionalOfferId: test.promotionalOfferId,
            codeOfferReferenceName: test.codeOfferReferenceName)
    }
}

extension DiscountBody {
    /// The values from the app, unchanged; the store judges them.
    init(_ discount: PaymentDiscountContents) {
        self.init(
            identifier: discount.identifier, keyIdentifier: discount.keyIdentifier,
            nonce: discount.nonce.uuidString.lowercased(), signature: discount.signature,
            timestamp: discount.timestampMilliseconds)
    }
}
