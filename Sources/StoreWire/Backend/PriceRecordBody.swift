/// What a product costs in a storefront from one moment to another, by the backend's own records.
package struct PriceRecordBody: Codable, Hashable, Sendable {
    package let productId: String
    /// Its country code, such as `USA`.
    package let storefront: String
    package let currency: String
    /// For one, in the currency's smallest unit: 99 is 0.99 USD, or 99 JPY.
    package let amount: Int64
    /// Milliseconds since 1970, by the store's clock; absent since ever.
    package let from: Int64?
    /// The first moment after it; absent for ever.
    package let until: Int64?

    package init(
        productId: String, storefront: String, currency: String, amount: Int64,
        from: Int64? = nil, until: Int64? = nil
    ) {
        self.productId = productId
        self.storefront = storefront
        self.currency = currency
        self.amount = amount
        self.from = from
        self.until = until
    }
}

/// All price records: `GET` and `PUT /operator/v1/prices` of a purchase backend.
package struct PriceRecordsBody: Codable, Hashable, Sendable {
    package let prices: [PriceRecordBody]

    package init(prices: [PriceRecordBody]) { self.prices = prices }
}

/// A purchase that the backend delivered.
package struct DeliveryBody: Codable, Hashable, Sendable {
    /// `Production` or `Sandbox`.
    package let environment: String
    package let transactionId: String
    package let originalTransactionId: String
    package let productId: String
    package let kind: String
    /// Milliseconds since 1970.
    package let grantedAt: Int64

    package init(
        environment: String, transactionId: String, originalTransactionId: String,
        productId: String, kind: String, grantedAt: Int64
    ) {
        self.environment = environment
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.kind = kind
        self.grantedAt = grantedAt
    }
}

/// `GET /operator/v1/deliveries` of a purchase backend: a page of them.
package struct DeliveriesBody: Codable, Hashable, Sendable {
    package let deliveries: [DeliveryBody]
    /// The `after` of the next page; absent on the last.
    package let nextAfter: String?

    package init(deliveries: [DeliveryBody], nextAfter: String?) {
        self.deliveries = deliveries
        self.nextAfter = nextAfter
    }
}
