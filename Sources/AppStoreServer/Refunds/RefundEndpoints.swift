import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum RefundEndpoints: StoreEndpoints {
    static let parameters = [
        Parameter(
            .path, "transaction", "A transaction of the purchase.", schema: "TransactionID",
            example: "2000000000000000",
            unknown: """
                `refundUnknown`: nobody requested one. `transactionUnknown`: the world has none with \
                that number.
                """)
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/refunds", "listRefunds",
            "Every requested refund, in the order of the purchases",
            takes: [.after],
            answers: ["A page of them."],
            refuses: [400: .badAfter],
            .now(RefundService.list)
        ),
        Endpoint(
            "GET", "/refunds/:transaction", "getRefund", "A refund",
            answers: ["As it is now."],
            .now { try RefundService.show($0, $0["transaction"]) }
        ),
        Endpoint(
            "POST", "/refunds/:transaction/request", "refundRequest",
            "Request a refund, as the customer would",
            about: """
                Once for each purchase, whatever is decided; a repeated request with the same \
                reason gets the same answer. For a product that is owned once, it concerns the \
                first purchase. A subscription no longer renews after it.
                """,
            example: ["reason": "UNINTENDED_PURCHASE"],
            answers: [
                "As it is now, even when that happened before."
            ],
            refuses: [
                404: "`transactionUnknown`: the world has none with that number.",
                409: """
                `accountDeleted`: the account was deleted. `refundRequested`: a refund was \
                requested before, for another reason. \
                `transactionRevoked`: it was taken back. `refundTooLate`: it is more than \
                \(RefundRules.windowMilliseconds / 86_400_000) days old.
                """,
            ],
            .later { try await RefundService.request($0, $1, $0["transaction"]) }
        ),
        Endpoint(
            "PUT", "/refunds/:transaction/consumption", "refundConsumption",
            "Report the consumption, as the app would",
            about: """
                The first report stands. It counts when it comes within \
                \(RefundRules.answerMilliseconds / 3_600_000) hours.
                """,
            example: [
                "consumptionPercentage": 40_000, "customerConsented": true,
                "deliveryStatus": "DELIVERED", "refundPreference": "GRANT_PRORATED",
                "sampleContentProvided": false,
            ],
            answers: [
                "As it is now, even when that happened before."
            ],
            refuses: [
                409: """
                `consumptionAnswered`: the app reported something else before. `refundDecided`: \
                the refund has already been decided.
                """, 422: "`badField`: such a purchase cannot have this report.",
            ],
            .later { try await RefundService.answer($0, $1, $0["transaction"]) }
        ),
        Endpoint(
            "POST", "/refunds/:transaction/grant", "refundGrant",
            "Grant a refund and take the purchase back",
            about: """
                A prorated refund is the rest of a subscription's period, or the part of another \
                purchase that the app reported as not consumed. The receipt shows it, and apps are \
                notified.
                """,
            example: ["type": "REFUND_FULL"],
            answers: [
                "As it is now, even when that happened before."
            ],
            refuses: [
                409: """
                `refundDecided`: it was decided otherwise. `transactionRevoked`: it was taken back \
                by hand. `consumptionUnknown`: the app reported nothing to compute a share from. \
                `nothingLeft`: the share would be 0, or rounds to 0 in the currency.
                """
            ],
            .later { try await RefundService.grant($0, $1, $0["transaction"]) }
        ),
        Endpoint(
            "POST", "/refunds/:transaction/decline", "refundDecline", "Decline a refund",
            about: "Nothing else changes.",
            answers: [
                "As it is now, even when that happened before."
            ],
            refuses: [
                409: "`refundDecided`: it was granted."
            ],
            .later { try await RefundService.change($0, .decline, $0["transaction"]) }
        ),
        Endpoint(
            "POST", "/refunds/:transaction/reverse", "refundReverse",
            "Reverse a granted refund",
            about: """
                The customer has the purchase again, and pays for it again. A subscription goes on \
                to its period's end and does not renew.
                """,
            answers: [
                "As it is now, even when that happened before."
            ],
            refuses: [
                409: """
                `accountDeleted`: the account was deleted. `refundNotGranted`: it is open or \
                declined. `periodBoughtAgain`: a period of the \
                group was sold for the same days. `creditTooLow`: the customer has less credit \
                than that. `receiptFull`: the receipt has no room for it.
                """
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
        "refundMilliunits": [
            "description": """
            The price or its share, whole in its currency. The sandbox charges nobody, so no money \
            moves there.
            """, "minimum": 0,
        ],
    ]
}

extension Consumption: Described {
    package static let notes: Notes = [
        "": ["description": "Apple's *ConsumptionRequest*."],
        "customerConsented": "Must be true.",
        "consumptionPercentage": [
            "description": """
            In thousandths of a percent; 0 for a purchase that was not delivered, and absent for \
            an auto-renewable subscription.
            """, "minimum": 0, "maximum": .integer(Percentage.whole),
        ],
        "refundPreference": """
        The app's preferred decision; `GRANT_PRORATED` needs a percentage above 0 and below 100 %, \
        except for an auto-renewable subscription.
        """,
    ]
}
