import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum PaymentEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/payments", "listPayments",
            "What the payment provider was asked, in the order of its first requests",
            takes: [
                .after,
                Parameter(
                    .query, "state", "Those in one state; all when absent.",
                    schema: .oneOf(Payment.State.allCases.map(\.rawValue)), example: "failed"),
            ],
            answers: ["A page of them."],
            refuses: [
                400: """
                `badQuery`: `after` is no whole number from 0 up, or there is no such \
                state.
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
        "amountMilliunits": ["description": "What credit lacked.", "minimum": 1],
        "capturedMilliunits": ["description": "What of it was taken for the sale.", "minimum": 1],
        "tries": [
            "type": "integer",
            "description": "Requests for what is asked now that were not answered.", "minimum": 0,
        ],
        "transactionId": .component("TransactionID"),
        "reference": "The provider's name for it.",
        "reason": "Why the provider declined.",
        "refunds": "What of it goes back, oldest first.",
    ]
}

extension PaymentRefundBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "refundId": ["format": "uuid"],
        "amountMilliunits": ["minimum": 1],
    ]
}
