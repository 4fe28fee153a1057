/// Where a product stands between its registration and the shelf.
package enum SaleState: String, Codable, CaseIterable, Sendable {
    /// Waits for review: the store does not know it yet.
    case pendingApproval
    /// The review found a reason against it: the store does not know it.
    case rejected
    case clearedForSale
    case removedFromSale
}

/// A step in a product's life, as its history lists it.
package enum ReviewStep: String, Codable, CaseIterable, Sendable {
    /// Came into the catalogue.
    case registered
    /// Handed in for review, for the first time or anew.
    case submitted
    case approved
    case rejected
    /// Taken off sale by its owner.
    case removed
    /// Put back on sale by its owner.
    case relisted
}

/// Why a review turned a product down: a clause of the store's policy, or a note of its own.
package enum RejectionReason: String, Codable, CaseIterable, Sendable {
    case digitalGoodsOnly
    case noIntermediaryCurrency
    /// None of the clauses; a note says why.
    case other

    /// The clause in a sentence.
    package var sentence: String {
        switch self {
        case .digitalGoodsOnly:
            "Sell digital goods and services that are used in the app, "
                + "never physical goods or real-world services."
        case .noIntermediaryCurrency:
            "Do not sell an intermediary currency: "
                + "people must know which goods and services they buy."
        case .other: "Another reason, which the review's note says."
        }
    }
}
