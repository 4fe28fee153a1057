import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum PurchaseEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/purchases", "buyForAccount",
            "Buy for an account, on a device that the store keeps for it in the app",
            about: """
                By all rules of a device's attempts; the answer is what the device would be told, \
                such as a refusal or that the purchase waits for approval. A repeated request with \
                the same id and body is answered with the present state.
                """,
            takes: [receipts],
            body: RequestBody(
                .json(MakePurchaseBody.self),
                example: [
                    "account": "buyer@example.com",
                    "attemptId": "11111111-2222-4333-8444-555555555555",
                    "bundleId": "com.example.rocketcar",
                    "productId": "com.example.rocketcar.fuel",
                ]),
            answers: [Answer(200, "The attempt's present state.", .json(AttemptAnswerBody.self))],
            refuses: [
                400: """
                `badQuery`: `receipts` is neither true nor false. `badBody`: the body is \
                not as described; the message says where.
                """,
                404: """
                `accountUnknown`, `appUnknown`: the environment has no such account, the world no \
                such app. `offerCodeUnknown`: the app has no such code.
                """,
                409: """
                `attemptIdReused`: the id was used with another body. `offerRefused`: no \
                introductory offer applies, or the purchase with it would wait, or the code is for \
                another product. `notATest`: `test` is for the sandbox of test sessions. \
                `subscriptionOverlaps`: a subscription of the group did not end before the date.
                """,
                422: """
                `badField`: the message names it. `dateOutOfRange`: a date is not in the years 2000 \
                to 2099.
                """,
                423: "`accountLocked`: the owner locked the account.",
            ],
            .later(OwnerPurchaseService.buy)
        )
    ]

    private static let receipts = Parameter(
        .query, "receipts", "Whether the answer includes the receipts once the attempt is done.",
        schema: ["enum": ["true", "false"]], example: "true")

    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/device/v1/attempts", "buy",
            "Buy, under an id that the device made and stored first",
            about: """
                A repeated request with the same id and body is answered with the attempt's \
                present state. Buying a subscription that already renews is refused; with \
                `signed=true`, the answer is its current period, and nothing changes.
                """,
            takes: [receipts, .signedPurchase],
            body: RequestBody(
                .json(AttemptRequestBody.self),
                example: [
                    "applicationUsername": "driver-7",
                    "attemptId": "11111111-2222-4333-8444-555555555555",
                    "productId": "com.example.rocketcar.fuel", "quantity": 2,
                ]),
            answers: [Answer(200, "The attempt's present state.", .json(AttemptAnswerBody.self))],
            refuses: [
                409: """
                `attemptIdReused`: the id was used with another body or account. `notATest`: `test` \
                is for the sandbox of test sessions. `subscriptionOverlaps`: a subscription of the \
                group did not end before the date.
                """,
                422: """
                `badField`: the message names it. `dateOutOfRange`: a date is not in the years 2000 \
                to 2099.
                """,
                400: """
                `badQuery`: `receipts` or `signed` is neither true nor false, or both are true. \
                `badBody`: the body is not as described; the message says where.
                """,
            ],
            .raw { call, responder in PurchaseService.attempt(call.request, call.context, responder)
            }
        ),
        Endpoint(
            "POST", "/device/v1/attempts/:attempt/finish", "finishAnswer",
            "Finish the answer to a payment that only changed a renewal",
            about: """
                Such an attempt is answered with the running period, whose transaction is finished \
                by itself. A repeated request gets the same answer.
                """,
            answers: [Answer(200, "Finished now or before.", .json(FinishAnswerBody.self))],
            refuses: [
                404: "`attemptUnknown`: the account has no such attempt on this device."
            ],
            .raw { call, responder in
                FinishService.finishAnswer(
                    call.request, call["attempt"], call.context, responder)
            }
        ),
        Endpoint(
            "POST", "/device/v1/transactions/:id/finish", "finish",
            "Take a transaction off the queue",
            about: "A repeated request gets the same answer.",
            answers: [Answer(200, "Finished now or before.", .json(FinishAnswerBody.self))],
            refuses: [
                404: "`transactionUnknown`: the account has none with that number in this app."
            ],
            .raw { call, responder in
                FinishService.finish(call.request, call["id"], call.context, responder)
            }
        ),
    ]

    static let parameters = [
        Parameter(
            .path, "attempt", "The attempt's id.", schema: "AnsweredAttemptID",
            example: "11111111-2222-4333-8444-555555555555")
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "AnsweredAttemptID": .component(
            "UUID", "The id of an attempt that was answered with an earlier transaction."),
        "Revision": [
            "type": "integer", "format": "int64",
            "description":
                "The revision of the account's receipt in this app; fetch it when yours is older.",
            "minimum": 0,
        ],
        "TransactionID": [
            "type": "string", "description": "Below 2^53.", "pattern": "^[1-9][0-9]{0,15}$",
        ],
    ]
}

extension AttemptRequestBody: Described {
    package static var schemaName: String? { "Attempt" }
    package static let notes: Notes = [
        "": [
            "dependentRequired": [
                "shownPriceMilliunits": ["shownCurrency"],
                "shownCurrency": ["shownPriceMilliunits"],
            ]
        ],
        "attemptId": .component("UUID"),
        "productId": .component("Identifier"),
        "quantity": [
            "format": "int64",
            "description": """
            1 to \(PurchaseRules.quantityMax), or 1 for a product that is bought once; any other \
            is answered with a refusal.
            """, "minimum": .integer(Int64.min), "maximum": .integer(Int64.max),
        ],
        "applicationUsername": [
            "pattern": #"^[^\u0000-\u001f\u007f]*$"#,
            "maxLength": .integer(Limits.identifierBytesMax),
        ],
        "shownPriceMilliunits": [
            "description": """
            The price that the sheet showed for the whole quantity; given with its currency, or \
            not at all. The store charges this or refuses.
            """, "minimum": 0, "maximum": .integer(Int64.max),
        ],
        "shownCurrency": ["pattern": "^[A-Z]{3}$"],
        "simulatesAskToBuy": "Whether to ask for approval in any case; only the sandbox does.",
        "discount": [
            "description": "The promotional offer that the payment uses.",
            "oneOf": [.component("Discount"), ["type": "null"]],
        ],
        "promotionalOffer": [
            "description": "The same with a JWS; instead of `discount`.",
            "oneOf": [.component("PromotionalOffer"), ["type": "null"]],
        ],
        "winBackOfferId": .component("Identifier", "The win-back offer; instead of the others."),
        "introductoryOfferEligibility": """
        The compact JWS in which the app's server says whether the customer gets an introductory \
        offer; the store decides without one. Instead of the others.
        """,
        "test": [
            "description": "Only in the sandbox of a test session.",
            "oneOf": [.component("TestPurchase"), ["type": "null"]],
        ],
    ]
}

extension PromotionalOfferBody: Described {
    package static var schemaName: String? { "PromotionalOffer" }
    package static let notes: Notes = [
        "": ["example": ["jws": "eyJhbGciOiJFUzI1NiIsImtpZCI6…", "offerId": "spring"]],
        "jws": "Signed with a key of the app. A fault in it refuses the attempt.",
    ]
}

extension TestPurchaseBody: Described {
    package static var schemaName: String? { "TestPurchase" }
    package static let notes: Notes = [
        "": [
            "description": "How a purchase in the sandbox of a test session differs from others.",
            "example": ["purchasedAt": 1_769_904_000_000, "cancelsAtOnce": true],
        ],
        "purchasedAt": """
        When it is made, in the years 2000 to 2099 and not after the world's time; now when absent. \
        A subscription then renews until now.
        """,
        "cancelsAtOnce": """
        Whether renewal of a subscription is turned off at once; false when absent.
        """,
        "promotionalOfferId": .component(
            "Identifier",
            "The promotional offer, which needs no signature; instead of any other offer."),
        "codeOfferReferenceName": .component(
            "Identifier",
            "The reference name of the offer of codes, without a code; instead of any other offer."),
    ]
}

extension MakePurchaseBody: Described {
    package static var schemaName: String? { "BuyForAccount" }
    package static let notes: Notes = [
        "attemptId": .component(
            "UUID", "Made by the sender; it counts for the account in the app."),
        "environment": "`sandbox` when absent.",
        "account": .component("AccountName"),
        "bundleId": .component("BundleID"),
        "appVersion": .component("AppVersion", "1.0 when absent."),
        "productId": .component("Identifier"),
        "quantity": [
            "description": """
            1 when absent; any that a product does not allow is answered with a refusal.
            """, "minimum": .integer(Int64.min), "maximum": .integer(Int64.max),
        ],
        "applicationUsername": [
            "description": "A UUID is the purchase's `appAccountToken`.",
            "pattern": #"^[^\u0000-\u001f\u007f]*$"#,
            "maxLength": .integer(Limits.identifierBytesMax),
        ],
        "finish": "Whether to finish the transaction once it is made.",
        "test": [
            "description": "Only in the sandbox of a test session.",
            "oneOf": [.component("TestPurchase"), ["type": "null"]],
        ],
    ]
}

extension PurchaseOfferBody: Described {
    package static var schemaName: String? { "PurchaseOffer" }
    package static let notes: Notes = [
        "": ["maxProperties": 1, "example": ["promotional": "spring"]],
        "introductory": """
        True refuses a purchase to which no introductory offer applies; one applies by itself.
        """,
        "promotional": .component(
            "Identifier", "Its identifier; the owner's word replaces the server's signature."),
        "signed": [
            "description": "A promotional offer as an app sends it.",
            "oneOf": [.component("Discount"), ["type": "null"]],
        ],
        "winBack": .component("Identifier", "Its identifier."),
        "code": "As typed; case does not matter.",
    ]
}

extension AttemptAnswerBody: Described {
    package static var schemaName: String? { "AttemptState" }
    package static let notes: Notes = [
        "": [
            "example": [
                "attemptId": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11", "receiptRevision": 1,
                "refusal": [
                    "code": "productUnknown", "message": "The store does not know this product.",
                ], "state": "refused",
            ]
        ],
        "attemptId": .component("UUID"),
        "transaction": "Present when the attempt is done.",
        "refusal": "Present when it was refused.",
        "receiptRevision": .component("Revision"),
        "receipts": """
        Present when it was asked for and is done, as a rule; fetch them otherwise.
        """,
        "signed": """
        Present when it was asked for and is done, as a rule; ask `/device/v1/signed` otherwise.
        """,
    ]
}

extension RefusalBody: Described {
    package static var schemaName: String? { "PurchaseRefusal" }
    package static let notes: Notes = [
        "": [
            "example": [
                "code": "productUnknown", "message": "The store does not know this product.",
            ]
        ],
        "code": "The first reason that holds, in this order.",
    ]
}

extension TransactionBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "applicationUsername": "driver-7",
                "attemptId": "11111111-2222-4333-8444-555555555555",
                "deviceGuid": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
                "originalPurchaseDate": 1_714_558_830_123,
                "originalTransactionId": "2000000000000000",
                "productId": "com.example.rocketcar.fuel", "purchaseDate": 1_714_558_830_123,
                "quantity": 2, "transactionId": "2000000000000000",
            ]
        ],
        "transactionId": .component("TransactionID"),
        "originalTransactionId": .component("TransactionID"),
        "quantity": ["minimum": 1, "maximum": .integer(PurchaseRules.quantityMax)],
        "attemptId": [
            "description": """
            The attempt or the restore it came from; for an automatic renewal, its own number; for \
            an offer that the owner took for the account, the number of the code or of the last \
            period.
            """,
            "anyOf": [
                .component("UUID"),
                ["type": "string", "pattern": "^(renewal|offer-code/[0-9]+|win-back)/[0-9]+$"],
            ],
        ],
        "deviceGuid": .component("UUID", "The device that made the attempt or asked to restore."),
        "original": "Present when it restores a purchase.",
        "downloads": "Content to fetch before it is finished; absent when there is none.",
        "isFinished": """
        True when it no longer needs to be delivered: it was finished on some device, or was taken \
        back. Absent while it waits. In the answer to an attempt that only changed a renewal, \
        whether that answer was finished.
        """,
    ]
}

extension FinishAnswerBody: Described {
    package static var schemaName: String? { "Finished" }
    package static let notes: Notes = [
        "": ["example": ["receiptRevision": 2, "transactionId": "2000000000000000"]],
        "transactionId": .component("TransactionID"),
        "receiptRevision": .component("Revision"),
    ]
}

extension DiscountBody: Described {
    package static let notes: Notes = [
        "": [
            "description": """
            The values that the app's server signed, by the names of `SKPaymentDiscount`, or a \
            JWS. A fault in it refuses the attempt.
            """,
            "example": [
                "identifier": "spring", "keyIdentifier": "2X9R4HXF34",
                "nonce": "6c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5a11", "signature": "MEUCIQCmz0mZ…",
                "timestamp": 1_714_558_830_123,
            ],
        ],
        "identifier": "The offer's.",
        "nonce": "A UUID, good once in the app.",
        "signature": "DER in base64.",
        "timestamp": [
            "description": "Milliseconds since 1970, by the real clock; good for 24 hours.",
            "minimum": .integer(Int64.min), "maximum": .integer(Int64.max),
        ],
        "compactJWS": "Instead of the four members above.",
    ]
}

extension SentReceiptsBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "receipt": ["contentEncoding": "base64"],
        "revision": .component("Revision"),
        "transactionReceipt": ["contentEncoding": "base64"],
    ]
}
