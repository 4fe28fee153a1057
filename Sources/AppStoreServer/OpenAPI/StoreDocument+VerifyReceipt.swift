import StoreHTTP
import StoreModel
import StoreRules

extension StoreDocument {
    static let verifyReceipt = #"""
            "/{environment}/verifyReceipt": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "post": {
                "operationId": "verifyReceipt",
                "tags": ["receipts"],
                "summary": "Apple's verifyReceipt: whether a receipt is good, and what it says",
                "requestBody": {
                  "required": true,
                  "x-bodyBytesMax": \#(Limits.receiptBodyMax),
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/VerifyReceipt"},
                      "example": {"receipt-data": "MIIT0AYJKoZIhvcNAQcCoIITwTCCE70="}
                    }
                  }
                },
                "responses": {
        \#(answer(200, "Always, with a `status` that tells.", "Verified")),
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              },
              "get": {
                "operationId": "verifyReceiptByGet",
                "tags": ["receipts"],
                "summary": "Status 21000, as for every other method but POST",
                "responses": {
                  "200": {
                    "description": "The request was no POST.",
                    "content": {
                      "application/json": {
                        "schema": {
                          "type": "object",
                          "required": ["status"],
                          "properties": {"status": {"const": 21000}}
                        }
                      }
                    }
                  },
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              }
            }
        """#

    static let verifyReceiptSchemas = #"""
              "VerifyReceipt": {
                "type": "object",
                "required": ["receipt-data"],
                "properties": {
                  "receipt-data": {
                    "type": "string",
                    "description": "The receipt in base64, of the app or of one transaction; line breaks and blanks are passed over."
                  },
                  "password": {
                    "type": "string",
                    "description": "A shared secret of the app or its developer; needed for auto-renewable subscriptions."
                  },
                  "exclude-old-transactions": {
                    "description": "Whether `latest_receipt_info` has only the newest transaction of each subscription.",
                    "anyOf": [{"type": "boolean"}, {"enum": ["true", "false"]}]
                  }
                }
              },
              "Verified": {
                "type": "object",
                "description": "`receipt` comes with status 0, and for the receipt of an app `environment`. What is latest and pending comes for subscriptions, whose shared secret was right; in lists for the receipt of an app, as objects for that of one transaction.",
                "required": ["status"],
                "properties": {
                  "status": {
                    "description": "21000: not a POST, or no JSON. 21002: no receipt. 21003: not authentic. 21004: the shared secret is missing or wrong. 21005: not now; ask again. 21006: the subscription of a transaction's receipt has ended. 21007: of the sandbox, at production. 21008: of production, at the sandbox. 21009: the store's data are broken. 21010: whose receipt it is has no account. 21100 to 21199: only on purpose.",
                    "anyOf": [
                      {"enum": [\#(statuses)]},
                      {"type": "integer", "minimum": 21100, "maximum": 21199}
                    ]
                  },
                  "is-retryable": {"type": "boolean"},
                  "environment": {"$ref": "#/components/schemas/EnvironmentName"},
                  "latest_receipt": {"type": "string", "description": "In base64."},
                  "latest_receipt_info": {
                    "anyOf": [
                      {"type": "array", "items": {"$ref": "#/components/schemas/InApp"}},
                      {"$ref": "#/components/schemas/OldReceipt"}
                    ]
                  },
                  "latest_expired_receipt_info": {"$ref": "#/components/schemas/OldReceipt"},
                  "pending_renewal_info": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/PendingRenewal"}
                  },
                  "auto_renew_status": {"enum": [0, 1]},
                  "auto_renew_product_id": {"type": "string"},
                  "expiration_intent": {"enum": ["1", "2", "3", "4", "5"]},
                  "is_in_billing_retry_period": {"enum": ["0", "1"]},
                  "receipt": {
                    "anyOf": [
                      {"$ref": "#/components/schemas/Receipt"},
                      {"$ref": "#/components/schemas/OldReceipt"}
                    ]
                  }
                }
              },
              "Receipt": {
                "type": "object",
                "required": [
                  "receipt_type", "adam_id", "app_item_id", "bundle_id", "application_version",
                  "download_id", "version_external_identifier", "original_application_version",
                  \#(dateNames("receipt_creation_date")),
                  \#(dateNames("request_date")),
                  \#(dateNames("original_purchase_date")), "in_app"
                ],
                "properties": {
                  "receipt_type": {"enum": ["Production", "ProductionSandbox"]},
                  "adam_id": {"type": "integer"},
                  "app_item_id": {"type": "integer"},
                  "bundle_id": {"type": "string"},
                  "application_version": {"type": "string"},
                  "download_id": {"type": "integer"},
                  "version_external_identifier": {"type": "integer"},
                  "original_application_version": {"type": "string"},
        \#(dates("receipt_creation_date")),
        \#(dates("request_date")),
        \#(dates("original_purchase_date")),
        \#(dates("expiration_date")),
                  "in_app": {"type": "array", "items": {"$ref": "#/components/schemas/InApp"}}
                }
              },
              "InApp": {
                "type": "object",
                "required": [
                  "quantity", "product_id", "transaction_id", "original_transaction_id",
                  \#(dateNames("purchase_date")),
                  \#(dateNames("original_purchase_date")),
                  "is_trial_period", "in_app_ownership_type"
                ],
                "properties": {
                  "quantity": {"type": "string", "pattern": "^[0-9]+$"},
                  "product_id": {"type": "string"},
                  "transaction_id": {"type": "string"},
                  "original_transaction_id": {"type": "string"},
        \#(dates("purchase_date")),
        \#(dates("original_purchase_date")),
        \#(dates("cancellation_date")),
                  "cancellation_reason": {"enum": ["0", "1"]},
        \#(dates("expires_date")),
                  "web_order_line_item_id": {"type": "string", "pattern": "^[0-9]+$"},
                  "is_trial_period": {"enum": ["true", "false"]},
                  "is_in_intro_offer_period": {"enum": ["true", "false"]},
                  "promotional_offer_id": {"type": "string"},
                  "offer_code_ref_name": {"type": "string"},
                  "subscription_group_identifier": {"type": "string"},
                  "is_upgraded": {"const": "true"},
                  "app_account_token": {"$ref": "#/components/schemas/UUIDInSmallLetters"},
                  "in_app_ownership_type": {"enum": \#(names(Ownership.allCases.map(\.rawValue)))}
                }
              },
              "UUIDInSmallLetters": {
                "type": "string",
                "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
              },
              "PendingRenewal": {
                "type": "object",
                "required": [
                  "product_id", "auto_renew_product_id", "original_transaction_id",
                  "auto_renew_status"
                ],
                "properties": {
                  "product_id": {"type": "string"},
                  "auto_renew_product_id": {"type": "string"},
                  "original_transaction_id": {"type": "string", "pattern": "^[0-9]+$"},
                  "auto_renew_status": {"enum": ["0", "1"]},
                  "expiration_intent": {"enum": ["1", "2", "3", "4", "5"]},
                  "is_in_billing_retry_period": {"enum": ["0", "1"]},
        \#(dates("grace_period_expires_date")),
                  "price_consent_status": {"enum": ["0", "1"]},
                  "price_increase_status": {"enum": ["0", "1"]},
                  "offer_code_ref_name": {"type": "string"},
                  "promotional_offer_id": {"type": "string"}
                }
              },
              "OldReceipt": {
                "type": "object",
                "description": "Of one transaction. All values are strings, as Apple's were.",
                "required": [
                  "bid", "bvrs", "item_id", "product_id", "quantity", "transaction_id",
                  "original_transaction_id", "unique_identifier", "unique_vendor_identifier",
                  \#(dateNames("purchase_date")),
                  \#(dateNames("original_purchase_date"))
                ],
                "properties": {
                  "bid": {"type": "string"},
                  "bvrs": {"type": "string"},
                  "item_id": {"type": "string"},
                  "app_item_id": {"type": "string", "description": "Production only."},
                  "version_external_identifier": {
                    "type": "string",
                    "description": "Production only."
                  },
                  "product_id": {"type": "string"},
                  "quantity": {"type": "string", "pattern": "^[0-9]+$"},
                  "transaction_id": {"type": "string"},
                  "original_transaction_id": {"type": "string"},
                  "unique_identifier": {"type": "string"},
                  "unique_vendor_identifier": {"$ref": "#/components/schemas/UUID"},
        \#(dates("purchase_date")),
        \#(dates("original_purchase_date")),
        \#(dates("cancellation_date")),
                  "cancellation_reason": {"enum": ["0", "1"]},
                  "expires_date": {"$ref": "#/components/schemas/DateInMilliseconds"},
                  "expires_date_formatted": {"$ref": "#/components/schemas/DateInUTC"},
                  "expires_date_formatted_pst": {"$ref": "#/components/schemas/DateInLosAngeles"},
                  "web_order_line_item_id": {"type": "string"},
                  "is_trial_period": {"enum": ["true", "false"]},
                  "is_in_intro_offer_period": {"enum": ["true", "false"]}
                }
              },
              "DateInUTC": {
                "type": "string",
                "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} Etc/GMT$"
              },
              "DateInMilliseconds": {"type": "string", "pattern": "^-?[0-9]+$"},
              "DateInLosAngeles": {
                "type": "string",
                "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} America/Los_Angeles$"
              }
        """#

    private static let statuses =
        VerifyReceiptStatus.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")

    private static func dateNames(_ name: String) -> String {
        #""\#(name)", "\#(name)_ms", "\#(name)_pst""#
    }

    private static func dates(_ name: String) -> String {
        #"""
                  "\#(name)": {"$ref": "#/components/schemas/DateInUTC"},
                  "\#(name)_ms": {"$ref": "#/components/schemas/DateInMilliseconds"},
                  "\#(name)_pst": {"$ref": "#/components/schemas/DateInLosAngeles"}
        """#
    }
}
