package import StoreModel

/// `PUT /control/v1/apps/{bundleId}/products/{productId}/state`; a rejection has a reason, and for
/// `other` a note.
package struct SaleStateBody: Codable, Hashable, Sendable {
    package let state: SaleState
    package let reason: RejectionReason?
    package let note: String?

    package init(state: SaleState, reason: RejectionReason? = nil, note: String? = nil) {
        self.state = state
        self.reason = reason
        self.note = note
    }
}

/// One entry of the review history, which only grows.
package struct ReviewBody: Codable, Hashable, Sendable {
    package let number: Int64
    package let productId: String
    package let step: ReviewStep
    /// The resulting state.
    package let state: SaleState
    package let reason: RejectionReason?
    package let note: String?
    /// By the world's clock.
    package let at: Timestamp

    package init(
        number: Int64, productId: String, step: ReviewStep, state: SaleState,
        reason: RejectionReason?, note: String?, at: Timestamp
    ) {
        self.number = number
        self.productId = productId
        self.step = step
        self.state = state
        self.reason = reason
        self.note = note
        self.at = at
    }
}

/// `GET /control/v1/apps/{bundleId}/reviews?product=…&after=…`, oldest first.
package struct ReviewsBody: Codable, Hashable, Sendable {
    package let reviews: [ReviewBody]
    /// The `after` of the next page; absent on the last.
    package let next: Int64?

    package init(reviews: [ReviewBody], next: Int64?) {
        self.reviews = reviews
        self.next = next
    }
}

/// `GET /control/v1/policy`: the rules for what may be sold, by clause.
package struct PolicyBody: Codable, Hashable, Sendable {
    package struct Clause: Codable, Hashable, Sendable {
        /// The reason that a rejection names.
        package let reason: RejectionReason
        package let text: String
    }

    package let clauses: [Clause]

    package init() {
        clauses = RejectionReason.allCases.map { Clause(reason: $0, text: $0.sentence) }
    }
}
