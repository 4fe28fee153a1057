import StoreDatabase
import StoreModel
import StoreWire

/// A transaction in signed data. Source: Apple, *JWSTransactionDecodedPayload*.
struct SignedTransaction {
    let transaction: StoreTransaction
    /// The purchase: another transaction where this one restores it.
    let sold: StoreTransaction
    let bundleID: String
    let appTransaction: AppTransactionID?
    let revocation: SignedRevocation?
    let environmentName: String
    let device: SignedDevice?
    let signedAt: Timestamp

    func write(to json: inout JSONWriter) {
        let period = sold.subscription
        if let token = sold.appAccountToken {
            json.member("appAccountToken", plain: token.text)
        }
        if let appTransaction { json.member("appTransactionId", plain: "\(appTransaction)") }
        json.member("bundleId", bundleID)
        // A family member has nothing to do with what was paid.
        let isOwn = transaction.share == nil
        if isOwn { json.member("currency", plain: sold.charged.currency.code) }
        device?.write(to: &json)
        json.member("environment", plain: environmentName)
        if let period { json.member("expiresDate", period.expiresAt.milliseconds) }
        json.member("inAppOwnershipType", plain: transaction.ownership.rawValue)
        if period?.upgradedAt != nil { json.member("isUpgraded", true) }
        period?.offer?.write(to: &json)
        json.member("originalPurchaseDate", transaction.originallyPurchasedAt.milliseconds)
        json.member("originalTransactionId", plain: "\(transaction.original)")
        if isOwn { json.member("price", sold.charged.milliunits) }
        json.member("productId", transaction.product.rawValue)
        json.member("purchaseDate", transaction.purchasedAt.milliseconds)
        json.member("quantity", Int64(transaction.quantity))
        if let revocation {
            json.member("revocationDate", revocation.revoked.at.milliseconds)
            if let percentage = revocation.percentage {
                json.member("revocationPercentage", percentage)
            }
            json.member("revocationReason", revocation.revoked.reason.receiptNumber)
            json.member("revocationType", plain: revocation.type)
        }
        json.member("signedDate", signedAt.milliseconds)
        json.member("storefront", plain: transaction.storefront)
        if let place = Storefront(countryCode: transaction.storefront) {
            json.member("storefrontId", plain: place.identifier)
        }
        if let period { json.member("subscriptionGroupIdentifier", period.group) }
        json.member("transactionId", plain: "\(transaction.id)")
        json.member(
            "transactionReason", plain: period?.isRenewal == true ? "RENEWAL" : "PURCHASE")
        json.member("type", plain: transaction.kind.signedName)
        if period != nil {
            json.member("webOrderLineItemId", plain: "\(transaction.webOrderLineItem)")
        }
    }
}

/// That a transaction was taken back. Source: Apple, *revocationType* and *revocationPercentage*.
struct SignedRevocation {
    let revoked: Revocation
    let type: String
    let percentage: Int64?
}

extension SubscribedPeriod.Offer {
    /// Its members in signed data. Source: Apple, *offerType* and *offerDiscountType*.
    func write(to json: inout JSONWriter) {
        json.member("offerDiscountType", plain: mode.signedName)
        if kind != .introductory, let id { json.member("offerIdentifier", id) }
        if let duration { json.member("offerPeriod", plain: duration.iso8601) }
        json.member("offerType", kind.signedNumber)
    }
}

extension ReadScope {
    /// Nil for a transaction that stands. A purchase that its owner revoked without a request counts
    /// as refunded in full.
    borrowing func signedRevocation(
        of transaction: StoreTransaction
    ) throws -> SignedRevocation? {
        let ids = [transaction.id, transaction.restoration?.purchase].compactMap(\.self)
        guard let revoked = try ids.lazy.compactMap({ try self.revocation(of: $0) }).first else {
            return nil
        }
        if transaction.share != nil {
            return SignedRevocation(revoked: revoked, type: "FAMILY_REVOKE", percentage: nil)
        }
        let refund = try refund(of: refundedPurchase(of: transaction).id)
        guard case .granted(let grant)? = refund?.decision else {
            return SignedRevocation(
                revoked: revoked, type: RefundType.full.rawValue, percentage: Percentage.whole)
        }
        return SignedRevocation(
            revoked: revoked, type: grant.type.rawValue, percentage: grant.percentage)
    }
}

extension ProductKind {
    /// The name in *type*.
    var signedName: String {
        switch self {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .autoRenewable: "Auto-Renewable Subscription"
        case .nonRenewing: "Non-Renewing Subscription"
        }
    }
}

extension SubscriptionOffer.Kind {
    fileprivate var signedNumber: Int64 {
        switch self {
        case .introductory: 1
        case .promotional: 2
        case .code: 3
        case .winBack: 4
        }
    }
}

extension SubscriptionOffer.PaymentMode {
    fileprivate var signedName: String {
        switch self {
        case .freeTrial: "FREE_TRIAL"
        case .payAsYouGo: "PAY_AS_YOU_GO"
        case .payUpFront: "PAY_UP_FRONT"
        }
    }
}
