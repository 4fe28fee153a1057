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
                  "200": {
                    "description": "Always, with a `status` that tells.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Verified"}}
                    }
                  },
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
                    "description": "The receipt in base64; line breaks and blanks are passed over."
                  }
                }
              },
              "Verified": {
                "type": "object",
                "description": "`receipt` and `environment` come with status 0.",
                "required": ["status"],
                "properties": {
                  "status": {
                    "description": "21000: not a POST, or no JSON. 21002: no receipt. 21003: not authentic. 21007: of the sandbox, at production. 21008: of production, at the sandbox.",
                    "enum": [\#(statuses)]
                  },
                  "environment": {"$ref": "#/components/schemas/EnvironmentName"},
                  "receipt": {"$ref": "#/components/schemas/Receipt"}
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
