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
                A product that is owned once is taken back as a whole, with every transaction that \
                counts as the same purchase and with the family's copies. The receipt shows it, \
                and apps are notified. A repeated request gets the same answer. The recorded price \
                stays, and the amount that the ledger charged is refunded.
                """,
            example: ["reason": "issue"],
            answers: ["Taken back, now or before."],
            refuses: [
                404: "`transactionUnknown`: the world has none with that number.",
                409: """
                `revokedBefore`: it was taken back for another reason. `transactionShared`: a \
                family member bought it; the message names that transaction.
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
            "description": "The transaction and every other that counts as the same purchase.",
            "minItems": 1, "items": .component("TransactionID"),
        ],
        "refunds": """
        The refund of each transaction that had been charged.
        """,
    ]
}

extension RevokedMoneyBody: Described {
    package static let notes: Notes = [
        "": [
            "description": """
            In thousandths: to the account's credit, and from there through the payment provider.
            """
        ],
        "transactionId": .component("TransactionID"),
        "currency": ["pattern": "^[A-Z]{3}$"],
        "creditMilliunits": ["minimum": 0],
        "providerMilliunits": ["minimum": 0],
    ]
}
