import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum PaymentEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/payments", "listPayments",
            "The payments asked of the provider, in the order of their first requests",
            takes: [
                .after,
                Parameter(
                    .query, "state", "Only payments in this state; all when absent.",
                    schema: .oneOf(Payment.State.allCases.map(\.rawValue)), example: "failed"),
            ],
            answers: ["A page of them."],
            refuses: [
                400: """
                `badQuery`: `after` is not a whole number from 0 up, or `state` is unknown.
                """
            ],
            .now(PaymentService.list)
        )
    ]

}

extension PaymentsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["payments": []]],
        "payments": ["maxItems": .integer(Limits.paymentsPerAnswerMax)],
        "next": "Where the next page continues; absent on the last.",
    ]
}

extension PaymentBody: Described {
    package static let notes: Notes = [
        "paymentId": ["format": "uuid"],
        "amountMilliunits": ["description": "The amount that credit lacked.", "minimum": 1],
        "capturedMilliunits": ["description": "The part of it taken for the sale.", "minimum": 1],
        "tries": [
            "type": "integer",
            "description": "How many requests for the present step were not answered.",
            "minimum": 0,
        ],
        "transactionId": .component("TransactionID"),
        "reference": "The provider's name for it.",
        "reason": "Why the provider declined.",
        "refunds": "Its refunds, oldest first.",
    ]
}

extension PaymentRefundBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "refundId": ["format": "uuid"],
        "amountMilliunits": ["minimum": 1],
    ]
}
