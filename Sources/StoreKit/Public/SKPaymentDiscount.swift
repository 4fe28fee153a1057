public import Foundation

/// A promotional offer for a subscription, signed by the app's own server.
///
/// ```swift
/// func subscribe(to product: SKProduct, with offer: SignedOffer) {
///     let payment = SKMutablePayment(product: product)
///     payment.applicationUsername = offer.applicationUsername
///     payment.paymentDiscount = SKPaymentDiscount(
///         identifier: offer.offerId, keyIdentifier: offer.keyIdentifier, nonce: offer.nonce,
///         signature: offer.signature, timestamp: NSNumber(value: offer.timestamp))
///     SKPaymentQueue.default().add(payment)
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skpaymentdiscount>
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    private let storedIdentifier: String
    private let storedKeyIdentifier: String
    private let storedNonce: UUID
    private let storedSignature: String
    private let storedTimestamp: NSNumber

    /// An empty discount, for tests that override what they need.
    public override init() {
        storedIdentifier = ""
        storedKeyIdentifier = ""
        storedNonce = UUID()
        storedSignature = ""
        storedTimestamp = 0
    }

    /// An offer and its signature, as provided by the app's server.
    public init(
        identifier: String, keyIdentifier: String, nonce: UUID, signature: String,
        timestamp: NSNumber
    ) {
        storedIdentifier = identifier
        storedKeyIdentifier = keyIdentifier
        storedNonce = nonce
        storedSignature = signature
        storedTimestamp = timestamp
    }

    convenience init(_ contents: PaymentDiscountContents) {
        self.init(
            identifier: contents.identifier, keyIdentifier: contents.keyIdentifier,
            nonce: contents.nonce, signature: contents.signature,
            timestamp: NSNumber(value: contents.timestampMilliseconds))
    }

    /// The identifier of the offer.
    open var identifier: String { storedIdentifier }

    /// The identifier of the key that signed it.
    open var keyIdentifier: String { storedKeyIdentifier }

    /// The value that makes this signature unique.
    open var nonce: UUID { storedNonce }

    /// The signature, in base64.
    open var signature: String { storedSignature }

    /// When it was signed, in milliseconds since 1970.
    open var timestamp: NSNumber { storedTimestamp }
}
