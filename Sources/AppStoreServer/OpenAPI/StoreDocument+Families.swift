import StoreHTTP
import StoreModel
import StoreRules

extension StoreDocument {
    static let families = #"""
            "/control/v1/families": {
        \#(getPage(
            "listFamilies", in: "accounts", "The families of the world, oldest first",
            as: "Families")),
              "post": {
                "operationId": "makeFamily",
                "tags": ["accounts"],
                "summary": "Make a family of its organiser",
                "security": [{"controlToken": []}],
        \#(requestBody("MakeFamily", example: #"{"organiser": "buyer@example.com"}"#)),
                "responses": {
        \#(answer(201, "Made.", "FamilyChange")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`accountUnknown`: there is no such account in the environment. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(refusal(409, "`inFamily`: the account is in a family already.")),
        \#(withBody)
                }
              }
            },
            "/control/v1/families/{number}": {
        \#(familyPath),
        \#(get(
            "getFamily", in: "accounts", "A family", gives: "As it is.", as: "Family",
            unknown: familyUnknown)),
              "delete": {
                "operationId": "deleteFamily",
                "tags": ["accounts"],
                "summary": "End a family",
                "description": "Nobody has anything of it any more; what each bought stays theirs.",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Ended.", "FamilyChange")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(familyUnknown),
        \#(withoutBody)
                }
              }
            },
        \#(familyVerb(
            "add", "addFamilyMember", "Let an account join a family",
            "It gets what the others share, and they what it bought and may be shared. The same answer, but for what it came to, when it is in the family already.",
            body: "FamilyMemberName", example: #"{"name": "walker@example.com"}"#,
            conflicts: "`inFamily`: it is in another. `familyFull`: it has \(FamilyRules.membersMax) members.")),
        \#(familyVerb(
            "remove", "removeFamilyMember", "Let a member leave a family",
            "It loses what it has of the others, and they what they have of it.",
            body: "FamilyMemberName", example: #"{"name": "walker@example.com"}"#,
            conflicts: "`notInFamily`: it is not in this one. `organiserStays`: it is the organiser.")),
        \#(familyVerb(
            "sharing", "setFamilySharing", "Let a member share its purchases, or stop it",
            "What the others have of it goes with that, and comes again as transactions of their own.",
            body: "FamilySharing",
            example: #"{"name": "walker@example.com", "sharesPurchases": false}"#,
            conflicts: "`notInFamily`: it is not in this one."))
        """#

    private static let familyPath = #"""
              "parameters": [
        \#(numberInPath("FamilyNumber"))
              ]
        """#

    private static let familyUnknown = refusal(
        404,
        "`familyUnknown`: the world has none of that number. `worldUnknown`, `notFound`: nothing is at this path."
    )

    private static let familyOrAccountUnknown = refusal(
        404,
        "`familyUnknown`: the world has none of that number. `accountUnknown`: there is no such account in its environment. `worldUnknown`, `notFound`: nothing is at this path."
    )

    private static func familyVerb(
        _ verb: String, _ operation: String, _ summary: String, _ description: String,
        body: String, example: String, conflicts: String
    ) -> String {
        #"""
            "/control/v1/families/{number}/\#(verb)": {
        \#(familyPath),
              "post": {
                "operationId": "\#(operation)",
                "tags": ["accounts"],
                "summary": "\#(summary)",
                "description": "\#(description)",
                "security": [{"controlToken": []}],
        \#(requestBody(body, example: example)),
                "responses": {
        \#(answer(200, "Changed, now or before.", "FamilyChange")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(familyOrAccountUnknown),
        \#(refusal(409, conflicts)),
        \#(withBody)
                }
              }
            }
        """#
    }

    static let familySchemas = #"""
              "FamilyNumber": {
                "type": "integer",
                "format": "int64",
                "minimum": 1,
                "maximum": \#(Int64.max)
              },
              "MakeFamily": {
                "type": "object",
                "required": ["organiser"],
                "properties": {
                  "environment": {
                    "description": "`sandbox` when absent.",
                    \#(nullable("Environment"))
                  },
                  "organiser": {"type": "string", "description": "The account's name."}
                }
              },
              "FamilyMemberName": {
                "type": "object",
                "required": ["name"],
                "properties": {
                  "name": {
                    "type": "string",
                    "description": "Of an account of the family's environment."
                  }
                }
              },
              "FamilySharing": {
                "type": "object",
                "required": ["name", "sharesPurchases"],
                "properties": {
                  "name": {"type": "string", "description": "The account's name."},
                  "sharesPurchases": {"type": "boolean"}
                }
              },
              "Family": {
                "type": "object",
                "description": "Its times are by the world's clock.",
                "required": ["number", "environment", "madeAt", "members"],
                "properties": {
                  "number": {"$ref": "#/components/schemas/FamilyNumber"},
                  "environment": {"$ref": "#/components/schemas/Environment"},
                  "madeAt": {"$ref": "#/components/schemas/Timestamp"},
                  "members": {
                    "type": "array",
                    "description": "The organiser first; none in a family that has ended.",
                    "maxItems": \#(FamilyRules.membersMax),
                    "items": {
                      "type": "object",
                      "required": ["name", "isOrganiser", "sharesPurchases", "joinedAt"],
                      "properties": {
                        "name": {"type": "string", "description": "The account's name."},
                        "isOrganiser": {"type": "boolean"},
                        "sharesPurchases": {
                          "type": "boolean",
                          "description": "Whether the others get what this one buys."
                        },
                        "joinedAt": {"$ref": "#/components/schemas/Timestamp"}
                      }
                    }
                  }
                },
                "example": \#(familyExample)
              },
              "FamilyChange": {
                "type": "object",
                "required": ["family", "shared", "takenBack", "withoutRoom"],
                "properties": {
                  "family": {"$ref": "#/components/schemas/Family"},
                  "shared": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "The transactions by which members got what others had bought."
                  },
                  "takenBack": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Those that members had and have no more."
                  },
                  "withoutRoom": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Purchases that a member did not get because its receipt is full."
                  }
                },
                "example": {
                  "family": \#(familyExample), "shared": 0, "takenBack": 0, "withoutRoom": 0
                }
              },
        \#(pageSchema(
            "Families", of: "Family", in: "families", countMax: Limits.familiesPerAnswerMax))
        """#

    private static let familyExample = #"""
        {
                  "environment": "sandbox",
                  "madeAt": 1714558830123,
                  "members": [
                    {
                      "isOrganiser": true,
                      "joinedAt": 1714558830123,
                      "name": "buyer@example.com",
                      "sharesPurchases": true
                    }
                  ],
                  "number": 1
                }
        """#
}
