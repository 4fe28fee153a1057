package import StoreModel

/// Which price is in force, and which may still be changed.
package enum PriceRules {
    /// Own prices that a product may have in use, past and future ones together.
    package static let ownPricesMax = 1_000

    package enum Refusal: Error, Hashable, Sendable {
        /// The date has passed: past prices cannot change.
        case dateIsOver(now: Timestamp)
        /// Before 2000 or after 2099.
        case dateOutOfRange
        /// Another price of the storefront begins at that moment.
        case dateTaken
        /// The product has `ownPricesMax` of them.
        case tooMany
        /// It is or was in force.
        case begun
    }

    /// The price of one product in a storefront: the storefront's own price in force, else the base
    /// price, in the storefront's currency.
    package static func price(
        of product: Product, in storefront: Storefront, at now: Timestamp
    ) -> Money {
        let own = inForce(product.ownPrices, in: storefront.countryCode, at: now)
        return (own?.price ?? product.basePrice).in(storefront.currency)
    }

    /// The entry in force in a storefront: the latest that has begun, and of two from the same
    /// moment the one that was set later.
    package static func inForce(
        _ prices: [DatedPrice], in storefront: String, at now: Timestamp
    ) -> DatedPrice? {
        var found: DatedPrice?
        for price in prices where price.storefront == storefront && hasBegun(price, at: now) {
            if let other = found?.from, (price.from ?? .distantPast) < other { continue }
            found = price
        }
        return found
    }

    /// Every storefront's own price in force, by country code.
    package static func inForce(_ prices: [DatedPrice], at now: Timestamp) -> [String: Price] {
        var found: [String: Price] = [:]
        for code in Set(prices.map(\.storefront)) {
            found[code] = inForce(prices, in: code, at: now)?.price
        }
        return found
    }

    package static func hasBegun(_ price: DatedPrice, at now: Timestamp) -> Bool {
        price.from.map { $0 <= now } ?? true
    }

    /// How a price is added to the existing ones.
    package enum Addition: Hashable, Sendable {
        /// The same price is already scheduled.
        case known
        case new
    }

    /// Decides whether a price from a date on may be added.
    package static func add(
        _ price: DatedPrice, to prices: [DatedPrice], now: Timestamp
    ) throws(Refusal) -> Addition {
        if prices.contains(price) { return .known }
        if let from = price.from {
            guard WorldClock.range.contains(from) else { throw .dateOutOfRange }
            guard from > now else { throw .dateIsOver(now: now) }
            let taken = prices.contains { $0.storefront == price.storefront && $0.from == from }
            guard !taken else { throw .dateTaken }
        }
        guard prices.count < ownPricesMax else { throw .tooMany }
        return .new
    }

    /// Refuses to cancel a price that has begun.
    package static func checkCancelling(
        _ price: DatedPrice, now: Timestamp
    ) throws(Refusal) {
        if hasBegun(price, at: now) { throw .begun }
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp.range.lowerBound
}
