import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum OfferCodeEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/apps/:app/products/:product/offer-codes", "listOfferCodes",
            "The codes of a product's offers and batches of them, newest first",
            answers: [
                "All of them, including ended ones; one-time codes are not shown."
            ],
            .now { try OfferCodeService.list($0, app: $0["app"], product: $0["product"]) }
        ),
        Endpoint(
            "POST", "/apps/:app/products/:product/offer-codes", "makeOfferCode",
            "Make a custom code, or a batch of one-time codes, for a product's offer",
            body: RequestBody(
                .schema("MakeOfferCode"),
                example: ["offerId": "Spring fair", "word": "SPRING26", "redemptionsMax": 5000]),
            answers: [
                Answer(
                    200, "The very same custom code already exists.",
                    .json(MadeOfferCodeBody.self)),
                Answer(
                    201, "Made. No other answer ever shows the codes of a batch.",
                    .json(MadeOfferCodeBody.self)),
            ],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `offerUnknown`: the app, the product or its offer \
                does not exist.
                """,
                409: """
                `offerCodeTaken`: another code of the app has, or had, that word. \
                `tooManyOfferCodes`: the app keeps \(Limits.offerCodesMax) codes and batches, or \
                \(OfferCodeRules.redemptionsMax) one-time codes in them.
                """,
                422: """
                `badField`: the message names it. `dateIsOver`, `dateOutOfRange`: a code must end \
                later than now, in the years 2000 to 2099.
                """,
            ],
            .later {
                try await OfferCodeService.make($0, $1, app: $0["app"], product: $0["product"])
            }
        ),
        Endpoint(
            "DELETE", "/apps/:app/products/:product/offer-codes/:number", "deactivateOfferCode",
            "Deactivate a code or a batch",
            takes: [Parameter(.path, "number", schema: "OfferCodeNumber", example: 1)],
            answers: ["Deactivated, now or before."],
            refuses: [
                404: """
                `appUnknown`, `productUnknown`, `offerCodeUnknown`: the app, the product or its \
                code does not exist.
                """
            ],
            .later {
                try await OfferCodeService.deactivate(
                    $0, app: $0["app"], product: $0["product"], number: $0["number"])
            }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "OfferCodeNumber": [
            "type": "integer", "format": "int64", "minimum": 1, "maximum": .integer(Int64.max),
        ],
        "OfferCodeWord": [
            "type": "string", "description": "Case does not matter.",
            "pattern": "^[0-9A-Za-z]+$", "minLength": 1,
            "maxLength": .integer(OfferCodeWord.lengthMax),
        ],
        "MakeOfferCode": [
            "description": "A custom code, or one-time codes.",
            "oneOf": [
                [
                    "type": "object", "required": ["offerId", "word", "redemptionsMax"],
                    "properties": [
                        "offerId": .component("OfferReferenceName"),
                        "word": .component("OfferCodeWord"),
                        "redemptionsMax": [
                            "type": "integer", "format": "int64", "minimum": 1,
                            "maximum": .integer(OfferCodeRules.redemptionsMax),
                        ], "count": ["type": "null"],
                        "expiresAt": [
                            "description":
                                "By the world's clock; without an end when null or absent.",
                            "anyOf": [.component("Timestamp"), ["type": "null"]],
                        ],
                    ],
                ],
                [
                    "type": "object", "required": ["offerId", "count"],
                    "properties": [
                        "offerId": .component("OfferReferenceName"),
                        "count": [
                            "type": "integer", "format": "int64", "minimum": 1,
                            "maximum": .integer(Limits.oneTimeCodesPerBatchMax),
                        ], "word": ["type": "null"], "redemptionsMax": ["type": "null"],
                        "expiresAt": [
                            "description":
                                "By the world's clock; without an end when null or absent.",
                            "anyOf": [.component("Timestamp"), ["type": "null"]],
                        ],
                    ],
                ],
            ],
        ],
        "OfferReferenceName": [
            "type": "string",
            "description": """
            The reference name of one of the product's code offers, as in its catalogue file.
            """,
        ],
    ]
}

extension OfferCodeBody: Described {
    package static let notes: Notes = [
        "": [
            "description": """
            A custom code, or a batch of one-time codes. Its times are by the world's \
            clock.
            """,
            "example": [
                "kind": "custom", "madeAt": 1_714_558_830_123, "number": 1,
                "offerId": "Spring fair", "productId": "com.example.rocketcar.club",
                "redemptionCount": 12, "redemptionsMax": 5000, "state": "active",
                "word": "SPRING26",
            ],
        ],
        "number": .component("OfferCodeNumber"),
        "offerId": .component("OfferReferenceName"),
        "word": .component("OfferCodeWord", "For a custom code, in capitals."),
        "redemptionsMax": [
            "description": "For a batch, how many codes it has.", "minimum": 1,
            "maximum": .integer(OfferCodeRules.redemptionsMax),
        ],
        "redemptionCount": ["description": "In both environments together.", "minimum": 0],
    ]
}

extension OfferCodesBody: Described {
    package static let notes: Notes = [
        "offerCodes": ["maxItems": .integer(Limits.offerCodesMax)]
    ]
}

extension MadeOfferCodeBody: Described {
    package static let notes: Notes = [
        "codes": [
            "description": "The codes of a batch.", "minItems": 1,
            "maxItems": .integer(Limits.oneTimeCodesPerBatchMax),
            "items": ["type": "string", "pattern": "^[A-Z2-9]{\(Limits.oneTimeCodeLength)}$"],
        ]
    ]
}
