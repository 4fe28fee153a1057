import StoreModel

/// The field that every answer has, and the one that says whether an internal error is temporary.
struct VerifyStatusFields: Decodable {
    let status: Int
    /// Nil when the answer does not say, or not clearly.
    let isRetryable: Bool?
    /// Whether the answer has a receipt.
    let hasReceipt: Bool

    private enum CodingKeys: String, CodingKey {
        case status, receipt
        case isRetryable = "is-retryable"
        /// As Apple's documentation prints it.
        case documentedIsRetryable = "is_retryable"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        status = Int(try values.decode(Numeral.self, forKey: .status).number)
        isRetryable = values.flag(.isRetryable) ?? values.flag(.documentedIsRetryable)
        hasReceipt = try values.isPresent(.receipt)
    }
}

/// The used fields of an answer with a receipt: of the unified style, and of the iOS 6 style, where
/// the receipt itself is the purchase.
struct VerifyReceiptFields: Decodable {
    let environment: String?
    let receipt: Receipt
    let subscriptions: VerifySubscriptionFields

    private enum CodingKeys: String, CodingKey {
        case environment, receipt
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        environment = try values.decodeIfPresent(String.self, forKey: .environment)
        receipt = try values.decode(Receipt.self, forKey: .receipt)
        subscriptions = try VerifySubscriptionFields(from: decoder)
    }

    struct Receipt: Decodable {
        let bundleID: String
        let applicationVersion: String
        let purchases: [ReceiptSummary.Purchase]
        let isOldStyle: Bool
        let requestedAt: Timestamp?
        let madeAt: Timestamp?

        private enum CodingKeys: String, CodingKey {
            case bundleID = "bundle_id"
            case applicationVersion = "application_version"
            case purchases = "in_app"
            case requestedAt = "request_date_ms"
            case madeAt = "receipt_creation_date_ms"
            case oldBundleID = "bid"
            case oldVersion = "bvrs"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            isOldStyle = !values.contains(.bundleID) && values.contains(.oldBundleID)
            requestedAt = values.moment(.requestedAt)
            madeAt = values.moment(.madeAt)
            if isOldStyle {
                bundleID = try values.decode(String.self, forKey: .oldBundleID)
                applicationVersion = try values.decode(Written.self, forKey: .oldVersion).text
                purchases = [try VerifyPurchaseFields(from: decoder).value]
            } else {
                bundleID = try values.decode(String.self, forKey: .bundleID)
                applicationVersion =
                    try values.decode(Written.self, forKey: .applicationVersion).text
                purchases = try VerifyPurchaseFields.list(
                    values.nestedUnkeyedContainer(forKey: .purchases))
            }
        }
    }

    /// The meaning of the answer; `status` is 0 or 21006.
    func summary(_ environment: StoreEnvironment, status: Int) -> ReceiptSummary {
        var summary = ReceiptSummary(
            environment: environment, bundleID: receipt.bundleID,
            applicationVersion: receipt.applicationVersion, purchases: allPurchases)
        summary.requestedAt = receipt.requestedAt
        summary.madeAt = receipt.madeAt
        summary.latestReceipt = subscriptions.latestReceipt
        if receipt.isOldStyle {
            if allPurchases.contains(where: { $0.expiresAt != nil }) {
                summary.verdict = status == 21_006 ? .expired : .running
            }
            if status == 0 { summary.listed = Set(subscriptions.purchases.map(\.transactionID)) }
            if let original = receipt.purchases.first?.originalTransactionID,
                let renewal = subscriptions.ownRenewal
            {
                summary.renewals[original] = renewal
            }
        } else {
            summary.renewals = subscriptions.renewals
            summary.listed = Set(subscriptions.purchases.map(\.transactionID))
        }
        return summary
    }

    /// The receipt's purchases, then those that only the store lists. Where both have a purchase,
    /// the store's is newer. A period is cancelled when the store's own list says so; anything
    /// else, and the iOS 6 style, when either does.
    private var allPurchases: [ReceiptSummary.Purchase] {
        struct Key: Hashable {
            let product: String
            let transaction: String
        }
        var places: [Key: Int] = [:]
        var all: [ReceiptSummary.Purchase] = []
        for purchase in receipt.purchases + subscriptions.purchases {
            let key = Key(product: purchase.productID, transaction: purchase.transactionID)
            if let place = places[key] {
                let isNow = !receipt.isOldStyle && purchase.expiresAt != nil
                all[place] = all[place].merging(purchase, isNow: isNow)
            } else {
                places[key] = all.count
                all.append(purchase)
            }
        }
        return all
    }
}

extension ReceiptSummary.Purchase {
    /// The same purchase as in a later part of the answer.
    ///
    /// A receipt calls an upgrade cancelled and says no more. `isNow`: the later part has the
    /// purchase's current state, so a cancellation that it does not show was reversed.
    fileprivate func merging(_ later: Self, isNow: Bool) -> Self {
        let isUpgraded = isUpgraded || later.isUpgraded
        let isCancelled = isNow ? later.isCancelled : isCancelled || later.isCancelled
        let cancelledAt = isNow ? later.cancelledAt : later.cancelledAt ?? cancelledAt
        return Self(
            productID: productID, transactionID: transactionID,
            originalTransactionID: later.originalTransactionID, quantity: later.quantity,
            isCancelled: !isUpgraded && isCancelled,
            cancelledAt: cancelledAt, purchasedAt: later.purchasedAt ?? purchasedAt,
            expiresAt: later.expiresAt ?? expiresAt, isUpgraded: isUpgraded,
            offerID: later.offerID ?? offerID,
            appAccountToken: later.appAccountToken ?? appAccountToken)
    }
}
