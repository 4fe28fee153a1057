import StoreModel
package import StoreService
package import StoreWire

/// The backend's OpenAPI 3.1 document, served at `/openapi.json` and built from its endpoints.
package enum BackendDocument: ServiceDocument {
    /// The document as it is served.
    package static let bytes = write()

    package static let groups = [
        group(
            "process", "For monitoring the process.",
            [ProcessEndpoints.self, MetricsEndpoints.self]),
        group(
            "console", "Sessions of the console, the pages at `/console/`.",
            [OperatorConsoleEndpoints.self]),
        group("products", "Products and their content.", [ProductEndpoints.self]),
        group("users", "The backend's own users.", [UserEndpoints.self]),
        group(
            "receipts", "Submitted purchases and their state.",
            [ReceiptEndpoints.self, BalanceEndpoints.self, OfferEndpoints.self]),
        group(
            "operator", "For the backend's operator.",
            [
                OperatorEndpoints.self, OperatorSubscriptionEndpoints.self, PriceEndpoints.self,
            ]),
    ]

    private static func group(
        _ tag: String, _ about: String, _ nouns: [any BackendEndpoints.Type]
    ) -> DocumentGroup {
        DocumentGroup(
            tag, about,
            nouns.flatMap { noun in
                noun.all.map { $0.operation.taking(noun.parameters) }
            })
    }

    package static let head: JSONValue = [
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "info": [
            "title": "Bodega: the backend", "version": .string(ProductVersion.text),
            "summary": "The endpoints with which an app receives its purchases.",
            "description": introduction,
            "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
        ],
        "servers": [["url": "/"]],
    ]

    private static let introduction: JSONValue = """
        Bodies are JSON in UTF-8, whatever `Content-Type` says, except where 415 is described. \
        Unknown members are ignored; a member that appears twice is refused. An unknown path is \
        answered 404 `notFound`; an unsupported method, 405 `methodNotAllowed` \
        with `Allow`; a header over 32 KiB, 431. `/operator` and `/console` answer 421 `hostUnknown` to a \
        `Host` other than loopback, the address listened on or an allowed one, and 403 \
        `originForeign` to an `Origin` of another host. A session of the console that only reads \
        gets 403 `sessionReadsOnly` for what changes something. HEAD is answered like GET. Some limits count UTF-8 bytes, so \
        a text with non-ASCII characters may be refused although it is not longer than \
        `maxLength`.
        """

    package static let securitySchemes: JSONValue = [
        "metricsToken": bearer(
            "From the file `metrics-token` in the data directory; the operator token does, too."),
        "userToken": bearer("From sign-up and sign-in. Valid for \(sessionDays) days."),
        "operatorToken": bearer(
            """
            From the file `\(OperatorToken.fileName)` in the data directory; or a session of the \
            console.
            """),
        "consoleSession": bearer("From `openConsole`."),
    ]

    private static let sessionDays = BackendLimits.sessionLifetimeMilliseconds / 86_400_000

    package static let scalars =
        [
            Scalar("", ["type": "string"]), Scalar(false, ["type": "boolean"]),
            Scalar(0, ["type": "integer"]),
            Scalar(Int64(0), ["type": "integer", "format": "int64"]),
            Scalar(
                Timestamp(milliseconds: 0), as: "Timestamp",
                [
                    "type": "integer", "format": "int64",
                    "description": "Milliseconds since 1970.",
                ]),
        ] + BackendRoutes.nouns.flatMap { $0.scalars }

    package static let schemas = BackendRoutes.nouns.flatMap { Array($0.schemas) }
        .map { ($0.key, $0.value) }

    package static let pathParameters = [
        Parameter(
            .path, "submission", schema: "SubmissionID", example: "s-000000000000000000000004")
    ]

    package static let badBodyExample = "password is missing"

    package static let errorMembers: JSONValue = [
        "retryAfterSeconds": [
            "type": "integer", "description": "Where waiting helps; also in `Retry-After`.",
            "minimum": 1,
        ]
    ]

    package static let otherCodes: Set<String> = [
        "hostUnknown", "methodNotAllowed", "originForeign", "sessionReadsOnly",
    ]

    /// The operations that do not need a user's token.
    private static let withoutToken: Set<String> = ["listProducts", "signUp", "signIn"]

    package static func token(of operation: Operation) -> String? {
        if operation.path.hasPrefix("/operator/") { return "operatorToken" }
        if operation.path == metricsPath { return "metricsToken" }
        if operation.path == "/console/v1/codes" { return "operatorToken" }
        if operation.path == "/console/v1/session" { return "consoleSession" }
        let isOfUser = operation.path.hasPrefix("/v1/") && !withoutToken.contains(operation.name)
        return isOfUser ? "userToken" : nil
    }

    /// The refusals with a status that any operation may give, beside its own.
    package static func usual(
        _ status: Int, beside own: String?, of operation: Operation
    ) -> String? {
        let unclear = """
            `badRequest`: the path, the query or a header can be read in two ways. \
            `receiptInAddress`: the query contains a receipt.
            """
        let failing = """
            `stopping`: the backend is shutting down. `notAnswered`: the request may have \
            been carried out.
            """
        switch status {
        case 400 where own == nil && operation.body?.isDecoded == true:
            return "`badBody`: the body is not as described; the message says where. \(unclear)"
        case 400: return unclear
        case 401 where own != nil: return nil
        case 401:
            return switch token(of: operation) {
            case "operatorToken": "`operatorTokenWrong`: the operator token is missing or wrong."
            case "userToken": "`notSignedIn`: the token is missing, expired or ended."
            default: nil
            }
        case 413:
            return """
                `bodyTooLarge`: the limit is \(BackendLimits.bodyMax) bytes, unless \
                `x-bodyBytesMax` says otherwise.
                """
        case 500:
            return """
                `failed`, `badAnswer`: the backend failed; its log says why. Nothing was lost.
                """
        case 503 where own != nil:
            return """
                `busy`: too much at once. `storageFailed`: the disk is full or fails. \(failing)
                """
        case 503:
            return """
                `busy`: too much at once. `storageFailed`: the disk is full or fails; nothing was \
                lost. `notReady`: the database does not answer, or its disk is full. \(failing)
                """
        default: return nil
        }
    }
}
