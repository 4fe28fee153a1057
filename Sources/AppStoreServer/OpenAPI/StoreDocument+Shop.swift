import StoreModel
import StoreRules
import StoreWire

extension StoreDocument {
    static let shop = #"""
            "/control/v1/shop": {
              "get": {
                "operationId": "getShop",
                "tags": ["shop"],
                "summary": "The world's settings as a shop",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {
                    "description": "The settings.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Shop"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              },
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
                  "200": {
                    "description": "The settings as they are now.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Shop"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "422": {"$ref": "#/components/responses/BadDelay"},
        \#(withBody)
                }
              }
            },
            "/control/v1/apps": {
              "get": {
                "operationId": "listApps",
                "tags": ["shop"],
                "summary": "Every app of the world",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {
                    "description": "The apps.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Apps"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              }
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
                  "200": {
                    "description": "The app as it is now.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/App"}}
                    }
                  },
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
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/SetDeveloper"},
                      "example": {"developer": "default"}
                    }
                  }
                },
                "responses": {
                  "200": {
                    "description": "The app as it is now.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/App"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {
                    "$ref": "#/components/responses/AppUnknown",
                    "description": "`appUnknown`, `developerUnknown`: the app or the developer account is not there. `worldUnknown`, `notFound`: nothing is at this path."
                  },
        \#(withBody)
                }
              }
            },
            "/control/v1/developers": {
              "get": {
                "operationId": "listDevelopers",
                "tags": ["shop"],
                "summary": "Every developer account of the world",
                "security": [{"controlToken": []}],
                "responses": {
                  "200": {
                    "description": "The developer accounts.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Developers"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              },
              "post": {
                "operationId": "makeDeveloper",
                "tags": ["shop"],
                "summary": "Make a developer account",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/MakeDeveloper"},
                      "example": {"name": "rockets"}
                    }
                  }
                },
                "responses": {
                  "201": {
                    "description": "Made.",
                    "content": {
                      "application/json": {"schema": {"$ref": "#/components/schemas/Developer"}}
                    }
                  },
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "409": {
                    "$ref": "#/components/responses/Error",
                    "description": "`nameTaken`: there is a developer account of that name."
                  },
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(withBody)
                }
              }
            }
        """#

    static let shopResponses = #"""
              "BadDelay": {
                "description": "`badField`: a delay is 0 to \#(PropagationRules.delayMillisecondsMax) milliseconds.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              }
        """#

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
                    "anyOf": [{"$ref": "#/components/schemas/NewProducts"}, {"type": "null"}]
                  },
                  "delayMilliseconds": {
                    "anyOf": [{"$ref": "#/components/schemas/Delay"}, {"type": "null"}]
                  }
                }
              },
              "SetDelay": {
                "type": "object",
                "properties": {
                  "milliseconds": {
                    "anyOf": [{"$ref": "#/components/schemas/Delay"}, {"type": "null"}]
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
                    "items": {"$ref": "#/components/schemas/Developer"}
                  }
                }
              }
        """#
}
