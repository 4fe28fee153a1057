import StoreHTTP
import StoreService
import StoreWire

enum ProductEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "GET", "/v1/products", "listProducts", "The identifiers to ask the store about",
            answers: [
                Answer(
                    200, "In the order of the product list.",
                    .schema([
                        "type": "object", "required": ["productIdentifiers"],
                        "properties": [
                            "productIdentifiers": [
                                "type": "array", "maxItems": .integer(BackendLimits.productsMax),
                                "items": ["type": "string"],
                            ]
                        ],
                    ]), example: ["productIdentifiers": ["coins", "turbo"]])
            ],
            .raw { call, responder in
                let identifiers = call.parts.products.products.map(\.id)
                call.context.send(
                    jsonResponse(
                        status: 200, ProductIdentifiersBody(productIdentifiers: identifiers)))
            }
        ),
        Endpoint(
            "GET", "/v1/products/:product/content", "getContent",
            "The content again, for a user who owns it",
            takes: [Parameter(.path, "product", schema: "ProductID", example: "turbo")],
            answers: [Answer(200, "The content.", .json(ContentBody.self))],
            refuses: [404: "`notFound`: it is not the user's, or has no content."],
            .now { call in
                try call.parts.receipts.content(
                    of: call["product"], for: try call.context.user())
            }
        ),
    ]
}
