import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum RestoreEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/restores", "restoreForAccount",
            "Restore an account's purchases on the device that the store keeps for it, by pages",
            about: "By all rules of a device's restore; a repeated request gets the same answer.",
            body: RequestBody(
                .json(MakeRestoreBody.self),
                example: [
                    "account": "buyer@example.com", "bundleId": "com.example.rocketcar",
                    "restoreId": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",
                ]),
            answers: [
                Answer(
                    200, "The transactions in the order of purchase.",
                    .json(RestoreAnswerBody.self))
            ],
            refuses: [
                404: """
                `accountUnknown`, `appUnknown`: the environment has no such account, the world no \
                such app.
                """,
                409: """
                `restoreIdReused`: the id was used for another user name. `tooManyRestored`: \
                \(Limits.restoredUnfinishedMax) restored transactions wait to be finished.
                """,
                422: .badField,
                423: "`accountLocked`: the owner locked the account.",
            ],
            .later(OwnerPurchaseService.restore)
        )
    ]

    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/device/v1/restores", "restorePurchases",
            "Restore the account's purchases, a page at a time",
            about: """
                Every finished non-consumable and every finished period of a subscription comes \
                back in a new, unfinished transaction of this device, free of charge. A repeated \
                request for the same restore and position gets the same transactions.
                """,
            body: RequestBody(
                .json(RestoreRequestBody.self),
                example: ["restoreId": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"]),
            answers: [
                Answer(
                    200,
                    """
                    The transactions in the order of purchase; perhaps none, even before the last \
                    page.
                    """, .json(RestoreAnswerBody.self))
            ],
            refuses: [
                409: """
                `restoreIdReused`: the id was used for another account or user name. \
                `tooManyRestored`: \(Limits.restoredUnfinishedMax) restored transactions \
                wait to be finished on this device.
                """, 422: .badField,
            ],
            .raw { call, responder in RestoreService.restore(call.request, call.context, responder)
            }
        )
    ]

}

// Of restores, whoever asks for them.
private let usernameNote: JSONValue = [
    "description": "Only purchases under this name; all of them when absent or empty.",
    "pattern": #"^[^\u0000-\u001f\u007f]*$"#,
    "maxLength": .integer(Limits.identifierBytesMax),
]
private let placeNote: JSONValue = [
    "description": "The `next` of the previous page; absent for the first.",
    "pattern": "^[1-9][0-9]{0,15}$",
]

extension RestoreRequestBody: Described {
    package static var schemaName: String? { "AskRestore" }
    package static let notes: Notes = [
        "restoreId": .component("UUID", "Made by the device for one restore."),
        "applicationUsername": usernameNote,
        "after": placeNote,
    ]
}

extension MakeRestoreBody: Described {
    package static var schemaName: String? { "RestoreForAccount" }
    package static let notes: Notes = [
        "restoreId": .component("UUID", "Made by the sender for one restore."),
        "environment": "`sandbox` when absent.",
        "account": .component("AccountName"),
        "bundleId": .component("BundleID"),
        "appVersion": .component("AppVersion", "1.0 when absent."),
        "applicationUsername": usernameNote,
        "after": placeNote,
        "finish": "Whether to finish the restored transactions.",
    ]
}

extension RestoreAnswerBody: Described {
    package static var schemaName: String? { "Restored" }
    package static let notes: Notes = [
        "transactions": ["maxItems": .integer(RestoreRequestBody.transactionsMax)],
        "next": "Where to continue; absent on the last page.",
        "receiptRevision": .component("Revision"),
    ]
}

extension OriginalBody: Described {
    package static let notes: Notes = [
        "": ["description": "The first of the transactions that count as the same purchase."],
        "transactionId": .component("TransactionID"),
        "quantity": ["minimum": 1],
    ]
}
