public import Foundation

/// A purchase or a renewal, as the store signed it.
///
/// ```swift
/// func deliverWhatWasBought() async {
///     for await case .verified(let transaction) in Transaction.updates {
///         print("deliver \(transaction.productID)")
///         await transaction.finish()
///     }
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/transaction>
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Transaction: Identifiable, Sendable {
    let signed: SignedText

    /// The transaction's number; renewals and restored purchases have ones of their own.
    public let id: UInt64
    /// The number of the first purchase: of a subscription, the same for each renewal.
    public let originalID: UInt64
    /// The number of one period of a subscription; nil for other products.
    public let webOrderLineItemID: String?
    /// The product's identifier.
    public let productID: String
    /// The group of a subscription; nil for other products.
    public let subscriptionGroupID: String?
    /// The app's bundle identifier.
    public let appBundleID: String
    /// When it was paid for.
    public let purchaseDate: Date
    /// When the first purchase was made.
    public let originalPurchaseDate: Date
    /// When the period of a subscription ends; nil for other products.
    public let expirationDate: Date?
    /// How many were bought, from 1.
    public let purchasedQuantity: Int
    /// Whether a subscription of a higher level took its place.
    public let isUpgraded: Bool
    /// The offer that it was bought with.
    @available(iOS 17.2, macOS 14.2, tvOS 17.2, watchOS 10.2, visionOS 1.1, *)
    public let offer: Offer?
    /// When it was refunded or revoked.
    public let revocationDate: Date?
    /// Why it was refunded or revoked.
    public let revocationReason: RevocationReason?
    /// How much of it was refunded or revoked.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public let revocationType: RevocationType?
    /// The kind of the product.
    public let productType: Product.ProductType
    /// The app's own name of the buyer, set with the purchase.
    public let appAccountToken: UUID?
    /// Where it was made.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public let environment: AppStore.Environment
    /// Whether it is a purchase or a renewal.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public let reason: Reason
    /// The storefront in which it was made.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public let storefront: Storefront
    /// What was paid, in `currency`; nil in a family member's copy.
    public var price: Decimal? { paid }
    /// The currency of `price`.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public let currency: Locale.Currency?
    /// The number of the account's copy of the app; empty if the store did not sign one.
    public var appTransactionID: String { appTransaction }
    /// The digest by which the data are for this device.
    public let deviceVerification: Data
    /// The number that went into the digest.
    public let deviceVerificationNonce: UUID
    /// Whose purchase it is.
    public let ownershipType: OwnershipType
    /// When the store signed it.
    public let signedDate: Date
    /// What an app that keeps its own catalogue sold; nil for other apps.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public let advancedCommerceInfo: AdvancedCommerceInfo?
    /// How a subscription is charged; nil for other products.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public let billingPlanType: Product.SubscriptionInfo.BillingPlanType?
    /// The commitment that the period belongs to; nil when it is paid up front.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public let commitmentInfo: CommitmentInfo?

    let paid: Decimal?
    let appTransaction: String
    let offerPeriod: String?
    let percentage: Decimal?

    /// Reads a transaction, whatever its signature is worth.
    init(_ signed: SignedText, _ payload: PayloadMembers) throws(MissingProperty) {
        self.signed = signed
        id = try payload.required("transactionId", payload.transactionID)
        originalID = try payload.required("originalTransactionId", payload.transactionID)
        webOrderLineItemID = payload.text("webOrderLineItemId")
        productID = try payload.required("productId", payload.text)
        subscriptionGroupID = payload.text("subscriptionGroupIdentifier")
        appBundleID = try payload.required("bundleId", payload.text)
        purchaseDate = try payload.required("purchaseDate", payload.date)
        originalPurchaseDate = try payload.required("originalPurchaseDate", payload.date)
        expirationDate = payload.date("expiresDate")
        purchasedQuantity = try payload.required("quantity", payload.integer)
        isUpgraded = payload.flag("isUpgraded") ?? false
        offer = Offer(payload)
        revocationDate = payload.date("revocationDate")
        revocationReason = payload.integer("revocationReason").map { .init(rawValue: $0) }
        revocationType = payload.text("revocationType").map { .init(rawValue: $0) }
        productType = .init(rawValue: try payload.required("type", payload.text))
        appAccountToken = payload.uuid("appAccountToken")
        environment = .init(rawValue: try payload.required("environment", payload.text))
        reason = .init(rawValue: try payload.required("transactionReason", payload.text))
        storefront = Storefront(
            countryCode: try payload.required("storefront", payload.text),
            id: payload.text("storefrontId") ?? "")
        currency = payload.currency("currency")
        let device = DeviceVerification(payload)
        deviceVerification = device.digest
        deviceVerificationNonce = device.nonce
        ownershipType = .init(rawValue: try payload.required("inAppOwnershipType", payload.text))
        signedDate = try payload.required("signedDate", payload.date)
        advancedCommerceInfo = payload.object("advancedCommerceInfo")
            .flatMap { AdvancedCommerceInfo($0) }
        billingPlanType = payload.text("billingPlanType").map { .init(signedName: $0) }
        commitmentInfo = payload.object("commitmentInfo").flatMap { CommitmentInfo($0) }
        paid = payload.milliunits("price")
        appTransaction = payload.text("appTransactionId") ?? ""
        offerPeriod = payload.text("offerPeriod")
        percentage = payload.milliunits("revocationPercentage")
    }

    /// The payload that the store signed: JSON.
    public var jsonRepresentation: Data { signed.payload }

    /// How much of the price was refunded, from 0 to 100; nil if it was not.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public var revocationPercentage: Decimal? { percentage }
}

extension Transaction: SignedValue {}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction: Hashable {
    /// Whether both are the same text: a transaction that is signed again is another value.
    public static func == (lhs: Transaction, rhs: Transaction) -> Bool {
        lhs.id == rhs.id && lhs.signed == rhs.signed
    }

    /// Hashes its number.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction: CustomDebugStringConvertible {
    /// The payload that the store signed: JSON.
    public var debugDescription: String { String(decoding: signed.payload, as: UTF8.self) }
}
