import StoreWire

/// Where an account buys now, after it moved.
struct StorefrontMove: Hashable, Sendable {
    let countryCode: String
    /// The number of the event that says so.
    let number: Int64

    init(countryCode: String, number: Int64) {
        self.countryCode = countryCode
        self.number = number
    }

    /// The last one; nil when these news tell of none.
    init?(_ updates: [UpdateBody]) {
        guard let last = updates.last(where: { $0.kind == .storefrontChanged }),
            let countryCode = last.subject
        else { return nil }
        self.init(countryCode: countryCode, number: last.number)
    }
}
