import StoreHTTP
import StoreModel
import StoreRules

extension StoreDocument {
    static let seedSchemas = #"""
              "Seed": {
                "type": "object",
                "description": "A name that is not here is refused; `docs/worlds.md` says more of each.",
                "additionalProperties": false,
                "properties": {
                  "clock": {\#(nullable("SeedClock"))},
                  "transactionNumberStart": {
                    "type": ["integer", "null"],
                    "format": "int64",
                    "description": "Of the sandbox's numbers.",
                    "minimum": \#(transactionNumbers.lowerBound),
                    "maximum": \#(transactionNumbers.upperBound)
                  },
                  "apps": {
                    "type": ["array", "null"],
                    "maxItems": \#(WorldSeed.appsMax),
                    "items": {"$ref": "#/components/schemas/SeedApp"}
                  },
                  "accounts": {
                    "type": ["array", "null"],
                    "description": "With \#(WorldSeed.passwordsMax) passwords that differ at most.",
                    "maxItems": \#(WorldSeed.accountsMax),
                    "items": {"$ref": "#/components/schemas/SeedAccount"}
                  },
                  "families": {
                    "type": ["array", "null"],
                    "description": "Made before anything is bought, so that all of it is shared that may be.",
                    "maxItems": \#(WorldSeed.accountsMax),
                    "items": {"$ref": "#/components/schemas/SeedFamily"}
                  },
                  "purchases": {
                    "type": ["array", "null"],
                    "description": "In their order.",
                    "maxItems": \#(WorldSeed.purchasesMax),
                    "items": {"$ref": "#/components/schemas/SeedPurchase"}
                  }
                }
              },
              "SeedTime": {
                "type": "string",
                "description": "From 2000 to 2099, as `2026-03-31` or `2026-03-31T12:00:00Z`."
              },
              "SeedClock": {
                "type": "object",
                "description": "A held clock needs a time.",
                "additionalProperties": false,
                "required": ["mode"],
                "properties": {
                  "mode": {"enum": ["held", "real"]},
                  "now": {\#(nullable("SeedTime"))}
                }
              },
              "SeedApp": {
                "type": "object",
                "additionalProperties": false,
                "required": ["bundleId", "catalogue"],
                "properties": {
                  "bundleId": {"$ref": "#/components/schemas/BundleID"},
                  "catalogue": {
                    "description": "A StoreKit configuration file, or its text.",
                    "anyOf": [{"$ref": "#/components/schemas/CatalogueFile"}, {"type": "string"}]
                  }
                }
              },
              "SeedAccount": {
                "type": "object",
                "additionalProperties": false,
                "required": ["name", "password"],
                "properties": {
                  "name": {"$ref": "#/components/schemas/AccountName"},
                  "password": {"$ref": "#/components/schemas/Password"},
                  "storefront": {
                    "description": "USA when absent.",
                    \#(nullable("StorefrontCode"))
                  },
                  "environment": {"enum": ["sandbox", null]},
                  "needsApproval": {
                    "type": ["boolean", "null"],
                    "description": "Whether somebody else approves what it buys; false when absent. A purchase of the seed that waits cannot be finished."
                  },
                  "interruptsPurchases": {
                    "type": ["boolean", "null"],
                    "description": "Whether its purchases are interrupted; false when absent."
                  }
                }
              },
              "SeedFamily": {
                "type": "object",
                "description": "Of accounts of the seed, each of which is in one family at most.",
                "additionalProperties": false,
                "required": ["organiser"],
                "properties": {
                  "organiser": {"$ref": "#/components/schemas/AccountName"},
                  "members": {
                    "type": ["array", "null"],
                    "description": "The others.",
                    "maxItems": \#(FamilyRules.membersMax - 1),
                    "items": {"$ref": "#/components/schemas/AccountName"}
                  }
                }
              },
              "SeedPurchase": {
                "type": "object",
                "description": "By an account of the seed, of a product of one of its apps.",
                "additionalProperties": false,
                "required": ["account", "productId", "at"],
                "properties": {
                  "account": {"$ref": "#/components/schemas/AccountName"},
                  "bundleId": {
                    "description": "Of the only app when absent.",
                    \#(nullable("BundleID"))
                  },
                  "productId": {"$ref": "#/components/schemas/Identifier"},
                  "quantity": {
                    "type": ["integer", "null"],
                    "minimum": 1,
                    "maximum": \#(PurchaseRules.quantityMax)
                  },
                  "at": {"$ref": "#/components/schemas/SeedTime"},
                  "finished": {
                    "type": ["boolean", "null"],
                    "description": "True when absent."
                  },
                  "device": {\#(nullable("UUID"))},
                  "applicationUsername": {
                    "type": ["string", "null"],
                    "pattern": "^[^\\u0000-\\u001f\\u007f]*$",
                    "maxLength": \#(Limits.identifierBytesMax)
                  }
                }
              }
        """#

    private static let transactionNumbers = StoreEnvironment.sandbox.transactionNumbers
}
