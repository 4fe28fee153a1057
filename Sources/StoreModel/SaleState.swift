/// The state of a product between its registration and its sale.
package enum SaleState: String, Codable, CaseIterable, Sendable {
    /// Waits for review: the store does not list it yet.
    case pendingApproval
    /// The review rejected it: the store does not list it.
    case rejected
    case clearedForSale
    case removedFromSale
}

/// A step in a product's life, as its history lists it.
package enum ReviewStep: String, Codable, CaseIterable, Sendable {
    /// Added to the catalogue.
    case registered
    /// Submitted for review, for the first time or again.
    case submitted
    case approved
    case rejected
    /// Taken off sale by its owner.
    case removed
    /// Put back on sale by its owner.
    case relisted
}

/// Why a review rejected a product: a clause of the store's policy, or a note of its own.
package enum RejectionReason: String, Codable, CaseIterable, Sendable {
    case digitalGoodsOnly
    case noIntermediaryCurrency
    /// Not one of the clauses; a note says why.
    case other

    /// The clause in a sentence.
    package var sentence: String {
        switch self {
        case .digitalGoodsOnly:
            "Sell digital goods and services that are used in the app, "
                + "never physical goods or real-world services."
        case .noIntermediaryCurrency:
            "Do not sell an intermediary currency: "
                + "customers must know which goods and services they buy."
        case .other: "Another reason, given in the review's note."
        }
    }
}
