package import StoreModel

/// `POST …/products/{productId}/offer-codes`: a custom code by its word, or a batch of one-time
/// codes by their number.
package struct MakeOfferCodeBody: Codable, Hashable, Sendable {
    /// The reference name of the product's offer.
    package let offerId: String
    /// Letters and digits; with `redemptionsMax`.
    package let word: String?
    package let redemptionsMax: Int64?
    /// The number of one-time codes.
    package let count: Int64?
    /// By the world's clock; never expires when absent.
    package let expiresAt: Timestamp?

    package init(
        offerId: String, word: String? = nil, redemptionsMax: Int64? = nil, count: Int64? = nil,
        expiresAt: Timestamp? = nil
    ) {
        self.offerId = offerId
        self.word = word
        self.redemptionsMax = redemptionsMax
        self.count = count
        self.expiresAt = expiresAt
    }
}

/// A custom code, or a batch of one-time codes without the codes themselves. All times are by the
/// world's clock.
package struct OfferCodeBody: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case custom
        case oneTime
    }

    package let number: Int64
    package let kind: Kind
    package let state: OfferCodeState
    package let productId: String
    package let offerId: String
    /// Of a custom code, in capitals.
    package let word: String?
    /// For a batch, the number of its codes.
    package let redemptionsMax: Int64
    package let redemptionCount: Int64
    package let madeAt: Timestamp
    package let expiresAt: Timestamp?
    package let deactivatedAt: Timestamp?

    package init(_ code: OfferCode, state: OfferCodeState, redemptionCount: Int64) {
        number = code.number
        kind =
            switch code.kind {
            case .custom: .custom
            case .oneTime: .oneTime
            }
        self.state = state
        productId = code.product.rawValue
        offerId = code.offerID
        word = code.word?.text
        redemptionsMax = code.redemptionsMax
        self.redemptionCount = redemptionCount
        madeAt = code.madeAt
        expiresAt = code.expiresAt
        deactivatedAt = code.deactivatedAt
    }
}

/// `GET …/offer-codes`: a product's codes and batches, newest first.
package struct OfferCodesBody: Codable, Hashable, Sendable {
    package let offerCodes: [OfferCodeBody]

    package init(offerCodes: [OfferCodeBody]) {
        self.offerCodes = offerCodes
    }
}

/// The answer to a new code or batch.
package struct MadeOfferCodeBody: Codable, Hashable, Sendable {
    package let offerCode: OfferCodeBody
    /// Of a batch; only this answer shows its codes.
    package let codes: [String]?

    package init(offerCode: OfferCodeBody, codes: [String]?) {
        self.offerCode = offerCode
        self.codes = codes
    }
}
