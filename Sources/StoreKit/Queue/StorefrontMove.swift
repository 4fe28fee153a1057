import StoreWire

/// An account's new storefront.
struct StorefrontMove: Hashable, Sendable {
    let countryCode: String
    /// The number of the event that reports it.
    let number: Int64

    init(countryCode: String, number: Int64) {
        self.countryCode = countryCode
        self.number = number
    }

    /// The last move; nil when the news contains none.
    init?(_ updates: [UpdateBody]) {
        guard let last = updates.last(where: { $0.kind == .storefrontChanged }),
            let countryCode = last.subject
        else { return nil }
        self.init(countryCode: countryCode, number: last.number)
    }
}
