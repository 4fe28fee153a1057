import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum RevocationEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/transactions/:id/revoke", "revokeTransaction", "Take a purchase back",
            about: """
                What is owned once goes as a whole, with every transaction that counts as it. The \
                receipt says so, and apps are told. So it is with what a family has of it. A \
                repeated request gets the same answer. What the purchase cost stays as it was \
                recorded, and what the ledger was charged for it goes back.
                """,
            example: ["reason": "issue"],
            answers: ["Taken back, now or before."],
            refuses: [
                404: "`transactionUnknown`: the world has none with that number.",
                409: """
                `revokedBefore`: it was taken back with another reason. \
                `transactionShared`: a family member bought it; the message names that \
                transaction.
                """,
            ],
            .later { try await RevocationService.revoke($0, $1, $0["id"]) }
        )
    ]

    static let scalars: [Scalar] = [
        .cases(
            of: Revocation.Reason.self, as: "RevocationReason",
            "`issue`: an actual or supposed fault of the app.")
    ]

}

extension RevokedBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "productId": "com.example.rocketcar.turbo", "reason": "issue", "refunds": [],
                "revocationDate": 1_714_558_830_123, "transactionId": "2000000000000000",
                "transactionIds": ["2000000000000000"],
            ]
        ],
        "transactionId": .component("TransactionID"),
        "transactionIds": [
            "description": "With it every transaction that counts as the same purchase.",
            "minItems": 1, "items": .component("TransactionID"),
        ],
        "refunds": """
        The money that went back with it, of each transaction that had been charged \
        any.
        """,
    ]
}

extension RevokedMoneyBody: Described {
    package static let notes: Notes = [
        "": [
            "description": """
            In thousandths: to the account's credit, and out again through the payment \
            provider.
            """
        ],
        "transactionId": .component("TransactionID"),
        "currency": ["pattern": "^[A-Z]{3}$"],
        "creditMilliunits": ["minimum": 0],
        "providerMilliunits": ["minimum": 0],
    ]
}
