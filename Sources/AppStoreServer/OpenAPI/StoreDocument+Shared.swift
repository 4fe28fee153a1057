import StoreHTTP
import StoreModel

extension StoreDocument {
    static let parameters = #"""
              "environment": {
                "name": "environment",
                "in": "path",
                "required": true,
                "description": "They share the catalogue and nothing else.",
                "schema": {"$ref": "#/components/schemas/Environment"},
                "example": "sandbox"
              },
              "app": {
                "name": "app",
                "in": "path",
                "required": true,
                "description": "The app's bundle identifier.",
                "schema": {"$ref": "#/components/schemas/BundleID"},
                "example": "com.example.rocketcar"
              },
              "product": {
                "name": "product",
                "in": "path",
                "required": true,
                "schema": {"$ref": "#/components/schemas/Identifier"},
                "example": "com.example.rocketcar.fuel"
              }
        """#

    /// Answers that more than one operation gives.
    static let responses = #"""
        \#(errorResponse("Error", "Refused; nothing was changed.")),
        \#(badRequestResponses(bodyExample: "The body is not as expected: mode is missing.")),
        \#(tokenResponse("ControlTokenWrong", "`controlTokenWrong`: without the control token.")),
        \#(tokenResponse("TokenUnknown", "`tokenUnknown`: the token is missing, expired, or of another world.")),
        \#(tooLargeResponse(bodyBytesMax: Limits.bodyMax)),
        \#(errorResponse("Failed", "`internal`, `badAnswer`: a mistake of the store's own; its log says which.")),
        \#(laterResponse("Unavailable", "`busy`, `signInBusy`: too much at once. `paymentOpen`: a subscription waits for its payment. `storage`, `diskFull`: nothing was changed. `stopping`: not taken any more. `notAnswered`: what was asked may have happened."))
        """#

    static let errorSchemas = #"""
        \#(errorSchema()),
              "ErrorCode": {
                "description": "A name for programs; each operation says which come with which status.",
                "enum": [
                  "accountLocked", "accountUnknown", "alreadySubscribed", "appUnknown", "approvalAnswered",
                  "approvalUnknown", "attemptIdReused", "badAnswer", "badBody",
                  "badCatalogue", "badContent", "badField", "badName", "badPrice",
                  "badQuery", "badRequest", "badSeed", "bodyTooLarge", "busy", "clockMoves",
                  "clockOutOfRange", "clockWouldGoBack",
                  "consumptionAnswered", "consumptionUnknown",
                  "contentBusy", "contentIncomplete",
                  "contentMissing", "contentUnknown", "contentVersionExists",
                  "controlTokenWrong", "creditLimit", "creditTooLow", "dateIsOver",
                  "dateOutOfRange", "dateTaken", "developerUnknown", "diskFull",
                  "familyFull", "familyUnknown", "fileUnknown", "giftCodeExpired",
                  "giftCodeRedeemed", "giftCodeUnknown", "giftCodeVoided", "inFamily",
                  "internal", "keyValuesFull", "kindNeedsNoDelay", "kindOfSoldProduct",
                  "methodNotAllowed", "nameTaken", "noDevice", "noPriceIncrease", "notAnswered",
                  "notFound", "notInFamily", "notRenewable", "notSignedIn", "noteMissing",
                  "nothingLeft",
                  "offerCodeTaken", "offerCodeUnknown", "offerKeyUnknown", "offerNotEligible",
                  "offerRefused", "offerUnknown", "organiserStays",
                  "otherCurrency", "otherGroup", "otherPricePending", "partOutOfOrder",
                  "passwordWrong", "paymentOpen", "periodBoughtAgain", "priceConsentAnswered", "priceConsentUnknown",
                  "priceConsentWithdrawn", "priceHasBegun", "priceUnknown", "productNotForSale",
                  "productUnknown", "rangeBehindEnd", "realAccount", "reasonMissing",
                  "reasonNotWanted", "receiptFull", "refundDecided", "refundNotGranted",
                  "refundRequested", "refundTooLate", "refundUnknown",
                  "requestIdReused", "restoreIdReused", "revokedBefore", "secretUnknown",
                  "signInBusy", "snapshotDamaged", "snapshotExists", "snapshotUnknown",
                  "stateNotAllowed", "stopping", "storage", "storefrontUnknown",
                  "subscriptionChanged", "subscriptionEnded", "subscriptionJustBegun",
                  "subscriptionNotActive", "subscriptionNotRenewed",
                  "subscriptionUnknown", "termsOfSoldProduct", "testAccount", "testAccountInSettings",
                  "tokenUnknown", "tooMany", "tooManyChanges", "tooManyContentVersions",
                  "tooManyDevelopers", "tooManyGiftCodes", "tooManyOfferCodes",
                  "tooManyOfferKeys", "tooManyPriceConsents", "tooManyPrices",
                  "tooManyRedemptions", "tooManyRegistrations", "tooManyRestored", "tooManySecrets",
                  "tooManySecretsKept", "tooManySnapshots", "tooManyUploads",
                  "tooManyWorlds", "transactionFinished", "transactionRevoked",
                  "transactionShared",
                  "transactionUnknown", "uploadUnknown", "worldBusy", "worldExists",
                  "worldInUse", "worldIsDefault", "worldUnknown"
                ]
              },
              "Environment": {"enum": \#(names(StoreEnvironment.allCases.map(\.rawValue)))},
              "EnvironmentName": {"enum": \#(names(StoreEnvironment.allCases.map(\.wireName)))},
              "BundleID": {
                "type": "string",
                "pattern": "^[A-Za-z0-9.-]+$",
                "minLength": 1,
                "maxLength": \#(Limits.identifierBytesMax)
              },
              "Identifier": {
                "type": "string",
                "description": "Without control characters.",
                "pattern": "^[^\\u0000-\\u001f\\u007f]+$",
                "minLength": 1,
                "maxLength": \#(Limits.identifierBytesMax)
              },
              "UUID": {
                "type": "string",
                "description": "Small letters are taken as capitals.",
                "pattern": "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
              },
              "Timestamp": {
                "type": "integer",
                "format": "int64",
                "description": "Milliseconds since 1970; in the years 1 to 9999.",
                "minimum": \#(Timestamp.range.lowerBound.milliseconds),
                "maximum": \#(Timestamp.range.upperBound.milliseconds)
              },
              "StorefrontCode": {
                "description": "ISO 3166-1 alpha-3.",
                "enum": [
                  \#(storefrontLines)
                ]
              }
        """#

    /// Twelve codes a line.
    private static let storefrontLines: String = {
        let codes = Storefront.all.map { "\"\($0.countryCode)\"" }
        return stride(from: 0, to: codes.count, by: 12)
            .map { codes[$0..<min($0 + 12, codes.count)].joined(separator: ", ") }
            .joined(separator: ",\n          ")
    }()
}
