import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum RefundEndpoints: StoreEndpoints {
    static let parameters = [
        Parameter(
            .path, "transaction", "A transaction of the purchase.", schema: "TransactionID",
            example: "2000000000000000")
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/refunds", "listRefunds",
            "Every refund that was asked for, in the order of their purchases",
            takes: [.after],
            answers: ["A page of them."],
            refuses: [400: .badAfter],
            .now(RefundService.list)
        ),
        Endpoint(
            "GET", "/refunds/:transaction", "getRefund", "One of them",
            answers: ["As it is now."],
            refuses: [
                404: """
                `refundUnknown`: nobody asked for its money. `transactionUnknown`: the world has \
                none with that number.
                """
            ],
            .now { try RefundService.show($0, $0["transaction"]) }
        ),
        Endpoint(
            "POST", "/refunds/:transaction/request", "refundRequest",
            "A customer asks for the money",
            about: """
                Once for a purchase, whatever is decided; asked again with the same reason it \
                answers the same. Of what is owned once it is of the first purchase. A \
                subscription does not renew after it.
                """,
            example: ["reason": "UNINTENDED_PURCHASE"],
            answers: [
                "As it is now, also when that happened before."
            ],
            refuses: [
                404: "`transactionUnknown`: the world has none with that number.",
                409: """
                `refundRequested`: it was asked back before, for another reason. \
                `transactionRevoked`: it was taken back. `refundTooLate`: it is more than \
                \(RefundRules.windowMilliseconds / 86_400_000) days old.
                """,
            ],
            .later { try await RefundService.request($0, $1, $0["transaction"]) }
        ),
        Endpoint(
            "PUT", "/refunds/:transaction/consumption", "refundConsumption",
            "The app says what was consumed",
            about: """
                The first answer stands. It counts when it comes within \
                \(RefundRules.answerMilliseconds / 3_600_000) hours.
                """,
            example: [
                "consumptionPercentage": 40_000, "customerConsented": true,
                "deliveryStatus": "DELIVERED", "refundPreference": "GRANT_PRORATED",
                "sampleContentProvided": false,
            ],
            answers: [
                "As it is now, also when that happened before."
            ],
            refuses: [
                404: """
                `refundUnknown`: nobody asked for its money. `transactionUnknown`: the world has \
                none with that number.
                """,
                409: """
                `consumptionAnswered`: it said something else before. `refundDecided`: \
                nothing is waited for any more.
                """, 422: "`badField`: it is not what may be said of such a purchase.",
            ],
            .later { try await RefundService.answer($0, $1, $0["transaction"]) }
        ),
        Endpoint(
            "POST", "/refunds/:transaction/grant", "refundGrant",
            "The money goes back, and the purchase is taken back",
            about: """
                Prorated is the rest of a subscription's period, and of anything else what the \
                app said was not consumed. The receipt says so, and apps are told.
                """,
            example: ["type": "REFUND_FULL"],
            answers: [
                "As it is now, also when that happened before."
            ],
            refuses: [
                404: """
                `refundUnknown`: nobody asked for its money. `transactionUnknown`: the world has \
                none with that number.
                """,
                409: """
                `refundDecided`: it was decided otherwise. `transactionRevoked`: it was \
                taken back by hand. `consumptionUnknown`: there is nothing to reckon a \
                share by. `nothingLeft`: the share would be nothing.
                """,
            ],
            .later { try await RefundService.grant($0, $1, $0["transaction"]) }
        ),
        Endpoint(
            "POST", "/refunds/:transaction/decline", "refundDecline", "The money stays where it is",
            about: "Nothing else is changed.",
            answers: [
                "As it is now, also when that happened before."
            ],
            refuses: [
                404: """
                `refundUnknown`: nobody asked for its money. `transactionUnknown`: the world has \
                none with that number.
                """, 409: "`refundDecided`: it was granted.",
            ],
            .later { try await RefundService.change($0, .decline, $0["transaction"]) }
        ),
        Endpoint(
            "POST", "/refunds/:transaction/reverse", "refundReverse",
            "A refund that was granted is taken back",
            about: """
                The customer has the purchase again, and pays it again. A subscription goes on \
                to its period's end and does not renew.
                """,
            answers: [
                "As it is now, also when that happened before."
            ],
            refuses: [
                404: """
                `refundUnknown`: nobody asked for its money. `transactionUnknown`: the world has \
                none with that number.
                """,
                409: """
                `refundNotGranted`: it is open or declined. `periodBoughtAgain`: a period \
                of the group was sold for the same days. `creditTooLow`: the customer has \
                less than that. `receiptFull`: the receipt has no room for it.
                """,
            ],
            .later { try await RefundService.change($0, .reverse, $0["transaction"]) }
        ),
    ]

    static let scalars: [Scalar] = [
        .cases(of: RefundReason.self, as: "RefundReason"),
        .cases(of: RefundType.self, as: "RefundType"),
    ]

}

extension RefundsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["refunds": []]],
        "refunds": ["maxItems": .integer(Limits.refundsPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension RefundBody: Described {
    package static let notes: Notes = [
        "transactionId": .component("TransactionID"),
        "revocationPercentage": [
            "type": "integer", "description": "In thousandths of a percent.", "minimum": 0,
            "maximum": .integer(Percentage.whole),
        ],
        "refundMilliunits": ["minimum": 0],
    ]
}

extension Consumption: Described {
    package static let notes: Notes = [
        "": ["description": "Apple's *ConsumptionRequest*."],
        "customerConsented": "True, or it is refused.",
        "consumptionPercentage": [
            "description": """
            In thousandths of a percent; 0 of what was not delivered, and never of an \
            auto-renewable subscription.
            """, "minimum": 0, "maximum": .integer(Percentage.whole),
        ],
        "refundPreference": """
        What the app would have decided; with `GRANT_PRORATED` a percentage above 0 \
        and below 100 % comes, but of an auto-renewable subscription.
        """,
    ]
}
