import StoreHTTP
import StoreModel
package import StoreService
package import StoreWire

/// Signed data for devices.
enum SignedDataEndpoints: StoreEndpoints {
    static let schemas: KeyValuePairs<String, JSONValue> = [
        "JWSBehindHeader": [
            "type": "string",
            "description": """
            The payload and the signature of a compact JWS (ES256): with the answer's header and a \
            full stop before it, a whole one. The payload is that of the App Store Server API, with \
            `deviceVerification` and `deviceVerificationNonce`.
            """, "pattern": #"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$"#,
        ],
        "JWSHeader": [
            "type": "string",
            "description": "The header of every JWS in the answer, with its certificates.",
            "pattern": "^[A-Za-z0-9_-]+$",
        ],
    ]
}

extension Parameter {
    /// Of requests that buy something.
    static let signedPurchase = Parameter(
        .query, SignedPurchaseBody.queryName,
        "Whether the answer includes the signed data once the attempt is done.",
        schema: ["enum": ["true", "false"]], example: "true")
}

extension SignedTransactionBody: Described {
    package static var schemaName: String? { "SignedTransaction" }
    package static let notes: Notes = [
        "transactionId": .component("TransactionID"),
        "attemptId": "As in other lists of transactions.",
        "deviceGuid": .component("UUID", "The device that made the attempt or asked to restore."),
        "isFinished": "True when it no longer needs to be delivered; absent while it waits.",
        "transaction": .component("JWSBehindHeader", "*JWSTransactionDecodedPayload*."),
    ]
}

extension SignedGroupBody: Described {
    package static var schemaName: String? { "SignedGroup" }
    package static let notes: Notes = [
        "isEligibleForIntroductoryOffer":
            "Whether the account has used no introductory offer of the group.",
        "statuses":
            "Empty when the account never subscribed; several with those of family members.",
    ]
}

extension SignedStatusBody: Described {
    package static var schemaName: String? { "SignedStatus" }
    package static let notes: Notes = [
        "status": [
            "description": """
            1 subscribed, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
            """, "enum": .array(SignedStatus.allCases.map { .integer($0.rawValue) }),
        ],
        "originalTransactionId": .component("TransactionID"),
        "transaction": .component("JWSBehindHeader", "The newest: *JWSTransactionDecodedPayload*."),
        "renewal": .component("JWSBehindHeader", "*JWSRenewalInfoDecodedPayload*."),
    ]
}

extension SignedPurchaseBody: Described {
    package static var schemaName: String? { "SignedPurchase" }
    package static let notes: Notes = [
        "header": .component("JWSHeader"),
        "groups": """
        All subscription groups of the app, when a subscription was bought or changed.
        """,
    ]
}
