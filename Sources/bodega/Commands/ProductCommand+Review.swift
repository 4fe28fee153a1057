import Foundation
import StoreModel
import StoreWire

extension ProductCommand {
    static func setState(_ state: SaleState, _ arguments: Arguments) throws {
        let body = SaleStateBody(
            state: state, reason: arguments.choice("reason"), note: arguments.value("note"))
        let path = try arguments.product() + "/state"
        try show(try ControlClient(arguments).send("PUT", path, body), arguments)
    }

    /// Every page of the history, as one table or one JSON body.
    static func history(_ arguments: Arguments) throws {
        let app = try arguments.app()
        let product = arguments.word("PRODUCT")
        let filter = product.map { "&product=\(ServerClient.escaped($0))" } ?? ""
        let client = try ControlClient(arguments)
        let reviews = try client.pages(
            ReviewsBody.self, "\(app)/reviews", query: filter, next: \.next
        ).flatMap(\.reviews)
        // Entries outlive their product; a name without entries may be misspelt.
        if reviews.isEmpty, let product { try requireKnown(product, in: app, client) }
        let all = try WireJSON.encode(ReviewsBody(reviews: reviews, next: nil))
        try arguments.show(all) { (body: ReviewsBody) in
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
                    + "its products")
        }
    }
}
