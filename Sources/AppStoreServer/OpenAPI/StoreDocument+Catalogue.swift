import StoreHTTP
import StoreModel
import StoreRules

extension StoreDocument {
    static let catalogue = #"""
            "/control/v1/apps/{app}/catalog": {
              "parameters": [{"$ref": "#/components/parameters/app"}],
              "get": {
                "operationId": "exportCatalogue",
                "tags": ["catalogue"],
                "summary": "An app's catalogue file, byte for byte as it was imported",
                "description": "But for base prices that were changed since.",
                "security": [{"controlToken": []}],
                "responses": {
        \#(answer(200, "A StoreKit configuration file of Xcode.", "CatalogueFile")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/AppUnknown"},
        \#(withoutBody)
                }
              },
              "put": {
                "operationId": "importCatalogue",
                "tags": ["catalogue"],
                "summary": "Import an app's catalogue file; makes the app when there is none",
                "description": "Takes the place of the file before, in one commit. A product that is no longer in the file goes; one that was sold stays, removed from sale.",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "description": "A StoreKit configuration file, as Xcode writes it in versions 1.0 to 5.0.",
                  "x-bodyBytesMax": \#(Limits.catalogueBodyMax),
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/CatalogueFile"},
                      "example": {
                        "identifier": "1C3A5B7D",
                        "products": [
                          {
                            "displayPrice": "0.99",
                            "familyShareable": false,
                            "internalID": "6446000001",
                            "localizations": [
                              {"description": "100 litres", "displayName": "Fuel", "locale": "en_US"}
                            ],
                            "productID": "com.example.rocketcar.fuel",
                            "referenceName": "Fuel",
                            "type": "Consumable"
                          }
                        ],
                        "settings": {},
                        "subscriptionGroups": [],
                        "version": {"major": 3, "minor": 0}
                      }
                    }
                  }
                },
                "responses": {
        \#(answer(200, "Imported; what it changed.", "CatalogueChanges")),
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(409, "`kindOfSoldProduct`: what was sold as one kind cannot become another. `termsOfSoldProduct`: nor can a subscription that was sold get another period or group. `kindNeedsNoDelay`: nor any kind while changes take time to arrive. `tooManyChanges`: \(PropagationRules.versionsMax) changes of a product are on their way.")),
        \#(refusal(422, "`badCatalogue`: the file cannot be read; the message says where. `badField`: that is no bundle identifier.")),
        \#(withoutBody)
                }
              }
            },
            "/control/v1/apps/{app}/products": {
              "parameters": [{"$ref": "#/components/parameters/app"}],
        \#(get(
            "listProducts", in: "catalogue", "An app's products as the shop owner sees them",
            gives: "The products.", as: "CatalogueProducts",
            unknown: refusal(404, as: "AppUnknown")))
            },
            "/control/v1/apps/{app}/products/{product}/category": {
              "parameters": [
                {"$ref": "#/components/parameters/app"},
                {"$ref": "#/components/parameters/product"}
              ],
              "put": {
                "operationId": "setCategory",
                "tags": ["catalogue"],
                "summary": "Sort a product into a sales category, or take it out",
                "security": [{"controlToken": []}],
                "requestBody": {
                  "required": true,
                  "description": "Null, or nothing, takes the category away.",
                  "content": {
                    "application/json": {
                      "schema": {
                        "type": "object",
                        "properties": {
                          "category": {
                            "anyOf": [
                              {"$ref": "#/components/schemas/SalesCategory"}, {"type": "null"}
                            ]
                          }
                        }
                      },
                      "example": {"category": "content"}
                    }
                  }
                },
                "responses": {
                  "200": {"$ref": "#/components/responses/ChangedProduct"},
                  "401": {"$ref": "#/components/responses/ControlTokenWrong"},
                  "404": {"$ref": "#/components/responses/ProductUnknown"},
        \#(withBody)
                }
              }
            }
        """#

    static let catalogueResponses = #"""
        \#(errorResponse("AppUnknown", "`appUnknown`: no catalogue of that app was imported. `worldUnknown`, `notFound`: nothing is at this path.")),
        \#(errorResponse("ProductUnknown", "`appUnknown`, `productUnknown`: the app or its product is not there. `worldUnknown`, `notFound`: nothing is at this path.")),
              "ChangedProduct": {
                "description": "The product as it is now.",
                "content": {
                  "application/json": {
                    "schema": {"$ref": "#/components/schemas/CatalogueProduct"}
                  }
                }
              }
        """#

    static let catalogueSchemas = #"""
              "CatalogueFile": {
                "type": "object",
                "description": "Apple does not document the format; `docs/fidelity.md` says what is read of it."
              },
              "CatalogueChanges": {
                "type": "object",
                "required": ["added", "changed", "removed", "unchangedCount", "keptUnused"],
                "properties": {
                  "added": {"type": "array", "items": {"type": "string"}},
                  "changed": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "required": ["productId", "fields"],
                      "properties": {
                        "productId": {"type": "string"},
                        "fields": {
                          "type": "array",
                          "description": "By their names in a file, such as `displayPrice`.",
                          "items": {"type": "string"}
                        }
                      }
                    }
                  },
                  "removed": {"type": "array", "items": {"type": "string"}},
                  "unchangedCount": {"type": "integer", "minimum": 0},
                  "keptUnused": {
                    "type": "array",
                    "description": "What the file says that changes nothing yet, by name.",
                    "items": {"type": "string"}
                  }
                }
              },
              "CatalogueProducts": {
                "type": "object",
                "required": ["products"],
                "properties": {
                  "products": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/CatalogueProduct"}
                  }
                }
              },
              "CatalogueProduct": {
                "type": "object",
                "required": ["productId", "kind", "state", "price", "storefrontPrices"],
                "properties": {
                  "productId": {"type": "string"},
                  "kind": {"$ref": "#/components/schemas/ProductKind"},
                  "state": {"$ref": "#/components/schemas/SaleState"},
                  "reason": {
                    "$ref": "#/components/schemas/RejectionReason",
                    "description": "Why it was rejected; absent in every other state, as `note`."
                  },
                  "note": {"type": "string"},
                  "category": {"$ref": "#/components/schemas/SalesCategory"},
                  "referenceName": {"type": "string"},
                  "subscriptionGroup": {
                    "type": "string",
                    "description": "Subscriptions only, as the two after it."
                  },
                  "renewalPeriod": {"enum": \#(names(RenewalPeriod.allCases.map(\.rawValue)))},
                  "groupLevel": {
                    "type": "integer",
                    "description": "The rank in its group, 1 for the highest."
                  },
                  "price": {"$ref": "#/components/schemas/Price"},
                  "storefrontPrices": {
                    "type": "object",
                    "description": "Own prices in force by storefront.",
                    "propertyNames": {"$ref": "#/components/schemas/StorefrontCode"},
                    "additionalProperties": {"$ref": "#/components/schemas/Price"}
                  },
                  "settlesAt": {
                    "$ref": "#/components/schemas/Timestamp",
                    "description": "When devices see the last change, by the world's clock; absent when they do."
                  }
                },
                "example": {
                  "kind": "consumable",
                  "price": "1.49",
                  "productId": "com.example.rocketcar.fuel",
                  "referenceName": "Fuel",
                  "state": "clearedForSale",
                  "storefrontPrices": {"JPN": "160"}
                }
              },
              "ProductKind": {"enum": \#(names(ProductKind.allCases.map(\.rawValue)))},
              "Offer": {
                "type": "object",
                "required": ["paymentMode", "period", "numberOfPeriods", "priceMilliunits"],
                "properties": {
                  "offerId": {
                    "type": "string",
                    "description": "Of a promotional offer; absent from an introductory one."
                  },
                  "paymentMode": {
                    "enum": \#(names(SubscriptionOffer.PaymentMode.allCases.map(\.rawValue)))
                  },
                  "period": {
                    "type": "string",
                    "description": "One period of the offer, such as P3D, P1W or P1M.",
                    "pattern": "^P[1-9][0-9]{0,2}[DWMY]$"
                  },
                  "numberOfPeriods": {"type": "integer", "minimum": 1, "maximum": 12},
                  "priceMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "description": "Of one payment, in thousandths of the unit of the product's currency.",
                    "minimum": 0
                  }
                },
                "example": {
                  "numberOfPeriods": 1,
                  "paymentMode": "freeTrial",
                  "period": "P1W",
                  "priceMilliunits": 0
                }
              },
              "SalesCategory": {
                "description": "Nothing is decided by it.",
                "enum": \#(names(SalesCategory.allCases.map(\.rawValue)))
              }
        """#
}
