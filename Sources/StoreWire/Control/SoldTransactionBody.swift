/// A transaction as the owner's export has it: what was sold, and what the ledger charged and
/// refunded for it. Amounts are in thousandths of the currency's unit.
package struct SoldTransactionBody: Codable, Hashable, Sendable {
    package let transactionId: String
    package let originalTransactionId: String
    /// `Production` or `Sandbox`.
    package let environment: String
    package let bundleId: String
    package let productId: String
    /// `consumable`, `nonConsumable`, `nonRenewing` or `autoRenewable`.
    package let kind: String
    package let quantity: Int
    /// Milliseconds since 1970.
    package let purchasedAt: Int64
    /// The country code of the buyer's storefront.
    package let storefront: String
    package let currency: String
    /// The recorded price of the whole quantity, which the sandbox does not charge.
    package let priceMilliunits: Int64
    package let chargedMilliunits: Int64
    /// What was refunded and not taken again.
    package let refundedMilliunits: Int64
    /// When the purchase was revoked; absent if it was not.
    package let revokedAt: Int64?
    /// The kind of the offer that it was bought with, such as `introductory`; absent for none.
    package let offer: String?
    /// Whether a family member bought it.
    package let isShared: Bool
    /// The number of its order, in production; absent in the sandbox, and for what a family member
    /// bought.
    package let orderId: String?

    package init(
        transactionId: String, originalTransactionId: String, environment: String,
        bundleId: String, productId: String, kind: String, quantity: Int, purchasedAt: Int64,
        storefront: String, currency: String, priceMilliunits: Int64, chargedMilliunits: Int64,
        refundedMilliunits: Int64, revokedAt: Int64? = nil, offer: String? = nil,
        isShared: Bool = false, orderId: String? = nil
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.environment = environment
        self.bundleId = bundleId
        self.productId = productId
        self.kind = kind
        self.quantity = quantity
        self.purchasedAt = purchasedAt
        self.storefront = storefront
        self.currency = currency
        self.priceMilliunits = priceMilliunits
        self.chargedMilliunits = chargedMilliunits
        self.refundedMilliunits = refundedMilliunits
        self.revokedAt = revokedAt
        self.offer = offer
        self.isShared = isShared
        self.orderId = orderId
    }
}

/// `GET /control/v1/transactions`: a page of the owner's export, production first, each
/// environment in the order of its sales.
package struct SoldTransactionsBody: Codable, Hashable, Sendable {
    package let transactions: [SoldTransactionBody]
    /// The `after` of the next page; absent on the last.
    package let next: String?
    /// The `after` of a later export that goes on from here; absent in files of earlier versions.
    package let position: String?

    package init(transactions: [SoldTransactionBody], next: String?, position: String?) {
        self.transactions = transactions
        self.next = next
        self.position = position
    }
}

extension SoldTransactionBody {
    /// The first line of the export as comma-separated values.
    package static let csvHeader = [
        "transactionId", "originalTransactionId", "environment", "bundleId", "productId", "kind",
        "quantity", "purchasedAt", "storefront", "currency", "priceMilliunits",
        "chargedMilliunits", "refundedMilliunits", "revokedAt", "offer", "isShared",
        "orderId",
    ]

    /// Its line; an absent value is an empty field.
    package var csvFields: [String] {
        [
            transactionId, originalTransactionId, environment, bundleId, productId, kind,
            "\(quantity)", "\(purchasedAt)", storefront, currency, "\(priceMilliunits)",
            "\(chargedMilliunits)", "\(refundedMilliunits)", revokedAt.map { "\($0)" } ?? "",
            offer ?? "", "\(isShared)", orderId ?? "",
        ]
    }

    /// From a line; nil when it has another number of fields or one is not what it should be.
    package init?(csvFields fields: [String]) {
        guard fields.count == Self.csvHeader.count, let quantity = Int(fields[6]),
            let purchasedAt = Int64(fields[7]), let price = Int64(fields[10]),
            let charged = Int64(fields[11]), let refunded = Int64(fields[12]),
            let isShared = Bool(fields[15])
        else { return nil }
        let revokedAt = Int64(fields[13])
        guard revokedAt != nil || fields[13].isEmpty else { return nil }
        self.init(
            transactionId: fields[0], originalTransactionId: fields[1], environment: fields[2],
            bundleId: fields[3], productId: fields[4], kind: fields[5], quantity: quantity,
            purchasedAt: purchasedAt, storefront: fields[8], currency: fields[9],
            priceMilliunits: price, chargedMilliunits: charged, refundedMilliunits: refunded,
            revokedAt: revokedAt, offer: fields[14].isEmpty ? nil : fields[14],
            isShared: isShared, orderId: fields[16].isEmpty ? nil : fields[16])
    }
}
