import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreWire

enum VerifyReceiptEndpoints: StoreEndpoints {
    static let path = "/verifyReceipt"

    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "POST", path, "verifyReceipt",
            "Apple's verifyReceipt: whether a receipt is valid, and what it contains",
            body: RequestBody(
                .schema("VerifyReceipt"),
                example: ["receipt-data": "MIIT0AYJKoZIhvcNAQcCoIITwTCCE70="],
                bytesMax: Limits.receiptBodyMax),
            answers: [Answer(200, "Always, with a `status`.", .schema("Verified"))],
            refuses: [
                400: .whole(
                    "`badRequest`: the path, the query or a header can be read in two ways.")
            ],
            .raw(VerifyReceiptService.verify)
        ),
        Endpoint(
            "*", path, "verifyReceiptByGet",
            "Status 21000, as for every other method but POST",
            bytesMax: Limits.receiptBodyMax,
            answers: [
                Answer(
                    200, "The request was not a POST.",
                    .schema([
                        "type": "object", "required": ["status"],
                        "properties": ["status": ["const": 21_000]],
                    ]))
            ],
            .raw(VerifyReceiptService.verify)
        ),
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "VerifyReceipt": [
            "type": "object", "required": ["receipt-data"],
            "properties": [
                "receipt-data": [
                    "type": "string",
                    "description": """
                    The receipt in base64, of the app or of one transaction; line \
                    breaks and blanks are passed over.
                    """,
                ],
                "password": [
                    "type": "string",
                    "description": """
                    A shared secret of the app or its developer; needed for \
                    auto-renewable subscriptions.
                    """,
                ],
                "exclude-old-transactions": [
                    "description": """
                    Whether `latest_receipt_info` has only the newest transaction of \
                    each subscription.
                    """, "anyOf": [["type": "boolean"], ["enum": ["true", "false"]]],
                ],
            ],
        ],
        "Verified": [
            "type": "object",
            "description": """
            `receipt` comes with status 0, and for the receipt of an app `environment`. The latest \
            and pending members come for subscriptions when the shared secret was right; as lists \
            for the receipt of an app, as objects for that of one transaction.
            """, "required": ["status"],
            "properties": [
                "status": [
                    "description": .string(
                        VerifyReceiptStatus.allCases.map { "\($0.rawValue): \($0.meaning)" }
                            .joined(separator: " ") + " 21100 to 21199: injected faults only."),
                    "anyOf": [
                        [
                            "enum": .array(
                                VerifyReceiptStatus.allCases.map { .integer($0.rawValue) })
                        ], ["type": "integer", "minimum": 21_100, "maximum": 21_199],
                    ],
                ], "is-retryable": ["type": "boolean"],
                "environment": .component("EnvironmentName"),
                "latest_receipt": ["type": "string", "description": "In base64."],
                "latest_receipt_info": [
                    "anyOf": [
                        ["type": "array", "items": .component("InApp")], .component("OldReceipt"),
                    ]
                ], "latest_expired_receipt_info": .component("OldReceipt"),
                "pending_renewal_info": ["type": "array", "items": .component("PendingRenewal")],
                "auto_renew_status": ["enum": [0, 1]], "auto_renew_product_id": ["type": "string"],
                "expiration_intent": ["enum": ["1", "2", "3", "4", "5"]],
                "is_in_billing_retry_period": ["enum": ["0", "1"]],
                "receipt": ["anyOf": [.component("Receipt"), .component("OldReceipt")]],
            ],
        ],
        "Receipt": [
            "type": "object",
            "required": [
                "receipt_type", "adam_id", "app_item_id", "bundle_id", "application_version",
                "download_id", "version_external_identifier", "original_application_version",
                "receipt_creation_date", "receipt_creation_date_ms", "receipt_creation_date_pst",
                "request_date", "request_date_ms", "request_date_pst", "original_purchase_date",
                "original_purchase_date_ms", "original_purchase_date_pst", "in_app",
            ],
            "properties": [
                "receipt_type": [
                    "enum": [
                        "Production", "ProductionVPP", "ProductionSandbox", "ProductionVPPSandbox",
                    ]
                ],
                "adam_id": ["type": "integer"], "app_item_id": ["type": "integer"],
                "bundle_id": ["type": "string"], "application_version": ["type": "string"],
                "download_id": ["type": "integer"],
                "version_external_identifier": ["type": "integer"],
                "original_application_version": ["type": "string"],
                "receipt_creation_date": .component("DateInUTC"),
                "receipt_creation_date_ms": .component("DateInMilliseconds"),
                "receipt_creation_date_pst": .component("DateInLosAngeles"),
                "request_date": .component("DateInUTC"),
                "request_date_ms": .component("DateInMilliseconds"),
                "request_date_pst": .component("DateInLosAngeles"),
                "original_purchase_date": .component("DateInUTC"),
                "original_purchase_date_ms": .component("DateInMilliseconds"),
                "original_purchase_date_pst": .component("DateInLosAngeles"),
                "expiration_date": .component("DateInUTC"),
                "expiration_date_ms": .component("DateInMilliseconds"),
                "expiration_date_pst": .component("DateInLosAngeles"),
                "in_app": ["type": "array", "items": .component("InApp")],
            ],
        ],
        "InApp": [
            "type": "object",
            "required": [
                "quantity", "product_id", "transaction_id", "original_transaction_id",
                "purchase_date", "purchase_date_ms", "purchase_date_pst", "original_purchase_date",
                "original_purchase_date_ms", "original_purchase_date_pst", "is_trial_period",
                "in_app_ownership_type",
            ],
            "properties": [
                "quantity": ["type": "string", "pattern": "^[0-9]+$"],
                "product_id": ["type": "string"], "transaction_id": ["type": "string"],
                "original_transaction_id": ["type": "string"],
                "purchase_date": .component("DateInUTC"),
                "purchase_date_ms": .component("DateInMilliseconds"),
                "purchase_date_pst": .component("DateInLosAngeles"),
                "original_purchase_date": .component("DateInUTC"),
                "original_purchase_date_ms": .component("DateInMilliseconds"),
                "original_purchase_date_pst": .component("DateInLosAngeles"),
                "cancellation_date": .component("DateInUTC"),
                "cancellation_date_ms": .component("DateInMilliseconds"),
                "cancellation_date_pst": .component("DateInLosAngeles"),
                "cancellation_reason": ["enum": ["0", "1"]],
                "expires_date": .component("DateInUTC"),
                "expires_date_ms": .component("DateInMilliseconds"),
                "expires_date_pst": .component("DateInLosAngeles"),
                "web_order_line_item_id": ["type": "string", "pattern": "^[0-9]+$"],
                "is_trial_period": ["enum": ["true", "false"]],
                "is_in_intro_offer_period": ["enum": ["true", "false"]],
                "promotional_offer_id": ["type": "string"],
                "offer_code_ref_name": ["type": "string"],
                "subscription_group_identifier": ["type": "string"],
                "is_upgraded": ["const": "true"],
                "app_account_token": .component("UUIDInSmallLetters"),
                "in_app_ownership_type": ["enum": ["PURCHASED", "FAMILY_SHARED"]],
            ],
        ],
        "UUIDInSmallLetters": [
            "type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        ],
        "PendingRenewal": [
            "type": "object",
            "required": [
                "product_id", "auto_renew_product_id", "original_transaction_id",
                "auto_renew_status",
            ],
            "properties": [
                "product_id": ["type": "string"], "auto_renew_product_id": ["type": "string"],
                "original_transaction_id": ["type": "string", "pattern": "^[0-9]+$"],
                "auto_renew_status": ["enum": ["0", "1"]],
                "expiration_intent": ["enum": ["1", "2", "3", "4", "5"]],
                "is_in_billing_retry_period": ["enum": ["0", "1"]],
                "grace_period_expires_date": .component("DateInUTC"),
                "grace_period_expires_date_ms": .component("DateInMilliseconds"),
                "grace_period_expires_date_pst": .component("DateInLosAngeles"),
                "price_consent_status": ["enum": ["0", "1"]],
                "price_increase_status": ["enum": ["0", "1"]],
                "offer_code_ref_name": ["type": "string"],
                "promotional_offer_id": ["type": "string"],
            ],
        ],
        "OldReceipt": [
            "type": "object",
            "description":
                "The receipt of one transaction. All values are strings, as Apple's were.",
            "required": [
                "bid", "bvrs", "item_id", "product_id", "quantity", "transaction_id",
                "original_transaction_id", "unique_identifier", "unique_vendor_identifier",
                "purchase_date", "purchase_date_ms", "purchase_date_pst", "original_purchase_date",
                "original_purchase_date_ms", "original_purchase_date_pst",
            ],
            "properties": [
                "bid": ["type": "string"], "bvrs": ["type": "string"],
                "item_id": ["type": "string"],
                "app_item_id": ["type": "string", "description": "Production only."],
                "version_external_identifier": [
                    "type": "string", "description": "Production only.",
                ], "product_id": ["type": "string"],
                "quantity": ["type": "string", "pattern": "^[0-9]+$"],
                "transaction_id": ["type": "string"], "original_transaction_id": ["type": "string"],
                "unique_identifier": ["type": "string"],
                "unique_vendor_identifier": .component("UUID"),
                "purchase_date": .component("DateInUTC"),
                "purchase_date_ms": .component("DateInMilliseconds"),
                "purchase_date_pst": .component("DateInLosAngeles"),
                "original_purchase_date": .component("DateInUTC"),
                "original_purchase_date_ms": .component("DateInMilliseconds"),
                "original_purchase_date_pst": .component("DateInLosAngeles"),
                "cancellation_date": .component("DateInUTC"),
                "cancellation_date_ms": .component("DateInMilliseconds"),
                "cancellation_date_pst": .component("DateInLosAngeles"),
                "cancellation_reason": ["enum": ["0", "1"]],
                "expires_date": .component("DateInMilliseconds"),
                "expires_date_formatted": .component("DateInUTC"),
                "expires_date_formatted_pst": .component("DateInLosAngeles"),
                "web_order_line_item_id": ["type": "string"],
                "is_trial_period": ["enum": ["true", "false"]],
                "is_in_intro_offer_period": ["enum": ["true", "false"]],
            ],
        ],
        "DateInUTC": [
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} Etc/GMT$",
        ],
        "DateInMilliseconds": ["type": "string", "pattern": "^-?[0-9]+$"],
        "DateInLosAngeles": [
            "type": "string",
            "pattern": """
            ^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} \
            America/Los_Angeles$
            """,
        ],
    ]
}
