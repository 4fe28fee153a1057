import StoreHTTP
import StoreModel
import StoreRules

extension StoreDocument {
    static let refunds = [
        refundLists,
        refundStep(
            "request", "post", "A customer asks for the money",
            about: "Once for a purchase, whatever is decided; asked again with the same reason it "
                + "answers the same. Of what is owned once it is of the first purchase. A "
                + "subscription does not renew after it.",
            body: requestBody("RequestRefund", example: #"{"reason": "UNINTENDED_PURCHASE"}"#),
            refusing: "`refundRequested`: it was asked back before, for another reason. "
                + "`transactionRevoked`: it was taken back. `refundTooLate`: it is more than "
                + "\(RefundRules.windowMilliseconds / 86_400_000) days old.",
            unknown: transactionUnknown),
        refundStep(
            "consumption", "put", "The app says what was consumed",
            about: "The first answer stands. It counts when it comes within "
                + "\(RefundRules.answerMilliseconds / 3_600_000) hours.",
            body: requestBody(
                "Consumption",
                example: #"{"consumptionPercentage": 40000, "customerConsented": true, "#
                    + #""deliveryStatus": "DELIVERED", "refundPreference": "GRANT_PRORATED", "#
                    + #""sampleContentProvided": false}"#),
            refusing: "`consumptionAnswered`: it said something else before. `refundDecided`: "
                + "nothing is waited for any more.",
            field: "`badField`: it is not what may be said of such a purchase."),
        refundStep(
            "grant", "post", "The money goes back, and the purchase is taken back",
            about: "Prorated is the rest of a subscription's period, and of anything else what "
                + "the app said was not consumed. The receipt says so, and apps are told.",
            body: requestBody("GrantRefund", example: #"{"type": "REFUND_FULL"}"#),
            refusing: "`refundDecided`: it was decided otherwise. `transactionRevoked`: it was "
                + "taken back by hand. `consumptionUnknown`: there is nothing to reckon a share "
                + "by. `nothingLeft`: the share would be nothing."),
        refundStep(
            "decline", "post", "The money stays where it is", about: "Nothing else is changed.",
            refusing: "`refundDecided`: it was granted."),
        refundStep(
            "reverse", "post", "A refund that was granted is taken back",
            about: "The customer has the purchase again, and pays it again. A subscription goes on "
                + "to its period's end and does not renew.",
            refusing: "`refundNotGranted`: it is open or declined. `periodBoughtAgain`: a "
                + "period of the group was sold for the same days. `creditTooLow`: "
                + "the customer has less than that. `receiptFull`: the receipt has no room for it."),
    ].joined(separator: ",\n")

    private static let transactionUnknown =
        "`transactionUnknown`: the world has none of that number. `worldUnknown`, `notFound`: "
        + "nothing is at this path."

    private static let refundUnknown =
        "`refundUnknown`: nobody asked for its money. " + transactionUnknown

    private static let refundLists = #"""
            "/control/v1/refunds": {
        \#(getPage(
            "listRefunds", in: "money",
            "Every refund that was asked for, in the order of their purchases", as: "Refunds"))
            },
            "/control/v1/refunds/{transaction}": {
              "parameters": [\#(refundParameter)],
        \#(get(
            "getRefund", in: "money", "One of them", gives: "As it is now.", as: "Refund",
            unknown: refusal(404, refundUnknown)))
            }
        """#

    private static let refundParameter = #"""
        {
          "name": "transaction",
          "in": "path",
          "required": true,
          "description": "A transaction of the purchase.",
          "schema": {"$ref": "#/components/schemas/TransactionID"},
          "example": "2000000000000000"
        }
        """#

    private static func refundStep(
        _ verb: String, _ method: String, _ summary: String, about: String, body: String? = nil,
        refusing conflict: String, field: String? = nil, unknown: String = refundUnknown
    ) -> String {
        let unread = field.map { refusal(422, $0) + ",\n" } ?? ""
        return #"""
                "/control/v1/refunds/{transaction}/\#(verb)": {
                  "parameters": [\#(refundParameter)],
                  "\#(method)": {
                    "operationId": "refund\#(verb.prefix(1).uppercased() + verb.dropFirst())",
                    "tags": ["money"],
                    "summary": "\#(summary)",
                    "description": "\#(about)",
                    "security": [{"controlToken": []}],
            \#(body.map { $0 + ",\n" } ?? "")        "responses": {
            \#(answer(200, "As it is now, also when that happened before.", "Refund")),
                      "401": {"$ref": "#/components/responses/ControlTokenWrong"},
            \#(refusal(404, unknown)),
            \#(refusal(409, conflict)),
            \#(unread)\#(body == nil ? withoutBody : withBody)
                    }
                  }
                }
            """#
    }

    static let refundSchemas = #"""
        \#(pageSchema(
            "Refunds", of: "Refund", in: "refunds", countMax: Limits.refundsPerAnswerMax)),
              "Refund": {
                "type": "object",
                "required": [
                  "transactionId", "environment", "account", "bundleId", "productId", "state",
                  "reason", "requestDate", "consumptionDueDate"
                ],
                "properties": {
                  "transactionId": {"$ref": "#/components/schemas/TransactionID"},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "account": {"type": "string"},
                  "bundleId": {"type": "string"},
                  "productId": {"type": "string"},
                  "state": {"enum": \#(names(Refund.State.allCases.map(\.rawValue)))},
                  "reason": {"$ref": "#/components/schemas/RefundReason"},
                  "requestDate": {"$ref": "#/components/schemas/Timestamp"},
                  "consumptionDueDate": {"$ref": "#/components/schemas/Timestamp"},
                  "consumption": {"$ref": "#/components/schemas/Consumption"},
                  "consumptionDate": {"$ref": "#/components/schemas/Timestamp"},
                  "revocationType": {"$ref": "#/components/schemas/RefundType"},
                  "revocationPercentage": {
                    "type": "integer",
                    "description": "In thousandths of a percent.",
                    "minimum": 0,
                    "maximum": \#(Percentage.whole)
                  },
                  "revocationDate": {"$ref": "#/components/schemas/Timestamp"},
                  "refundMilliunits": {"type": "integer", "format": "int64", "minimum": 0},
                  "currency": {"type": "string"},
                  "declineDate": {"$ref": "#/components/schemas/Timestamp"},
                  "reversalDate": {"$ref": "#/components/schemas/Timestamp"}
                }
              },
              "RefundReason": {"enum": \#(names(RefundReason.allCases.map(\.rawValue)))},
              "RefundType": {"enum": \#(names(RefundType.allCases.map(\.rawValue)))},
              "RequestRefund": {
                "type": "object",
                "required": ["reason"],
                "properties": {"reason": {"$ref": "#/components/schemas/RefundReason"}}
              },
              "GrantRefund": {
                "type": "object",
                "required": ["type"],
                "properties": {"type": {"$ref": "#/components/schemas/RefundType"}}
              },
              "Consumption": {
                "type": "object",
                "description": "Apple's *ConsumptionRequest*.",
                "required": ["customerConsented", "deliveryStatus", "sampleContentProvided"],
                "properties": {
                  "customerConsented": {"type": "boolean", "description": "True, or it is refused."},
                  "consumptionPercentage": {
                    "type": ["integer", "null"],
                    "format": "int64",
                    "description": "In thousandths of a percent; 0 of what was not delivered, and never of an auto-renewable subscription.",
                    "minimum": 0,
                    "maximum": \#(Percentage.whole)
                  },
                  "deliveryStatus": {
                    "enum": \#(names(Consumption.DeliveryStatus.allCases.map(\.rawValue)))
                  },
                  "refundPreference": {
                    "description": "What the app would have decided; with `GRANT_PRORATED` a percentage above 0 and below 100 % comes, but of an auto-renewable subscription.",
                    "enum": [\#(Consumption.Preference.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")), null]
                  },
                  "sampleContentProvided": {"type": "boolean"}
                }
              }
        """#
}
