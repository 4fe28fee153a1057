import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum ApprovalEndpoints: StoreEndpoints {
    static let parameters = [
        Parameter(
            .path, "number", schema: "ApprovalNumber", example: 1,
            unknown: "`approvalUnknown`: the world has no request with that number.")
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/approvals", "listApprovals",
            "Purchases that wait for approval, oldest first",
            takes: [.after],
            answers: ["A page of them."],
            refuses: [400: .badAfter],
            .now(ApprovalService.list)
        ),
        Endpoint(
            "POST", "/approvals/:number/approve", "approvePurchase",
            "Approve a purchase at its present price",
            about: "A repeated request gets the same answer.",
            answers: ["The outcome."],
            refuses: [
                409: "`approvalAnswered`: the other answer was given before and stands."
            ],
            .later { try await ApprovalService.answer($0, .approved, number: $0["number"]) }
        ),
        Endpoint(
            "POST", "/approvals/:number/decline", "declinePurchase", "Decline a purchase",
            about: "A repeated request gets the same answer.",
            answers: ["The outcome."],
            refuses: [
                409: "`approvalAnswered`: the other answer was given before and stands."
            ],
            .later { try await ApprovalService.answer($0, .declined, number: $0["number"]) }
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "ApprovalNumber": [
            "type": "integer", "format": "int64", "minimum": 1, "maximum": .integer(Int64.max),
        ]
    ]
}

extension AccountSettingsBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when absent.",
        "name": .component("AccountName"),
        "needsApproval": "Whether someone else must approve its purchases.",
        "interruptsPurchases": """
        Whether its purchases fail in the app until the customer resolves the interruption.
        """,
        "failsRenewals": "Whether every renewal of its subscriptions fails from now on.",
    ]
}

extension ResolvedPurchasesBody: Described {
    package static let notes: Notes = [
        "": ["example": ["purchases": []]],
        "purchases": ["maxItems": .integer(PurchaseRules.waitingMax)],
    ]
}

extension ApprovalsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["approvals": []]],
        "approvals": ["maxItems": .integer(Limits.approvalsPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension ApprovalBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "account": "child@example.com", "askedAt": 1_714_558_830_123,
                "attemptId": "0B9A5D0E-0F0E-4B1B-9C39-6B0F1C2D3E4F",
                "bundleId": "com.example.rocketcar", "currency": "USD", "environment": "sandbox",
                "number": 1, "priceMilliunits": 990, "productId": "com.example.rocketcar.fuel",
                "quantity": 1, "state": "pending",
            ]
        ],
        "number": .component("ApprovalNumber"),
        "attemptId": .component("UUID", "The device's own identifier of the purchase."),
        "state": "`refused`: approved, but the rules of that moment did not allow the sale.",
        "bundleId": .component("BundleID"),
        "quantity": ["minimum": 1, "maximum": .integer(PurchaseRules.quantityMax)],
        "priceMilliunits": [
            "minimum": 0,
            "description": "The total price now; absent once answered or when not for sale.",
        ],
        "currency": ["pattern": "^[A-Z]{3}$"],
        "shownPriceMilliunits": [
            "minimum": 0,
            "description": "The price on the sheet; absent when it showed none.",
        ],
        "shownCurrency": ["pattern": "^[A-Z]{3}$"],
        "transactionId": .component("TransactionID", "Present when it was bought."),
        "refusal": "Present when it was declined or refused.",
    ]
}

extension ResolvedPurchaseBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "attemptId": .component("UUID"),
        "bundleId": .component("BundleID"),
        "quantity": ["minimum": 1, "maximum": .integer(PurchaseRules.quantityMax)],
        "transactionId": .component("TransactionID", "Present when it was bought."),
        "refusal": "Present when the store no longer sells the product.",
    ]
}
