import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum SaleEndpoints: StoreEndpoints {
    private static let rule = """
        With what the ledger charged and refunded for each transaction; the sandbox charges \
        nothing. Restored copies are left out. A client that goes on from the last position gets \
        every sale once, whenever it was made.
        """

    private static let after = Parameter(
        .query, "after",
        "The `next` of the previous page, or the `position` of an earlier list; 0 when absent.",
        schema: ["type": "string", "pattern": .string(NumberPair.pattern)], example: "0")

    private static let badAfter = """
        `badQuery`: `after` is not a position that an earlier page gave, nor 0
        """

    private static let positionSchema: JSONValue = [
        "type": "string", "pattern": .string(NumberPair.pattern),
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/transactions", "listTransactions",
            "What was sold, of all accounts and apps unless filters say otherwise",
            about: rule + """
                 The oldest first, production comes before the sandbox; the newest first, both are \
                merged by time. With filters a page may have fewer transactions than it could, and \
                none at all, while `next` says that the list continues: \
                \(Limits.rowsLookedAtMax) are looked at for it.
                """,
            takes: [
                after, .limit(Limits.salesPerAnswerMax, countMax: Limits.salesPerAnswerMax), .order,
            ] + SaleFilter.parameters, answers: ["A page of them."],
            refuses: [
                400: """
                \(badAfter); `limit` is not a number from 1 to \(Limits.salesPerAnswerMax); \
                `order`, `state` or `environment` is unknown; `from` or `until` is not a time, or \
                `until` is not after `from`.
                """,
                404: """
                `accountUnknown`: the environment has no account of that name. `appUnknown`: the \
                world has no such app. `productUnknown`: no app, or not this one, has or sold it.
                """,
            ],
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
            refuses: [400: "\(badAfter)."],
            .now(SaleService.csv)
        ),
        Endpoint(
            "GET", "/transactions/:id", "getTransaction",
            "A transaction with its family's copies, refund, payment and ledger entries",
            about: "A restored transaction, too.",
            answers: ["As it is now."],
            refuses: [404: "`transactionUnknown`: the world has none with that number."],
            .now { try SaleService.show($0, $0["id"]) }
        ),
        Endpoint(
            "DELETE", "/transactions/:id", "deleteTransaction",
            "Delete a transaction of a test session's sandbox",
            about: """
                With what came from it: restored copies, and the later periods of a subscription, \
                which goes with its first and otherwise stands at the period before, where it has \
                ended unless that still lasts. It leaves receipts, lists, signed data and the App \
                Store Server API, and devices are notified. A repeated request gets the same answer.
                """,
            answers: [Answer(204, "Deleted, now or before.")],
            refuses: [
                404: "`transactionUnknown`: the world has none with that number.",
                409: """
                `notATest`: the world is not a test session, or the transaction is of production. \
                `transactionShared`: a family shares it.
                """,
            ],
            .later { try await TransactionDeletion.delete($0, $0["id"]) }
        ),
    ]
}

extension SaleBody: Described {
    static let example: JSONValue = [
        "account": "buyer@example.com", "bundleId": "com.example.rocketcar",
        "chargedMilliunits": 990, "currency": "USD", "environment": "Production",
        "isShared": false, "kind": "consumable", "orderId": "M1VCV0R16W00",
        "originalTransactionId": "2000000000000000", "priceMilliunits": 990,
        "productId": "com.example.rocketcar.fuel", "purchasedAt": 1_714_558_830_123, "quantity": 1,
        "refundedMilliunits": 0, "state": "unfinished", "storefront": "USA",
        "transactionId": "2000000000000000",
    ]

    package static let notes: Notes = [
        "": ["example": example],
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
        "account": "The buyer's name, or that of the family member who has this copy.",
        "state": [
            "description": """
            `revoked` before `replaced`, by another product of the group, before whether the app \
            finished it.
            """
        ],
        "expiresAt": "The end of the period of a subscription.",
    ]
}

extension SalesBody: Described {
    package static let notes: Notes = [
        "": ["example": ["position": "0-0", "transactions": []]],
        "transactions": ["maxItems": .integer(Limits.salesPerAnswerMax)],
        "next": [
            "pattern": .string(NumberPair.pattern),
            "description": "The `after` of the next page; absent on the last.",
        ],
        "position": [
            "pattern": .string(NumberPair.pattern),
            "description": """
            The `after` of a later list, the oldest first, that has only what this one had not: \
            the newest sale when these are the newest first.
            """,
        ],
    ]
}

extension SaleDetailsBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "attemptId": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11", "deviceId": 1,
                "familyCopies": [], "ledger": [], "originallyPurchasedAt": 1_714_558_830_123,
                "transaction": SaleBody.example,
            ]
        ],
        "deviceId": ["minimum": 1, "description": "The device that bought it."],
        "attemptId": """
        The attempt or restore it came from; `renewal/`, `family/`, `offer-code/` or `win-back/` \
        with numbers when no device asked for it.
        """,
        "applicationUsername": "The app's own name for its user.",
        "restoredTransactionId": .component("TransactionID", "The purchase that it restores."),
        "sharedTransactionId": .component(
            "TransactionID", "The family member's purchase of which it is a copy."),
        "familyCopies": "Those that the buyer's family has, or had.",
        "upgradeRefundMilliunits": [
            "minimum": 1,
            "description": "What was given back because a better product took its place.",
        ],
        "payment": "Absent if credit paid, or nobody was charged.",
        "ledger": "The entries about it and about its payment.",
    ]
}
