import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum ReceiptEndpoints: StoreEndpoints {
    /// The end of the address that explains a receipt, which changes nothing.
    static let explanation = ["receipts", "explain"]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/apps/:app/receipt", "getAccountReceipt",
            "The receipt of an account in an app, on the device that the store keeps for it",
            takes: .oneAccount() + [
                Parameter(
                    .query, "appVersion", "Of the app on the device; as it is when absent.",
                    schema: "AppVersion", example: "1.0")
            ],
            answers: [
                Answer(
                    200, "A PKCS#7 container.", .bytes("application/octet-stream"),
                    headers: [receiptRevisionHeader: revisionHeader])
            ],
            refuses: [
                400: """
                `badQuery`: `account` is missing, or `environment` is neither `sandbox` nor \
                `production`.
                """,
                404: """
                `accountUnknown`: the environment has no account of that name. `noDevice`: the \
                account has no device in this app. `appUnknown`,
                """,
                422: .badField,
                423: "`accountLocked`: the owner locked the account.",
            ],
            .raw { call, responder in
                try ReceiptService.ofOwner(call, app: call["app"], responder)
            }
        ),
        Endpoint(
            "POST", "/" + explanation.joined(separator: "/"), "explainReceipt",
            "Decode a receipt or signed data, and say whether this world vouches for it",
            body: RequestBody(
                .json(ExplainReceiptBody.self),
                example: ["receipt": "MIIT0AYJKoZIhvcNAQcCoIITwTCCE70="],
                bytesMax: Limits.receiptBodyMax),
            answers: [
                """
                The contents, each check and the verdict; `status` is 21002 for anything that is not a \
                receipt, including signed data that is authentic.
                """
            ],
            .slow(ReceiptExplanation.explain)
        ),
    ]

    private static let revisionHeader: JSONValue = [
        "required": true,
        "description": """
        Grows with each purchase, each revocation and each consumable that is finished.
        """, "schema": ["type": "integer", "minimum": 0],
    ]

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
                    headers: [receiptRevisionHeader: revisionHeader])
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

extension ExplainReceiptBody: Described {
    package static var schemaName: String? { "ExplainReceipt" }
    package static let notes: Notes = [
        "receipt": "A receipt in base64, or signed data as a compact JWS."
    ]
}

extension ExplainedReceiptBody: Described {
    package static let notes: Notes = [
        "checks": "In their order: those before the first that failed were passed.",
        "certificates": "The leaf first; those before the first that cannot be read.",
        "attributes": "Those of the receipt itself, by number.",
        "purchases": "Those of each purchase, by number.",
        "payload": "The JSON that was signed, of signed data alone.",
    ]
}

extension ExplainedCheckBody: Described {
    package static let notes: Notes = [
        "outcome": "`notReached` after one that failed."
    ]
}

extension ExplainedCertificateBody: Described {
    package static let notes: Notes = [
        "serial": "In hexadecimal, as other tools show it.",
        "sha256": "Of the certificate in DER, in hexadecimal.",
    ]
}

extension ReceiptVerdictBody: Described {
    package static let notes: Notes = [
        "": ["example": ["isAuthentic": false, "status": 21_003, "why": "It was altered."]],
        "why": "Why it is not authentic here; absent when it is.",
        "status": "The status with which `verifyReceipt` begins.",
        "environment": "Absent when nobody vouches for it.",
        "worldId": "The world that it was signed for; absent when nobody vouches for it.",
        "isTest": "Whether it is of a test session, whose receipts have a root of their own.",
    ]
}

extension ReceiptAttributeBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "meaning": "The app.", "name": "Bundle Identifier", "number": 2,
                "value": "com.example.rocketcar",
            ]
        ],
        "number": "Absent in the receipt of a single transaction.",
        "value": "A text, a number, a date in RFC 3339, or bytes in hexadecimal digits.",
    ]
}
