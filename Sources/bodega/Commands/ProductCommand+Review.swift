import Foundation
import StoreModel
import StoreWire

extension ProductCommand {
    static func setState(_ state: SaleState, _ arguments: Arguments) throws {
        let id = try arguments.words("command", "product")[1]
        let reason = try arguments.value("reason").map { text in
            guard let reason = RejectionReason(rawValue: text) else {
                let known = RejectionReason.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--reason \(text) is none of \(known)")
            }
            return reason
        }
        if state == .rejected, reason == nil {
            throw UsageError(
                "bodega product reject needs --reason; bodega product policy lists the reasons")
        }
        let body = SaleStateBody(state: state, reason: reason, note: arguments.value("note"))
        let path = try product(id, arguments) + "/state"
        try show(try ControlClient(arguments).send("PUT", path, body), arguments)
    }

    static func policy(_ arguments: Arguments) throws {
        _ = try arguments.words("policy")
        let answer = try ControlClient(arguments).send("GET", "/policy")
        try Answer.show(answer, as: PolicyBody.self, arguments) { body in
            body.clauses.map { "\($0.reason.rawValue): \($0.text)" }.joined(separator: "\n")
        }
    }

    /// Every page of the history, as one table or one JSON body.
    static func history(_ arguments: Arguments) throws {
        try arguments.refuseMore(than: 2)
        let app = try app(arguments)
        let client = try ControlClient(arguments)
        let product = arguments.positional.dropFirst().first
        let filter = product.map { "&product=\(ControlClient.escaped($0))" } ?? ""
        let reviews = try client.pages(
            ReviewsBody.self, "\(app)/reviews", query: filter, next: \.next
        ).flatMap(\.reviews)
        // Entries outlive their product, so one without entries may only be misspelt.
        if reviews.isEmpty, let product { try requireKnown(product, in: app, client) }
        let all = try WireJSON.encode(ReviewsBody(reviews: reviews, next: nil))
        try Answer.show(all, as: ReviewsBody.self, arguments) { body in
            Terminal.table(
                ["TIME", "PRODUCT", "STEP", "STATE", "REASON", "NOTE"],
                body.reviews.map {
                    [
                        TimeWords.text($0.at), $0.productId, $0.step.rawValue, $0.state.rawValue,
                        $0.reason?.rawValue ?? "", $0.note ?? "",
                    ]
                })
        }
    }

    private static func requireKnown(
        _ product: String, in app: String, _ client: ControlClient
    ) throws {
        let list = try WireJSON.decode(
            CatalogueProductsBody.self, from: try client.send("GET", app + "/products"))
        guard list.products.contains(where: { $0.productId == product }) else {
            throw Failure(
                "the app has no product \"\(product)\" and never had; bodega product list shows "
                    + "what it has")
        }
    }
}
