import StoreHTTP
import StoreModel

extension StoreDocument {
    static let device = #"""
            "/{environment}/device/v1/register": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "post": {
                "operationId": "registerDevice",
                "tags": ["device"],
                "summary": "An installation of an app makes itself known",
                "description": "A device that shows a good token of its own stays signed in; that token works for \#(replacedMinutes) minutes more.",
                "security": [{}, {"deviceToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/RegisterDevice"},
                      "example": {
                        "appVersion": "1.0",
                        "bundleId": "com.example.rocketcar",
                        "guid": "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
                      }
                    }
                  }
                },
                "responses": {
                  "200": {"$ref": "#/components/responses/DeviceSession"},
                  "404": {"$ref": "#/components/responses/AppUnknown"},
                  "422": {"$ref": "#/components/responses/BadField"},
                  "429": {"$ref": "#/components/responses/TooManyRegistrations"},
        \#(withBody)
                }
              }
            },
            "/{environment}/device/v1/sign-in": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "post": {
                "operationId": "signIn",
                "tags": ["device"],
                "summary": "Sign an account in on the device",
                "security": [{"deviceToken": []}],
        \#(requestBody("SignIn", example: #"{"account": "buyer@example.com", "password": "rocket-fuel-1"}"#)),
                "responses": {
                  "200": {"$ref": "#/components/responses/DeviceSession"},
        \#(refusal(401, "`passwordWrong`: no such account, or another password. `tokenUnknown`: the token is missing, expired, or of another world.", as: "TokenUnknown")),
        \#(refusal(403, "`testAccountInSettings`: test accounts sign in on the payment sheet only. `testAccount`, `realAccount`: the account is of the other environment, which who knows the password is told.")),
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
                  "422": {"$ref": "#/components/responses/BadField"},
        \#(refusal(423, "`accountLocked`: too many wrong passwords, or its owner locked it, which who knows the password is told.")),
        \#(withBody)
                }
              }
            },
            "/{environment}/device/v1/sign-out": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "post": {
                "operationId": "signOut",
                "tags": ["device"],
                "summary": "Sign out; the token before it ends",
                "security": [{"deviceToken": []}],
                "responses": {
                  "200": {"$ref": "#/components/responses/DeviceSession"},
                  "401": {"$ref": "#/components/responses/TokenUnknown"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(withoutBody)
                }
              }
            },
            "/{environment}/device/v1/products": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "post": {
                "operationId": "findProducts",
                "tags": ["device"],
                "summary": "Which of these identifiers may be sold, and what they are",
                "security": [{"deviceToken": []}],
                "requestBody": {
                  "required": true,
                  "content": {
                    "application/json": {
                      "schema": {"$ref": "#/components/schemas/FindProducts"},
                      "example": {
                        "locale": "de_DE",
                        "productIdentifiers": ["com.example.rocketcar.turbo", "absent"]
                      }
                    }
                  }
                },
                "responses": {
        \#(answer(200, "Those that may be sold, and the others.", "Products")),
                  "401": {"$ref": "#/components/responses/TokenUnknown"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(refusal(422, "`tooMany`: more than \(Limits.productIdentifiersMax) identifiers. `badField`: the locale is empty, too long or has control characters.")),
        \#(withBody)
                }
              }
            },
            "/{environment}/device/v1/receipt": {
              "parameters": [{"$ref": "#/components/parameters/environment"}],
              "get": {
                "operationId": "getReceipt",
                "tags": ["device"],
                "summary": "The receipt of the account in this app on this device",
                "security": [{"deviceToken": []}],
                "parameters": [
        \#(["expired", "revoked", "volume"].map(receiptTrial).joined(separator: ",\n"))
                ],
                "responses": {
                  "200": {
                    "description": "A PKCS#7 container.",
                    "headers": {
                      "Receipt-Revision": {
                        "required": true,
                        "description": "Grows with each purchase, each revocation and each consumable that is finished.",
                        "schema": {"type": "integer", "minimum": 0}
                      }
                    },
                    "content": {"application/octet-stream": {}}
                  },
        \#(refusal(400, "`badQuery`: an item of the query is not 0 or 1, or is asked of production. `badRequest`: the path, the query or a header can be read in two ways.")),
                  "401": {"$ref": "#/components/responses/NotSignedIn"},
                  "404": {"$ref": "#/components/responses/WorldUnknown"},
        \#(always)
                }
              }
            }
        """#

    /// What an app of the sandbox may wish its receipt to be.
    private static func receiptTrial(_ name: String) -> String {
        """
                  {
                    "name": "\(name)",
                    "in": "query",
                    "description": "1 for a receipt that is so, in the sandbox only; 0 when absent.",
                    "schema": {"type": "integer", "minimum": 0, "maximum": 1},
                    "example": 0
                  }
        """
    }

    private static let replacedMinutes = Limits.replacedTokenMilliseconds / 60_000

    static let deviceResponses = #"""
              "TooManyRegistrations": {
                "description": "`tooManyRegistrations`: a world takes \#(Limits.registrationsAtOnceMax) at once and \#(Limits.registrationsPerMinuteMax) a minute.",
                "headers": {
                  "Retry-After": {
                    "required": true,
                    "description": "Seconds.",
                    "schema": {"type": "integer", "minimum": 1}
                  }
                },
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                }
              },
              "DeviceSession": {
                "description": "The device's new token takes the place of the one before.",
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/DeviceSession"}}
                }
              },
        \#(tokenResponse("NotSignedIn", "`notSignedIn`: nobody is signed in on the device. `tokenUnknown`: the token is missing, expired, or of another world.")),
        \#(errorResponse("BadField", "`badField`: the message names it."))
        """#

    static let deviceSchemas = #"""
              "RegisterDevice": {
                "type": "object",
                "required": ["guid", "bundleId", "appVersion"],
                "properties": {
                  "guid": {
                    "$ref": "#/components/schemas/UUID",
                    "description": "The device's own; its 16 bytes are hashed into receipts."
                  },
                  "bundleId": {"$ref": "#/components/schemas/BundleID"},
                  "appVersion": {
                    "type": "string",
                    "description": "Without control characters.",
                    "pattern": "^[^\\u0000-\\u001f\\u007f]+$",
                    "minLength": 1,
                    "maxLength": \#(Limits.appVersionBytesMax)
                  }
                }
              },
              "SignIn": {
                "type": "object",
                "required": ["account", "password"],
                "properties": {
                  "account": {"$ref": "#/components/schemas/AccountName"},
                  "password": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": \#(Limits.passwordBytesMax)
                  },
                  "from": {
                    "description": "Where the person signs in: in the device's settings, or on the payment sheet, which it is when absent.",
                    "enum": ["settings", "sheet", null]
                  }
                }
              },
              "DeviceSession": {
                "type": "object",
                "required": ["deviceToken", "environment", "worldId", "storefront"],
                "properties": {
                  "deviceToken": {"type": "string", "minLength": 1},
                  "environment": {"$ref": "#/components/schemas/EnvironmentName"},
                  "worldId": {
                    "$ref": "#/components/schemas/UUID",
                    "description": "Nothing a device keeps of one world may reach another."
                  },
                  "account": {"type": "string", "description": "Absent when nobody is signed in."},
                  "storefront": {
                    "type": "object",
                    "required": ["countryCode", "identifier"],
                    "properties": {
                      "countryCode": {"$ref": "#/components/schemas/StorefrontCode"},
                      "identifier": {"type": "string", "pattern": "^[0-9]+$"}
                    }
                  }
                },
                "example": {
                  "account": "buyer@example.com",
                  "deviceToken": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I",
                  "environment": "Sandbox",
                  "storefront": {"countryCode": "DEU", "identifier": "143443"},
                  "worldId": "1B4E28BA-2FA1-41D2-883F-0016D3CCA427"
                }
              },
              "FindProducts": {
                "type": "object",
                "required": ["productIdentifiers"],
                "properties": {
                  "productIdentifiers": {
                    "type": "array",
                    "maxItems": \#(Limits.productIdentifiersMax),
                    "items": {"type": "string"}
                  },
                  "locale": {
                    "description": "The person's, as `en_US`; the storefront's own when absent.",
                    "type": ["string", "null"],
                    "pattern": "^[^\\u0000-\\u001f\\u007f]+$",
                    "minLength": 1,
                    "maxLength": \#(Limits.localeBytesMax)
                  }
                }
              },
              "Products": {
                "type": "object",
                "required": ["products", "invalidProductIdentifiers"],
                "properties": {
                  "products": {"type": "array", "items": {"$ref": "#/components/schemas/Product"}},
                  "invalidProductIdentifiers": {
                    "type": "array",
                    "description": "Unknown, or not for sale; in the order asked.",
                    "items": {"type": "string"}
                  }
                }
              },
              "Product": {
                "type": "object",
                "required": [
                  "productId", "kind", "localizedTitle", "localizedDescription",
                  "priceMilliunits", "currency", "priceLocale", "isFamilyShareable"
                ],
                "properties": {
                  "productId": {"type": "string"},
                  "kind": {"$ref": "#/components/schemas/ProductKind"},
                  "localizedTitle": {"type": "string"},
                  "localizedDescription": {"type": "string"},
                  "priceMilliunits": {
                    "type": "integer",
                    "format": "int64",
                    "description": "The price of one, in thousandths of the currency's unit.",
                    "minimum": 0
                  },
                  "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
                  "priceLocale": {"type": "string", "description": "A locale that writes this price."},
                  "isFamilyShareable": {"type": "boolean"},
                  "subscriptionGroupIdentifier": {"type": "string"},
                  "subscriptionPeriod": {
                    "enum": \#(names(RenewalPeriod.allCases.map(\.rawValue))),
                    "description": "How long one period of a subscription lasts; absent when it is none."
                  },
                  "introductoryOffer": {
                    "$ref": "#/components/schemas/Offer",
                    "description": "What a new subscriber pays at first; absent when nothing else."
                  },
                  "promotionalOffers": {
                    "type": "array",
                    "description": "Of a subscription; absent when there are none.",
                    "minItems": 1,
                    "items": {"$ref": "#/components/schemas/Offer"}
                  },
                  "downloadContentVersion": {
                    "$ref": "#/components/schemas/ContentVersion",
                    "description": "Of the content that a purchase brings; absent when there is none."
                  },
                  "downloadContentLengths": {
                    "type": "array",
                    "description": "Bytes of the content; absent when there is none.",
                    "items": {"type": "integer", "format": "int64", "minimum": 0}
                  }
                },
                "example": {
                  "currency": "EUR",
                  "isFamilyShareable": false,
                  "kind": "nonConsumable",
                  "localizedDescription": "For ever.",
                  "localizedTitle": "Turbo",
                  "priceLocale": "de_DE@currency=EUR",
                  "priceMilliunits": 2990,
                  "productId": "com.example.rocketcar.turbo"
                }
              }
        """#
}
