import StoreModel
package import StoreWire

/// The rules for price records: values in, the first broken rule out.
package enum PriceRecordRules {
    package struct Trouble: Error, Hashable, Sendable {
        /// Such as `prices[3]`.
        package let place: String
        package let sentence: String
    }

    /// Throws for the first record that cannot be right, or that overlaps an earlier one.
    package static func check(_ prices: [PriceRecordBody]) throws(Trouble) {
        guard prices.count <= BackendLimits.priceRecordsMax else {
            throw Trouble(
                place: "prices", sentence: "has more than \(BackendLimits.priceRecordsMax) records")
        }
        for (index, price) in prices.enumerated() {
            if let sentence = fault(price) {
                throw Trouble(place: "prices[\(index)]", sentence: sentence)
            }
        }
        let ofPlace = Dictionary(grouping: prices.indices) { Place(prices[$0]) }
        let overlaps = ofPlace.values.flatMap { indices in
            let sorted = indices.sorted { (prices[$0].start, $0) < (prices[$1].start, $1) }
            return zip(sorted, sorted.dropFirst()).filter { earlier, later in
                prices[later].start < prices[earlier].end
            }.map { (first: min($0, $1), second: max($0, $1)) }
        }
        guard let overlap = overlaps.min(by: { $0.second < $1.second }) else { return }
        throw Trouble(
            place: "prices[\(overlap.second)]",
            sentence: "overlaps prices[\(overlap.first)]: a product has one price in a storefront "
                + "at a time")
    }

    /// The record that is in force for a sale; nil without one.
    package static func inForce(
        _ prices: [PriceRecordBody], at moment: Int64
    ) -> PriceRecordBody? {
        prices.first { $0.start <= moment && moment < $0.end }
    }

    private static func fault(_ price: PriceRecordBody) -> String? {
        guard isPlainWord(price.productId, bytesMax: BackendLimits.productIDBytesMax) else {
            return
                "productId must be 1 to \(BackendLimits.productIDBytesMax) bytes of text without "
                + "control characters"
        }
        guard Storefront(countryCode: price.storefront) != nil else {
            return
                "\"\(price.storefront.prefix(40))\" is not a storefront: write its country code, "
                + "such as USA"
        }
        guard currencies.contains(price.currency) else {
            return "\"\(price.currency.prefix(40))\" is not the currency of any storefront: write "
                + "three letters, such as USD"
        }
        guard (0...BackendLimits.priceAmountMax).contains(price.amount) else {
            return "amount \(price.amount) is not 0 to \(BackendLimits.priceAmountMax)"
        }
        return price.start < price.end ? nil : "ends before it begins"
    }

    private static let currencies = Set(Storefront.all.map(\.currency.code))

    /// Where a product has one price at a time.
    private struct Place: Hashable {
        let product: String
        let storefront: String

        init(_ price: PriceRecordBody) {
            product = price.productId
            storefront = price.storefront
        }
    }
}

extension PriceRecordBody {
    fileprivate var start: Int64 { from ?? .min }
    fileprivate var end: Int64 { until ?? .max }
}
