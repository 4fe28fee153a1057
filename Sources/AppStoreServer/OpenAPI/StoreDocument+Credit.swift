import StoreHTTP
import StoreModel
import StoreRules

extension StoreDocument {
    static let credit = [
        statement,
        creditCommand(
            "top-up", operation: "topUpCredit", summary: "Add what a customer paid in",
            body: "TopUp",
            example:
                #"{"name": "buyer@example.com", "requestId": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11", "amount": "10"}"#,
            refused: "\(sharedRefusals) \(otherCurrency) \(creditLimit)"),
        creditCommand(
            "correct", operation: "correctCredit",
            summary: "Set a customer's credit right: give, or take what is there",
            body: "CorrectCredit",
            example:
                #"{"name": "buyer@example.com", "requestId": "0B7A6D0C-54D6-4B38-9B8F-5B0E7B3C9A02", "amount": "-4.99", "reason": "Paid in twice."}"#,
            refused: "\(sharedRefusals) \(otherCurrency) \(creditLimit) "
                + "`creditTooLow`: less is there than is to be taken."),
        redemption,
    ].joined(separator: ",\n")

    private static let sharedRefusals =
        "`requestIdReused`: the id was used for another change of credit."
    private static let otherCurrency =
        "`otherCurrency`: that of the account's storefront is another one."
    private static let creditLimit =
        "`creditLimit`: the account would have more than \(CreditRules.creditMilliunitsMax / 1_000)."

    private static let statement = #"""
            "/control/v1/accounts/credit": {
              "get": {
                "operationId": "getCredit",
                "tags": ["money"],
                "summary": "What an account can spend, and how that came about, newest first",
                "security": [{"controlToken": []}],
                "parameters": [
        \#(accountInQuery),
                  {
                    "name": "before",
                    "in": "query",
                    "description": "The `next` of the page before; the newest when absent.",
                    "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": \#(Int64.max)},
                    "example": 100
                  }
                ],
                "responses": {
        \#(answer(200, "What there is, and a page of the statement.", "Credit")),
        \#(refusal(400, "`badQuery`: `account` is missing, `environment` is none, or `before` is no whole number from 0 up. `badRequest`: the path, the query or a header can be read in two ways.")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(creditAccountUnknown),
        \#(always)
                }
              }
            }
        """#

    private static func creditCommand(
        _ name: String, operation: String, summary: String, body: String, example: String,
        refused: String
    ) -> String {
        #"""
            "/control/v1/accounts/credit/\#(name)": {
              "post": {
                "operationId": "\#(operation)",
                "tags": ["money"],
                "summary": "\#(summary)",
                "description": "Done once for each `requestId` of the world: the same answer however often it is asked.",
                "security": [{"controlToken": []}],
        \#(requestBody(body, example: example)),
                "responses": {
        \#(answer(200, "Entered, now or before.", "CreditEntry")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(creditAccountUnknown),
        \#(refusal(409, refused)),
        \#(refusal(422, as: "BadField")),
        \#(withBody)
                }
              }
            }
        """#
    }

    private static let redemption = #"""
            "/control/v1/accounts/credit/redeem": {
              "post": {
                "operationId": "redeemGiftCode",
                "tags": ["money"],
                "summary": "Give an account what a gift code is worth",
                "description": "Once for each code: the same answer to the same account however often it is asked.",
                "security": [{"controlToken": []}],
        \#(requestBody("RedeemGiftCode", example: #"{"name": "buyer@example.com", "code": "7KQM-0D3T-XW9A-5FGH-2RNZ"}"#)),
                "responses": {
        \#(answer(200, "Redeemed, now or before.", "CreditEntry")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`accountUnknown`: the environment has no account of that name. `giftCodeUnknown`: it has no such code. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(409, "`giftCodeRedeemed`: by another account. `giftCodeVoided`, `giftCodeExpired`: it is good no more. \(otherCurrency) \(creditLimit)")),
        \#(withBody)
                }
              }
            }
        """#

    private static let creditAccountUnknown = refusal(
        404,
        "`accountUnknown`: the environment has no account of that name. `worldUnknown`, `notFound`: nothing is at this path."
    )

    static let creditSchemas = #"""
              "Credit": {
                "type": "object",
                "required": ["environment", "account", "balances", "entries"],
                "properties": {
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "account": {"type": "string"},
                  "balances": {
                    "type": "array",
                    "description": "One for each currency that the account ever had.",
                    "items": {
                      "type": "object",
                      "required": ["currency", "milliunits"],
                      "properties": {
                        "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
                        "milliunits": {
                          "type": "integer",
                          "format": "int64",
                          "minimum": 0,
                          "description": "In thousandths."
                        }
                      }
                    }
                  },
                  "entries": {
                    "type": "array",
                    "maxItems": \#(Limits.creditEntriesPerAnswerMax),
                    "items": {"$ref": "#/components/schemas/CreditEntry"}
                  },
                  "next": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 1,
                    "description": "Where the next page goes on; absent on the last."
                  }
                },
                "example": {
                  "account": "buyer@example.com",
                  "balances": [{"currency": "USD", "milliunits": 0}],
                  "entries": [],
                  "environment": "sandbox"
                }
              },
              "CreditEntry": {
                "type": "object",
                "required": [
                  "number", "kind", "at", "amountMilliunits", "currency", "balanceMilliunits",
                  "reference"
                ],
                "properties": {
                  "number": {"type": "integer", "format": "int64", "minimum": 1},
                  "kind": {"enum": \#(names(LedgerEntryKind.allCases.map(\.rawValue)))},
                  "at": {"$ref": "#/components/schemas/Timestamp"},
                  "amountMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "description": "What the account got, in thousandths; below 0 for what it lost."
                  },
                  "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
                  "balanceMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "minimum": 0,
                    "description": "What it had in this currency after that."
                  },
                  "reference": {
                    "type": "string",
                    "description": "What the entry came of, such as `giftCode/3`; no two have the same."
                  },
                  "transactionId": {
                    "$ref": "#/components/schemas/TransactionID",
                    "description": "Of charges and refunds."
                  },
                  "reason": {"type": "string", "description": "Of corrections."}
                },
                "example": {
                  "amountMilliunits": 10000,
                  "at": 1714558830123,
                  "balanceMilliunits": 10000,
                  "currency": "USD",
                  "kind": "topUp",
                  "number": 1,
                  "reference": "request/6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
                }
              },
              "Amount": {
                "type": "string",
                "description": "Above 0 and up to \#(Price.milliunitsMax / 1_000), with at most three places.",
                "pattern": "^(1000000(\\.0{1,3})?|[0-9]{1,6}(\\.[0-9]{1,3})?)$"
              },
              "CorrectingAmount": {
                "type": "string",
                "description": "The same, with a hyphen before it for what is taken.",
                "pattern": "^-?(1000000(\\.0{1,3})?|[0-9]{1,6}(\\.[0-9]{1,3})?)$"
              },
              "CurrencyCode": {"type": "string", "pattern": "^[A-Z]{3}$"},
              "TopUp": {
                "type": "object",
                "required": ["name", "requestId", "amount"],
                "properties": {
        \#(wishMembers),
                  "amount": {"$ref": "#/components/schemas/Amount"}
                }
              },
              "CorrectCredit": {
                "type": "object",
                "required": ["name", "requestId", "amount", "reason"],
                "properties": {
        \#(wishMembers),
                  "amount": {"$ref": "#/components/schemas/CorrectingAmount"},
                  "reason": {
                    "type": "string",
                    "description": "Without control characters.",
                    "pattern": "^[^\\u0000-\\u001f\\u007f]+$",
                    "minLength": 1,
                    "maxLength": \#(Limits.creditReasonBytesMax)
                  }
                }
              },
              "RedeemGiftCode": {
                "type": "object",
                "required": ["name", "code"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    \#(nullable("Environment"))
                  },
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "code": {
                    "type": "string",
                    "description": "Hyphens, blanks and the case of its letters do not matter; O is taken for 0, I and L for 1."
                  }
                }
              }
        """#

    private static let wishMembers = #"""
                  "environment": {
                    "description": "`sandbox` when absent.",
                    \#(nullable("Environment"))
                  },
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "requestId": {
                    "$ref": "#/components/schemas/UUID",
                    "description": "Made by the sender, and the same when it asks again."
                  },
                  "currency": {
                    "description": "That of the account's storefront when absent.",
                    \#(nullable("CurrencyCode"))
                  }
        """#
}
