import StoreHTTP

/// The backend's OpenAPI 3.1 document, served at `/openapi.json`.
///
/// Its text stands in the files of this folder. Limits, and names of which there are several, come
/// from the code; a test holds paths and methods to `BackendRoutes`, and the codes of errors to the
/// sources. A code in backticks in the description of an answer promises that no other code comes
/// with that status there.
package enum BackendDocument: OpenAPIDocument {
    /// The document as it is served.
    package static let bytes = Array(text.utf8)

    static let text = #"""
        {
          "openapi": "3.1.0",
          "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
          "info": {
            "title": "Bodega: the backend",
            "version": "0.1.0",
            "summary": "What an app asks of the server that delivers what was bought.",
            "description": "\#(introduction)",
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"}
          },
          "servers": [{"url": "/"}],
          "tags": [
            {"name": "process", "description": "For whoever watches the process."},
            {"name": "products", "description": "What is delivered."},
            {"name": "users", "description": "The backend's own users."},
            {"name": "receipts", "description": "Purchases handed in, and what became of them."},
            {"name": "operator", "description": "For whoever looks after the backend."}
          ],
          "paths": {
        \#([process, products, users, receipts, offers, submissions, subscriptions].joined(separator: ",\n"))
          },
          "components": {
            "securitySchemes": {
        \#(bearer("userToken", "From sign-up and sign-in. Good for \(sessionDays) days.")),
        \#(bearer("operatorToken", "From the file `\(OperatorToken.fileName)` in the data directory."))
            },
            "responses": {
        \#([responses, operatorResponses].joined(separator: ",\n"))
            },
            "schemas": {
        \#(schemas.joined(separator: ",\n"))
            }
          }
        }

        """#

    private static let schemas = [
        errorSchemas, userSchemas, receiptSchemas, offerSchemas, operatorSchemas,
        subscriptionSchemas,
    ]

    private static let introduction = [
        "Bodies are JSON in UTF-8, whatever `Content-Type` says. Members that the backend does not",
        "know are passed over. A path that is not here is answered 404 `notFound`; a method that",
        "is not here, 405 `methodNotAllowed` with `Allow`; a header above 32 KiB, 431. HEAD is",
        "answered like GET. Some limits count UTF-8 bytes, so that a text with other than ASCII",
        "characters may be refused although it is not longer than `maxLength`.",
    ].joined(separator: " ")

    private static let sessionDays = BackendLimits.sessionLifetimeMilliseconds / 86_400_000

    /// The 400, 413, 500 and 503 of an operation that reads no body.
    static let withoutBody = commonAnswers(isBodyDecoded: false)

    /// The same of one that decodes its body.
    static let withBody = commonAnswers(isBodyDecoded: true)

    /// The names of an enumeration, as JSON.
    static func names(_ values: [String]) -> String { array(values) }
}
