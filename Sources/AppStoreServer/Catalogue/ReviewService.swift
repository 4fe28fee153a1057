import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Takes a product through review and on and off sale, and lists the decisions.
enum ReviewService {
    static func policy(_ call: StoreCall) throws -> PolicyBody {
        PolicyBody()
    }

    /// `PUT …/products/{productId}/state`; a repeated request is one decision.
    static func setState(_ call: StoreCall, _ body: SaleStateBody, app: String, product: String)
        async throws -> CatalogueProductBody
    {
        let note = try body.note.map {
            try checked($0, "note", bytesMax: Limits.reviewNoteBytesMax)
        }
        let request = ReviewRequest(state: body.state, reason: body.reason, note: note)
        return try await ProductService.change(call, app, product) { scope, app, product, now in
            try decide(request, of: product, in: app, now: now, scope)
        }
    }

    static func history(_ call: StoreCall, app bundleID: String) throws -> ReviewsBody {
        let after = try call.request.after()
        let product = try call.request.queryValue("product").map {
            ProductID(try checked($0, "product", bytesMax: Limits.identifierBytesMax))
        }
        let page = try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID).id
            return try Page(of: Limits.reviewsPerAnswerMax) {
                try scope.reviews(of: app, product: product, after: after, countMax: $0)
            }
        }
        return ReviewsBody(reviews: page.items.map { ReviewBody($0) }, next: page.next(\.number))
    }

    private static func decide(
        _ request: ReviewRequest, of product: Product, in app: AppID, now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws {
        let last = try scope.reading.lastReview(of: product.id, in: app)
        do {
            let decision = try ReviewRules.decide(request, in: product.state, last: last?.request)
            guard case .taken(let step, let state) = decision else { return }
            try scope.publish(product.id, of: app, now: now) { scope in
                try scope.setState(state, of: product.id, in: app)
                try scope.addReview(
                    step, of: product.id, in: app, to: state, reason: request.reason,
                    note: request.note, now: now)
            }
        } catch let refusal as ReviewRules.Refusal {
            throw Refusal(refusal, of: product)
        }
    }
}

extension ReviewBody {
    init(_ entry: ReviewEntry) {
        self.init(
            number: entry.number, productId: entry.product.rawValue, step: entry.step,
            state: entry.state, reason: entry.reason, note: entry.note, at: entry.at)
    }
}

extension Refusal {
    init(_ refusal: ReviewRules.Refusal, of product: Product) {
        switch refusal {
        case .notAllowed(let step, let state):
            self.init(
                409, "stateNotAllowed",
                "\(product.id) is \(state.rawValue) and cannot be \(step.rawValue); "
                    + state.wayOn)
        case .reasonMissing:
            let known = RejectionReason.allCases.map(\.rawValue).joined(separator: ", ")
            self.init(422, "reasonMissing", "A rejection needs a reason: \(known).")
        case .noteMissing:
            self.init(
                422, "noteMissing",
                "A rejection with the reason \"other\" needs a note that explains it.")
        case .reasonNotWanted:
            self.init(422, "reasonNotWanted", "Only a rejection has a reason.")
        }
    }
}

extension SaleState {
    /// The next possible step for a product.
    fileprivate var wayOn: String {
        switch self {
        case .pendingApproval: "approve or reject it first."
        case .rejected: "submit it for review again first (pendingApproval)."
        case .clearedForSale: "it is for sale."
        case .removedFromSale: "put it back on sale first (clearedForSale)."
        }
    }
}
