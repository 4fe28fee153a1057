import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

enum SaleEndpoints: StoreEndpoints {
    private static let rule = """
        With what the ledger charged and refunded for each transaction, of all accounts and apps; \
        the sandbox charges nothing. Restored copies are left out. A client that goes on from the \
        last position gets every sale once, whenever it was made.
        """

    private static let after = Parameter(
        .query, "after",
        "The `next` of the previous page, or the `position` of an earlier export; 0 when absent.",
        schema: ["type": "string", "pattern": .string(SalePosition.pattern)], example: "0")

    private static let badAfter: RefusalText = """
        `badQuery`: `after` is not a position that an earlier page gave, nor 0.
        """

    private static let positionSchema: JSONValue = [
        "type": "string", "pattern": .string(SalePosition.pattern),
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/transactions", "listTransactions",
            "What was sold, production first, each environment in the order of its sales",
            about: rule, takes: [after], answers: ["A page of them."],
            refuses: [400: badAfter],
            .now(SaleService.list)
        ),
        Endpoint(
            "GET", "/transactions.csv", "exportTransactions",
            "What was sold, as comma-separated values",
            about: rule + " Each page begins with the names of the fields.",
            takes: [after],
            answers: [
                Answer(
                    200, "A page of them.", .bytes("text/csv"),
                    headers: [
                        "\(SaleService.nextHeader)": [
                            "description": "The `after` of the next page; absent on the last.",
                            "schema": positionSchema,
                        ],
                        "\(SaleService.positionHeader)": [
                            "description": "The `after` of a later export that goes on from here.",
                            "schema": positionSchema,
                        ],
                    ])
            ],
            refuses: [400: badAfter],
            .now(SaleService.csv)
        ),
    ]
}

extension SoldTransactionBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "bundleId": "com.example.rocketcar", "chargedMilliunits": 990, "currency": "USD",
                "environment": "Production", "isShared": false, "kind": "consumable",
                "originalTransactionId": "2000000000000000", "priceMilliunits": 990,
                "productId": "com.example.rocketcar.fuel", "purchasedAt": 1_714_558_830_123,
                "quantity": 1, "refundedMilliunits": 0, "storefront": "USA",
                "transactionId": "2000000000000000",
            ]
        ],
        "transactionId": .component("TransactionID"),
        "originalTransactionId": .component("TransactionID"),
        "environment": .oneOf(StoreEnvironment.allCases.map(\.wireName)),
        "kind": .oneOf(ProductKind.allCases.map(\.rawValue)),
        "quantity": ["minimum": 1],
        "storefront": "The country code of the buyer's.",
        "priceMilliunits": "As recorded, for the whole quantity, in thousandths of the currency.",
        "chargedMilliunits": "By the ledger.",
        "refundedMilliunits": "What was refunded and not taken again.",
        "revokedAt": "Absent if the purchase was not revoked.",
        "offer": "The kind of the offer that it was bought with; absent for none.",
        "isShared": "Whether a family member bought it.",
        "orderId": "In production, unless a family member bought it.",
    ]
}

extension SoldTransactionsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["position": "0-0", "transactions": []]],
        "transactions": ["maxItems": .integer(Limits.soldTransactionsPerAnswerMax)],
        "next": [
            "pattern": .string(SalePosition.pattern),
            "description": "The `after` of the next page; absent on the last.",
        ],
        "position": [
            "pattern": .string(SalePosition.pattern),
            "description": "The `after` of a later export that goes on from here.",
        ],
    ]
}
