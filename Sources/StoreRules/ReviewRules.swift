package import StoreModel

/// The shop owner's request to change a product's state.
package struct ReviewRequest: Hashable, Sendable {
    package let state: SaleState
    package let reason: RejectionReason?
    package let note: String?

    package init(state: SaleState, reason: RejectionReason?, note: String?) {
        self.state = state
        self.reason = reason
        self.note = note
    }
}

/// The outcome of such a request.
package enum ReviewDecision: Hashable, Sendable {
    /// The product already has that state: nothing is recorded twice.
    case unchanged
    case taken(ReviewStep, SaleState)
}

/// A product's life: from registration through review to sale.
package enum ReviewRules {
    package enum Refusal: Error, Hashable, Sendable {
        case notAllowed(ReviewStep, in: SaleState)
        /// A rejection needs a reason.
        case reasonMissing
        /// A rejection for a reason outside the policy needs a note.
        case noteMissing
        /// Only a rejection may have a reason.
        case reasonNotWanted
    }

    /// The first state of a product that is new to the catalogue.
    package static func stateOfNewProduct(waitsForReview: Bool) -> SaleState {
        waitsForReview ? .pendingApproval : .clearedForSale
    }

    /// Decides one request, given the product's state and the request that led to it.
    package static func decide(
        _ request: ReviewRequest, in state: SaleState, last: ReviewRequest?
    ) throws(Refusal) -> ReviewDecision {
        try checkReason(of: request)
        if request.state == state, state != .rejected || request == last { return .unchanged }
        let step = step(to: request.state, from: state)
        return .taken(step, try after(step, in: state))
    }

    /// The state after a step. A product only comes on sale by an approval, and an unapproved
    /// product cannot be taken off sale, so putting it back never skips the review.
    package static func after(
        _ step: ReviewStep, in state: SaleState
    ) throws(Refusal) -> SaleState {
        switch (state, step) {
        case (.pendingApproval, .approved): .clearedForSale
        case (.pendingApproval, .rejected): .rejected
        case (.rejected, .submitted): .pendingApproval
        // The same product can be rejected for another reason.
        case (.rejected, .rejected): .rejected
        case (.clearedForSale, .submitted): .pendingApproval
        // An approval can be withdrawn.
        case (.clearedForSale, .rejected): .rejected
        case (.clearedForSale, .removed): .removedFromSale
        case (.removedFromSale, .submitted): .pendingApproval
        case (.removedFromSale, .rejected): .rejected
        case (.removedFromSale, .relisted): .clearedForSale
        case (.pendingApproval, .submitted), (.pendingApproval, .removed),
            (.pendingApproval, .relisted), (.rejected, .approved), (.rejected, .removed),
            (.rejected, .relisted), (.clearedForSale, .approved), (.clearedForSale, .relisted),
            (.removedFromSale, .approved), (.removedFromSale, .removed),
            (.pendingApproval, .registered), (.rejected, .registered),
            (.clearedForSale, .registered), (.removedFromSale, .registered):
            throw .notAllowed(step, in: state)
        }
    }

    private static func step(to wanted: SaleState, from state: SaleState) -> ReviewStep {
        switch wanted {
        case .pendingApproval: .submitted
        case .rejected: .rejected
        case .clearedForSale: state == .removedFromSale ? .relisted : .approved
        case .removedFromSale: .removed
        }
    }

    private static func checkReason(of request: ReviewRequest) throws(Refusal) {
        guard request.state == .rejected else {
            if request.reason != nil { throw .reasonNotWanted }
            return
        }
        guard let reason = request.reason else { throw .reasonMissing }
        if reason == .other, request.note == nil { throw .noteMissing }
    }
}
