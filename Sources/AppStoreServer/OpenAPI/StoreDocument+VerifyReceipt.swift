import StoreHTTP
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
                  }
                }
              },
              "Verified": {
                "type": "object",
                "description": "`receipt` comes with status 0, and for the receipt of an app `environment`.",
                "required": ["status"],
                "properties": {
                  "status": {
                    "description": "21000: not a POST, or no JSON. 21002: no receipt. 21003: not authentic. 21004: the shared secret is missing or wrong. 21005: not now; ask again. 21007: of the sandbox, at production. 21008: of production, at the sandbox.",
                    "enum": [\#(statuses)]
                  },
                  "environment": {"$ref": "#/components/schemas/EnvironmentName"},
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
                  "is_trial_period": {"enum": ["true", "false"]},
                  "in_app_ownership_type": {"const": "PURCHASED"}
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
