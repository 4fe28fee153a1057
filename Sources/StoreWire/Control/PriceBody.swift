package import StoreModel

/// `PUT /control/v1/apps/{bundleId}/products/{productId}/price` and `…/prices/{storefront}`: a
/// price at once; a null price removes a storefront's own.
package struct PriceBody: Codable, Hashable, Sendable {
    package let price: String?

    package init(price: String?) {
        self.price = price
    }
}

/// `POST …/products/{productId}/price-schedule`: a storefront's own price from a date on; a null
/// price ends the storefront's own at that date.
package struct AddPriceBody: Codable, Hashable, Sendable {
    package let storefront: String
    package let price: String?
    /// By the world's clock.
    package let from: Timestamp

    package init(storefront: String, price: String?, from: Timestamp) {
        self.storefront = storefront
        self.price = price
        self.from = from
    }
}

/// A storefront's own price and its current state.
package struct PriceEntryBody: Codable, Hashable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        case inForce
        case coming
        /// Another one has begun since.
        case past
        /// Replaced by a price that was set at once.
        case replaced
        case cancelled
    }

    package let number: Int64
    package let storefront: String
    package let currency: String
    /// Absent for an entry that ends the storefront's own price.
    package let price: String?
    /// Absent for a price that was set at once.
    package let from: Timestamp?
    package let addedAt: Timestamp
    package let state: State

    package init(
        number: Int64, storefront: String, currency: String, price: String?, from: Timestamp?,
        addedAt: Timestamp, state: State
    ) {
        self.number = number
        self.storefront = storefront
        self.currency = currency
        self.price = price
        self.from = from
        self.addedAt = addedAt
        self.state = state
    }
}

/// `GET …/products/{productId}/price-schedule`, by storefront and then as they were added.
package struct PricesBody: Codable, Hashable, Sendable {
    /// Applies where no storefront's own price is in force.
    package let basePrice: String
    package let prices: [PriceEntryBody]

    package init(basePrice: String, prices: [PriceEntryBody]) {
        self.basePrice = basePrice
        self.prices = prices
    }
}
