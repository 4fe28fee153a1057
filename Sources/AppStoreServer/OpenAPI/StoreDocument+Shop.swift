import StoreHTTP
import StoreModel
import StoreRules
import StoreWire

extension StoreDocument {
    static let shop = #"""
            "/control/v1/shop": {
        \#(get(
            "getShop", in: "shop", "The world's settings as a shop", gives: "The settings.",
            as: "Shop")),
              "put": {
                "operationId": "setShop",
                "tags": ["shop"],
                "summary": "Change the world's settings as a shop",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "description": "What is null or absent stays.",
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/SetShop"},
                      "example": {"delayMilliseconds": 3600000, "newProducts": "waitForReview"}
                    }
                  }
                },
                "responses": {
        \#(answer(200, "The settings as they are now.", "Shop")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "422": {"$ref": "#/components/responses/BadDelay"},
        \#(withBody)
                }
              }
            },
            "/control/v1/apps": {
        \#(get("listApps", in: "shop", "Every app of the world", gives: "The apps.", as: "Apps"))
            },
            "/control/v1/apps/{app}/delay": {
              "parameters": [
                {"$ref": "#/components/parameters/app"}
              ],
              "put": {
                "operationId": "setDelay",
                "tags": ["shop"],
                "summary": "Set how long changes of an app's catalogue take to reach devices",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "description": "Null, or nothing: the world's delay holds again.",
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/SetDelay"},
                      "example": {"milliseconds": 0}
                    }
                  }
                },
                "responses": {
        \#(answer(200, "The app as it is now.", "App")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/AppUnknown"},
                  "422": {"$ref": "#/components/responses/BadDelay"},
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/developer": {
              "parameters": [
                {"$ref": "#/components/parameters/app"}
              ],
              "put": {
                "operationId": "setDeveloper",
                "tags": ["shop"],
                "summary": "Give an app to a developer account",
                "security": [{"controlToken": []}],
        \#(requestBody("SetDeveloper", example: #"{"developer": "default"}"#)),
                "responses": {
        \#(answer(200, "The app as it is now.", "App")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`appUnknown`, `developerUnknown`: the app or the developer account is not there. `worldUnknown`, `notFound`: nothing is at this path.", as: "AppUnknown")),
        \#(withBody)
                }
              }
            },
            "/control/v1/developers": {
        \#(get(
            "listDevelopers", in: "shop", "Every developer account of the world",
            gives: "The developer accounts.", as: "Developers")),
              "post": {
                "operationId": "makeDeveloper",
                "tags": ["shop"],
                "summary": "Make a developer account",
                "security": [{"controlToken": []}],
        \#(requestBody("MakeDeveloper", example: #"{"name": "rockets"}"#)),
                "responses": {
        \#(answer(201, "Made.", "Developer")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(409, "`nameTaken`: there is a developer account of that name. `tooManyDevelopers`: the world has \(Limits.developersMax).")),
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            }
        """#

    static let shopResponses = errorResponse(
        "BadDelay",
        "`badField`: a delay is 0 to \(PropagationRules.delayMillisecondsMax) milliseconds.")

    static let shopSchemas = #"""
              "NewProducts": {
                "description": "What becomes of products that an import brings for the first time.",
                "enum": \#(names(ShopBody.NewProducts.allCases.map(\.rawValue)))
              },
              "Delay": {
                "type": "integer",
                "format": "int64",
                "description": "How long a change takes to reach devices, by the world's clock.",
                "minimum": 0,
                "maximum": \#(PropagationRules.delayMillisecondsMax)
              },
              "Shop": {
                "type": "object",
                "required": ["newProducts", "delayMilliseconds"],
                "properties": {
                  "newProducts": {"$ref": "#/components/schemas/NewProducts"},
                  "delayMilliseconds": {"$ref": "#/components/schemas/Delay"}
                },
                "example": {"delayMilliseconds": 0, "newProducts": "clearedForSale"}
              },
              "SetShop": {
                "type": "object",
                "properties": {
                  "newProducts": {
                    \#(nullable("NewProducts"))
                  },
                  "delayMilliseconds": {
                    \#(nullable("Delay"))
                  }
                }
              },
              "SetDelay": {
                "type": "object",
                "properties": {
                  "milliseconds": {
                    \#(nullable("Delay"))
                  }
                }
              },
              "App": {
                "type": "object",
                "required": ["bundleId", "developer", "storefront"],
                "properties": {
                  "bundleId": {"type": "string"},
                  "developer": {
                    "type": "string",
                    "description": "The developer account that it belongs to."
                  },
                  "storefront": {
                    "$ref": "#/components/schemas/StorefrontCode",
                    "description": "Where people are taken to be who are not signed in."
                  },
                  "delayMilliseconds": {
                    "$ref": "#/components/schemas/Delay",
                    "description": "Absent when the world's delay holds."
                  },
                  "gracePeriodDays": {
                    "description": "How long it serves who did not pay for a subscription; absent for not at all.",
                    "enum": [\#(GracePeriod.allCases.map { "\($0.rawValue)" }.joined(separator: ", "))]
                  }
                },
                "example": {
                  "bundleId": "com.example.rocketcar",
                  "developer": "default",
                  "storefront": "USA"
                }
              },
              "Apps": {
                "type": "object",
                "required": ["apps"],
                "properties": {
                  "apps": {"type": "array", "items": {"$ref": "#/components/schemas/App"}}
                }
              },
              "DeveloperName": {
                "type": "string",
                "description": "Without control characters.",
                "pattern": "^[^\\u0000-\\u001f\\u007f]+$",
                "minLength": 1,
                "maxLength": \#(Limits.accountNameBytesMax)
              },
              "SetDeveloper": {
                "type": "object",
                "required": ["developer"],
                "properties": {"developer": {"$ref": "#/components/schemas/DeveloperName"}}
              },
              "MakeDeveloper": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"$ref": "#/components/schemas/DeveloperName"}}
              },
              "Developer": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}}
              },
              "Developers": {
                "type": "object",
                "required": ["developers"],
                "properties": {
                  "developers": {
                    "type": "array",
                    "maxItems": \#(Limits.developersMax),
                    "items": {"$ref": "#/components/schemas/Developer"}
                  }
                }
              }
        """#
}
