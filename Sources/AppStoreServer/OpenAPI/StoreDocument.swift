import StoreHTTP

/// The store's OpenAPI 3.1 document, served at `/openapi.json`.
///
/// Its text stands in the files of this folder, a file per part. Limits, and names of which there
/// are several, come from the code; a test holds paths and methods to `StoreRoutes`, and the codes
/// of errors to the sources. A code in backticks in the description of an answer promises that no
/// other code comes with that status there.
package enum StoreDocument: OpenAPIDocument {
    /// The document as it is served.
    package static let bytes = Array(text.utf8)

    static let text = #"""
        {
          "openapi": "3.1.0",
          "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
          "info": {
            "title": "Bodega: the store",
            "version": "0.1.0",
            "summary": "What devices, app owners' backends and the shop owner ask of the store.",
            "description": "\#(introduction)",
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"}
          },
          "servers": [
            {"url": "/", "description": "The default world."},
            {
              "url": "/t/{world}",
              "description": "A test session.",
              "variables": {"world": {"default": "one", "description": "Its name."}}
            }
          ],
          "tags": [
            {"name": "process", "description": "For whoever watches the process."},
            {"name": "worlds", "description": "Test sessions; at the root only."},
            {"name": "shop", "description": "A world's settings as a shop, its apps and developers."},
            {"name": "catalogue", "description": "An app's products."},
            {"name": "prices", "description": "What they cost, where and when."},
            {"name": "reviews", "description": "Which of them may be sold."},
            {"name": "secrets", "description": "Shared secrets for `verifyReceipt`."},
            {"name": "offers", "description": "Keys that sign promotional offers, and offer codes."},
            {"name": "content", "description": "What the store keeps for buyers of a product to fetch."},
            {"name": "accounts", "description": "Test accounts."},
            {"name": "money", "description": "Store credit, gift codes, payments and refunds."},
            {"name": "subscriptions", "description": "Auto-renewable ones, and what becomes of them."},
            {"name": "clock", "description": "A world's clock, and faults on purpose."},
            {"name": "device", "description": "What the StoreKit module asks."},
            {"name": "receipts", "description": "Apple's `verifyReceipt`."}
          ],
          "paths": {
        \#([process, worlds, worldUpkeep, shop, catalogue, prices, reviews, secrets, accounts]
            .joined(separator: ",\n")),
        \#([revocations, accountUpkeep, waitingPurchases, clock, device, purchases, restores, content]
            .joined(separator: ",\n")),
        \#([transactionReceipts, keyValues, priceConsents, offerKeys, offerCodes, subscriptions]
            .joined(separator: ",\n")),
        \#(redemptions),
        \#([credit, giftCodes, payments, families, refunds, faults, verifyReceipt].joined(separator: ",\n"))
          },
          "components": {
            "securitySchemes": {
        \#(bearer("controlToken", "From the file `control-token` in the data directory.")),
        \#(bearer("deviceToken", "From register, sign-in and sign-out. Good for \(tokenDays) days."))
            },
            "headers": {
        \#(contentHeaders)
            },
            "parameters": {
        \#([parameters, worldParameters, secretParameters, contentParameters]
            .joined(separator: ",\n"))
            },
            "responses": {
        \#([responses, worldResponses, shopResponses, catalogueResponses, priceResponses]
            .joined(separator: ",\n")),
        \#([secretResponses, clockResponses, deviceResponses, contentResponses].joined(separator: ",\n"))
            },
            "schemas": {
        \#([errorSchemas, processSchemas, worldSchemas, seedSchemas, shopSchemas]
            .joined(separator: ",\n")),
        \#([catalogueSchemas, priceSchemas, reviewSchemas, secretSchemas, accountSchemas]
            .joined(separator: ",\n")),
        \#([accountUpkeepSchemas, waitingPurchaseSchemas, clockSchemas, deviceSchemas, purchaseSchemas]
            .joined(separator: ",\n")),
        \#([discountSchemas, redemptionSchemas, winBackSchemas].joined(separator: ",\n")),
        \#([restoreSchemas, contentSchemas, transactionReceiptSchemas, keyValueSchemas]
            .joined(separator: ",\n")),
        \#([paymentSchemas, familySchemas, revocationSchemas, refundSchemas,
            priceConsentSchemas, offerKeySchemas, offerCodeSchemas]
            .joined(separator: ",\n")),
        \#([subscriptionSchemas, creditSchemas, giftCodeSchemas, faultSchemas, verifyReceiptSchemas]
            .joined(separator: ",\n"))
            }
          }
        }

        """#

    private static let introduction = [
        "Bodies are JSON in UTF-8, whatever `Content-Type` says. Members that the store does not",
        "know are passed over. A path that is not here is answered 404 `notFound`; a method that",
        "is not here, 405 `methodNotAllowed` with `Allow`; a header above 32 KiB, 431. HEAD is",
        "answered like GET. Every path but those of the tags process and worlds stands below",
        "`/t/{world}` too. Lengths are limits of UTF-8 bytes, so that a text with other than ASCII",
        "characters may be refused although it is not longer than `maxLength`.",
    ].joined(separator: " ")

    private static let tokenDays = Limits.tokenMilliseconds / 86_400_000

    /// The 413, 500 and 503 of any operation; 400 is each operation's own.
    static let always = commonAnswers()

    /// The same where 503 has an answer of its own.
    static func always(unavailable: String) -> String { commonAnswers(unavailable: unavailable) }

    /// The 400, 413, 500 and 503 of an operation that reads no body.
    static let withoutBody = commonAnswers(isBodyDecoded: false)

    /// The same of one that decodes its body.
    static let withBody = commonAnswers(isBodyDecoded: true)

    /// The names of an enumeration, as JSON.
    static func names(_ values: [String]) -> String { array(values) }
}
