import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum PriceConsentEndpoints: StoreEndpoints {
    private static let unknown = "the world has no question of that number"

    static let parameters = [
        Parameter(
            .path, "number", schema: "PriceConsentNumber", example: 1,
            unknown: "`priceConsentUnknown`: \(unknown).")
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/price-consents", "listPriceConsents",
            "The price questions of all accounts, answered or not, oldest first",
            takes: [.after],
            answers: ["A page of them."],
            refuses: [400: .badAfter],
            .now(PriceConsentService.list)
        ),
        Endpoint(
            "POST", "/price-consents", "askPriceConsent",
            "Ask an account without the subscription about a higher price",
            about: """
                Its devices ask the customer; the price of the product does not change. A \
                subscriber is asked by `subscriptionPriceIncrease`.
                """,
            example: [
                "name": "buyer@example.com", "bundleId": "com.example.rocketcar",
                "productId": "com.example.rocketcar.club", "price": "2.99",
            ],
            answers: [
                Answer(
                    200, "The same question already waits for an answer.",
                    .json(PriceConsentBody.self)),
                Answer(201, "Asked.", .json(PriceConsentBody.self)),
            ],
            refuses: [
                404: """
                `accountUnknown`, `appUnknown`, `productUnknown`: the world has none of \
                that name.
                """,
                409: """
                `notRenewable`: the product is not an auto-renewable subscription. \
                `otherPricePending`: a question about another price of it waits for an answer. \
                `subscribed`: the account's subscription to it renews, so that its own price \
                increase asks. \
                `noPriceIncrease`: the account already pays as much or more. \
                `tooManyPriceConsents`: \(PriceConsentRules.pendingMax) wait in this app.
                """, 422: "`badPrice`: not a price that the currency can express.",
            ],
            .later(PriceConsentService.ask)
        ),
        Endpoint(
            "GET", "/price-consents/:number", "getPriceConsent", "A price question",
            answers: ["As it is now."],
            .now { try PriceConsentService.show($0, number: $0["number"]) }
        ),
        answering(
            "/price-consents/:number/agree", "agreeToPrice", "Agree to a price for the customer",
            unknown: unknown,
            .later { try await PriceConsentService.answer($0, .agreed, number: $0["number"]) }
        ),
        answering(
            "/price-consents/:number/decline", "declineToPrice",
            "Decline a price for the customer",
            unknown: unknown,
            .later { try await PriceConsentService.answer($0, .declined, number: $0["number"]) }
        ),
    ]

    static let environment: [Endpoint<Scene>] = [
        answering(
            "/device/v1/price-consents/:number/agree", "agreeOnDevice",
            "The customer agrees to a price",
            unknown: "the account has no question of that number in this app",
            .later {
                try await PriceConsentService.answerOnDevice($0, .agreed, number: $0["number"])
            }
        ),
        answering(
            "/device/v1/price-consents/:number/decline", "declineOnDevice",
            "The customer declines a price",
            unknown: "the account has no question of that number in this app",
            .later {
                try await PriceConsentService.answerOnDevice($0, .declined, number: $0["number"])
            }
        ),
    ]

    private static func answering(
        _ path: String, _ name: String, _ summary: String, unknown: String,
        _ handler: Handler<Scene>
    ) -> Endpoint<Scene> {
        Endpoint(
            "POST", path, name, summary, about: "A repeated request gets the same answer.",
            answers: ["Answered now or before."],
            refuses: [
                404: "`priceConsentUnknown`: \(unknown).",
                409: """
                `priceConsentAnswered`: the other answer was given before, and stands. \
                `priceConsentWithdrawn`: the question no longer waits for an answer.
                """,
            ], handler)
    }

    static let scalars: [Scalar] = [
        .cases(of: PriceConsentState.self, as: "PriceConsentState")
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "PriceConsentNumber": [
            "type": "integer", "format": "int64", "minimum": 1, "maximum": .integer(Int64.max),
        ]
    ]
}

extension AskPriceConsentBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
        "bundleId": .component("BundleID"),
        "productId": .component("Identifier"),
        "price": .component("Price", "In the currency of the account's storefront."),
    ]
}

extension PriceConsentsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["priceConsents": []]],
        "priceConsents": ["maxItems": .integer(Limits.priceConsentsPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension PriceConsentBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "account": "buyer@example.com", "askedAt": 1_714_558_830_123,
                "bundleId": "com.example.rocketcar", "currency": "USD", "environment": "sandbox",
                "newPriceMilliunits": 2990, "number": 1, "oldPriceMilliunits": 1990,
                "productId": "com.example.rocketcar.club", "state": "pending",
            ]
        ],
        "number": .component("PriceConsentNumber"),
        "bundleId": .component("BundleID"),
        "oldPriceMilliunits": [
            "minimum": 0, "description": "What the account paid when it was asked.",
        ],
        "newPriceMilliunits": ["minimum": 1],
        "currency": ["pattern": "^[A-Z]{3}$"],
        "answeredAt": "Absent without an answer.",
        "withdrawnAt": """
        Absent unless the question was withdrawn, because the subscription ended or changed \
        its product.
        """,
    ]
}

extension DevicePriceConsentBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "currency": "USD", "newPriceMilliunits": 2990, "number": 1,
                "oldPriceMilliunits": 1990, "productId": "com.example.rocketcar.club",
                "state": "pending",
            ]
        ],
        "number": .component("PriceConsentNumber"),
        "oldPriceMilliunits": [
            "minimum": 0, "description": "What the account paid when it was asked.",
        ],
        "newPriceMilliunits": ["minimum": 1],
        "currency": ["pattern": "^[A-Z]{3}$"],
    ]
}
