import StoreHTTP
import StoreModel
import StoreRules
import StoreWire

extension StoreDocument {
    static let prices = #"""
            "/control/v1/apps/{app}/products/{product}/price": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
                {"$ref": "#/components/parameters/product"}
              ],
              "put": {
                "operationId": "setBasePrice",
                "tags": ["prices"],
                "summary": "Set the price wherever a storefront has none of its own",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object",
                        "required": ["price"],
                        "properties": {"price": {"$ref": "#/components/schemas/Price"}}
                      },
                      "example": {"price": "0.99"}
                    }
                  }
                },
                "responses": {
                  "200": {"$ref": "#/components/responses/ChangedProduct"},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/ProductUnknown"},
        \#(refusal(409, "`tooManyChanges`: \(PropagationRules.versionsMax) changes of the product are on their way.")),
                  "422": {"$ref": "#/components/responses/BadPrice"},
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/products/{product}/prices/{storefront}": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
                {"$ref": "#/components/parameters/product"},
        \#(inPath("storefront", "StorefrontCode", example: "JPN"))
              ],
              "put": {
                "operationId": "setStorefrontPrice",
                "tags": ["prices"],
                "summary": "Set a storefront's own price, or take it away",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "description": "Null, or nothing, takes the storefront's own price away.",
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object",
                        "properties": {
                          "price": {
                            \#(nullable("Price"))
                          }
                        }
                      },
                      "example": {"price": "160"}
                    }
                  }
                },
                "responses": {
                  "200": {"$ref": "#/components/responses/ChangedProduct"},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/ProductUnknown"},
        \#(refusal(409, "`tooManyChanges`: \(PropagationRules.versionsMax) changes of the product are on their way.")),
        \#(refusal(422, "`badPrice`: that is no price. `storefrontUnknown`: the message lists those there are.")),
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/products/{product}/price-schedule": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
                {"$ref": "#/components/parameters/product"}
              ],
        \#(get(
            "listPrices", in: "prices",
            "A product's prices in storefronts: past, in force and coming",
            gives: "By storefront and then as they were added; the newest \(Limits.priceEntriesPerAnswerMax).",
            as: "Prices", unknown: refusal(404, as: "ProductUnknown"))),
              "post": {
                "operationId": "addPrice",
                "tags": ["prices"],
                "summary": "Let a storefront's own price begin, or end, at a date",
                "security": [{"controlToken": []}],
        \#(requestBody("AddPrice", example: #"{"from": 4070908800000, "price": "0.79", "storefront": "DEU"}"#)),
                "responses": {
        \#(answer(200, "The very same is coming already.", "PriceEntry")),
        \#(answer(201, "Added.", "PriceEntry")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/ProductUnknown"},
        \#(refusal(409, "`dateTaken`: another price of the storefront begins then. `tooManyPrices`: the product has \(PriceRules.ownPricesMax) in use. `tooManyChanges`: \(PropagationRules.versionsMax) changes of the product are on their way.")),
        \#(refusal(422, "`badPrice`: that is no price. `storefrontUnknown`: the message lists those there are. `dateIsOver`: by the world's clock. `dateOutOfRange`: a price begins in the years 2000 to 2099.")),
        \#(withBody)
                }
              }
            },
            "/control/v1/apps/{app}/products/{product}/price-schedule/{number}": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
                {"$ref": "#/components/parameters/product"},
        \#(numberInPath("PriceNumber"))
              ],
              "delete": {
                "operationId": "cancelPrice",
                "tags": ["prices"],
                "summary": "Cancel a price that is coming",
                "description": "The same answer however often it is asked.",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "Cancelled, now or before.", "PriceEntry")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
        \#(refusal(404, "`appUnknown`, `productUnknown`, `priceUnknown`: the app, its product or the entry is not there. `worldUnknown`, `notFound`: nothing is at this path.", as: "ProductUnknown")),
        \#(refusal(409, "`priceHasBegun`: it holds or held already. `tooManyChanges`: \(PropagationRules.versionsMax) changes of the product are on their way.")),
        \#(withoutBody)
                }
              }
            }
        """#

    static let priceResponses = errorResponse("BadPrice", "`badPrice`: that is no price.")

    static let priceSchemas = #"""
              "Price": {
                "type": "string",
                "description": "Up to \#(Price.milliunitsMax / 1_000), with at most three places.",
                "pattern": "^(1000000(\\.0{1,3})?|[0-9]{1,6}(\\.[0-9]{1,3})?)$"
              },
              "PriceNumber": {"type": "integer", "format": "int64", "minimum": 1, "maximum": \#(Int64.max)},
              "AddPrice": {
                "type": "object",
                "required": ["storefront", "from"],
                "properties": {
                  "storefront": {"$ref": "#/components/schemas/StorefrontCode"},
                  "price": {
                    "description": "Null, or nothing, ends the storefront's own price.",
                    \#(nullable("Price"))
                  },
                  "from": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "By the world's clock."
                  }
                }
              },
              "PriceEntry": {
                "type": "object",
                "required": ["number", "storefront", "currency", "addedAt", "state"],
                "properties": {
                  "number": {"type": "integer", "format": "int64", "minimum": 1},
                  "storefront": {"$ref": "#/components/schemas/StorefrontCode"},
                  "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
                  "price": {
                    "$ref": "#/components/schemas/Price",
                    "description": "Absent for an entry that ends the storefront's own price."
                  },
                  "from": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "Absent for a price that was set at once."
                  },
                  "addedAt": {"$ref": "#/components/schemas/Timestamp"},
                  "state": {
                    "description": "`past`: another one has begun since. `replaced`: by a price that was set at once.",
                    "enum": \#(names(PriceEntryBody.State.allCases.map(\.rawValue)))
                  }
                },
                "example": {
                  "addedAt": 1714558830123,
                  "currency": "EUR",
                  "from": 1714645230123,
                  "number": 1,
                  "price": "0.79",
                  "state": "coming",
                  "storefront": "DEU"
                }
              },
              "Prices": {
                "type": "object",
                "required": ["basePrice", "prices"],
                "properties": {
                  "basePrice": {
                    "$ref": "#/components/schemas/Price",
                    "description": "Where no storefront's own price is in force."
                  },
                  "prices": {
                    "type": "array",
                    "maxItems": \#(Limits.priceEntriesPerAnswerMax),
                    "items": {"$ref": "#/components/schemas/PriceEntry"}
                  }
                }
              }
        """#
}
