import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum ReceiptEndpoints: StoreEndpoints {
    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/device/v1/receipt", "getReceipt",
            "The receipt of the account in this app on this device",
            takes: [
                Parameter(
                    .query, "expired",
                    "1 for a receipt in this state, in the sandbox only; 0 when absent.",
                    schema: ["type": "integer", "minimum": 0, "maximum": 1], example: 0),
                Parameter(
                    .query, "revoked",
                    "1 for a receipt in this state, in the sandbox only; 0 when absent.",
                    schema: ["type": "integer", "minimum": 0, "maximum": 1], example: 0),
                Parameter(
                    .query, "volume",
                    "1 for a receipt in this state, in the sandbox only; 0 when absent.",
                    schema: ["type": "integer", "minimum": 0, "maximum": 1], example: 0),
            ],
            answers: [
                Answer(
                    200, "A PKCS#7 container.", .bytes("application/octet-stream"),
                    headers: [
                        "Receipt-Revision": [
                            "required": true,
                            "description": """
                            Grows with each purchase, each revocation and each consumable that \
                            is finished.
                            """, "schema": ["type": "integer", "minimum": 0],
                        ]
                    ])
            ],
            refuses: [
                400: """
                `badQuery`: an item of the query is not 0 or 1, or is used in production.
                """
            ],
            .raw { call, responder in ReceiptService.receipt(call.request, call.context, responder)
            }
        ),
        Endpoint(
            "POST", "/device/v1/transaction-receipts", "getTransactionReceipts",
            "Receipts of single transactions of the account in this app",
            about: "In the style from before iOS 7. The transactions may be finished.",
            body: RequestBody(
                .json(TransactionReceiptsRequestBody.self),
                example: ["transactionIds": ["2000000000000000"]]),
            answers: [
                Answer(
                    200, "In the order asked, without those that the account does not have.",
                    .json(TransactionReceiptsAnswerBody.self))
            ],
            refuses: [422: .badField],
            .raw { call, responder in
                TransactionReceiptService.receipts(call.request, call.context, responder)
            }
        ),
    ]

}

extension TransactionReceiptsRequestBody: Described {
    package static var schemaName: String? { "AskTransactionReceipts" }
    package static let notes: Notes = [
        "transactionIds": [
            "minItems": 1, "maxItems": .integer(TransactionReceiptsRequestBody.transactionsMax),
            "items": .component("TransactionID"),
        ]
    ]
}

extension TransactionReceiptsAnswerBody: Described {
    package static var schemaName: String? { "TransactionReceipts" }
    package static let notes: Notes = [
        "receipts": ["maxItems": .integer(TransactionReceiptsRequestBody.transactionsMax)]
    ]
}

extension TransactionReceiptBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "transactionId": .component("TransactionID"),
        "receipt": ["contentEncoding": "base64"],
    ]
}
