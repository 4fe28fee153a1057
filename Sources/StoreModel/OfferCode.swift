/// A custom code of an offer, or a batch of one-time codes.
package struct OfferCode: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A word that many customers use.
        case custom(OfferCodeWord)
        /// Codes that can be used once each.
        case oneTime
    }

    /// Its number in its world.
    package let number: Int64
    package let app: AppID
    package let product: ProductID
    /// The reference name of the product's offer.
    package let offerID: String
    package let kind: Kind
    /// How often it can be redeemed in total; for a batch, the number of its codes.
    package let redemptionsMax: Int64
    /// When it expires, by the world's clock; nil when it does not.
    package let expiresAt: Timestamp?
    package let madeAt: Timestamp
    package let deactivatedAt: Timestamp?

    package init(
        number: Int64, app: AppID, product: ProductID, offerID: String, kind: Kind,
        redemptionsMax: Int64, expiresAt: Timestamp?, madeAt: Timestamp,
        deactivatedAt: Timestamp? = nil
    ) {
        self.number = number
        self.app = app
        self.product = product
        self.offerID = offerID
        self.kind = kind
        self.redemptionsMax = redemptionsMax
        self.expiresAt = expiresAt
        self.madeAt = madeAt
        self.deactivatedAt = deactivatedAt
    }

    /// Of a custom code; nil for a batch.
    package var word: OfferCodeWord? {
        switch kind {
        case .custom(let word): word
        case .oneTime: nil
        }
    }

    /// The product's offer that it is for; nil when the product no longer has an offer with that
    /// name.
    package func offer(of product: Product) -> SubscriptionOffer? {
        product.offers.first { $0.kind == .code && $0.id == offerID }
    }
}

/// An offer code in the form used for comparison: ASCII letters and digits, all in uppercase.
package struct OfferCodeWord: Hashable, Sendable {
    package static let lengthMax = 64

    package let text: String

    /// Reads a code as typed; nil for other characters, and for an empty one.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let isPlain = bytes.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        guard isPlain, (1...Self.lengthMax).contains(bytes.count) else { return nil }
        self.text = text.uppercased()
    }
}

/// The state of a code or a batch, for the owner.
package enum OfferCodeState: String, Codable, CaseIterable, Sendable {
    case active
    case deactivated
    case expired
    case usedUp
}
