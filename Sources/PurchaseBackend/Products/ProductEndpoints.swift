import StoreHTTP
import StoreService
import StoreWire

enum ProductEndpoints: BackendEndpoints {
    static let all: [Endpoint<BackendScene>] = [
        Endpoint(
            "GET", "/v1/products", "listProducts", "The identifiers to request from the store",
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
            .now { call in
                ProductIdentifiersBody(productIdentifiers: call.parts.products.products.map(\.id))
            }
        ),
        Endpoint(
            "GET", "/v1/products/:product/content", "getContent",
            "Fetch the content again, for a user who owns it",
            about: ReceiptEndpoints.contentRule,
            takes: [Parameter(.path, "product", schema: "ProductID", example: "turbo")],
            answers: [Answer(200, "The content.", .json(ContentBody.self))],
            refuses: [404: "`notFound`: the user does not own it, or it has no content."],
            .raw { call, _ in
                try call.parts.receipts.sendContent(of: call["product"], call.context)
            }
        ),
    ]
}
