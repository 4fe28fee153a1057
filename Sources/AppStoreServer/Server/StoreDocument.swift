import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

/// The store's OpenAPI 3.1 document, served at `/openapi.json` and made of its endpoints.
package enum StoreDocument: ServiceDocument {
    /// The document as it is served.
    package static let bytes = write()

    package static let groups = [
        root(
            "process", "For monitoring the process.",
            [ProcessEndpoints.self, MetricsEndpoints.self]),
        root(
            "console", "Sessions of the console, the pages at `/console/`; at the root only.",
            [StoreConsoleEndpoints.self]),
        root("worlds", "Test sessions; at the root only.", [WorldEndpoints.self]),
        root(
            "waits", "One request that waits for many devices; at the root only.",
            [NewsWaitEndpoints.self]),
        control(
            "shop", "A world's settings as a shop, its apps and developers.",
            [ShopEndpoints.self, SeedEndpoints.self]),
        control("catalogue", "An app's products.", [CatalogueEndpoints.self]),
        control("prices", "The prices of products, by storefront and date.", [PriceEndpoints.self]),
        control("reviews", "The review of products for sale.", [ReviewEndpoints.self]),
        control("secrets", "Shared secrets for `verifyReceipt`.", [SecretEndpoints.self]),
        control(
            "offers", "Keys that sign promotional offers, and offer codes.",
            [OfferKeyEndpoints.self, OfferCodeEndpoints.self, RedemptionEndpoints.self]),
        control(
            "content", "Files that buyers of a product can download.",
            [ContentEndpoints.self]),
        control(
            "resources", "On-demand resources: files of a version of an app, by tag.",
            [ResourceEndpoints.self]),
        control(
            "accounts", "Test accounts.",
            [
                AccountEndpoints.self, RevocationEndpoints.self, ApprovalEndpoints.self,
                KeyValueEndpoints.self, PriceConsentEndpoints.self, FamilyEndpoints.self,
                AppTransactionEndpoints.self,
            ]),
        control(
            "history",
            "A world at a glance, what happened in it, the devices on which it did, and the latest requests.",
            [
                OverviewEndpoints.self, HistoryEndpoints.self, ActivityEndpoints.self,
                InstallationEndpoints.self,
            ]),
        control(
            "money",
            "Purchases, receipts, store credit, the ledger, gift codes, payments, refunds and sales.",
            [
                PurchaseEndpoints.self, RestoreEndpoints.self, ReceiptEndpoints.self,
                CreditEndpoints.self, LedgerEndpoints.self, GiftCodeEndpoints.self,
                PaymentEndpoints.self,
                RefundEndpoints.self, SaleEndpoints.self,
            ]),
        control(
            "subscriptions", "Auto-renewable subscriptions and their life.",
            [SubscriptionEndpoints.self, WinBackEndpoints.self]),
        control(
            "notifications", "App Store Server Notifications to apps' servers.",
            [NotificationEndpoints.self]),
        control(
            "certificates", "The certificates of signed data.", [CertificateEndpoints.self]),
        control(
            "clock", "A world's clock, injected faults, and limits of requests.",
            [ClockEndpoints.self, FaultEndpoints.self, RequestLimitEndpoints.self]),
        environment(
            "device", "Used by the StoreKit module.",
            StoreRoutes.nouns.filter {
                $0 != VerifyReceiptEndpoints.self && $0 != ServerAPIEndpoints.self
                    && $0 != OCSPEndpoints.self
            }),
        environment("receipts", "Apple's `verifyReceipt`.", [VerifyReceiptEndpoints.self]),
        environment(
            "server-api", "Apple's App Store Server API, for an app's server.",
            [ServerAPIEndpoints.self]),
        environment("ocsp", "Whether certificates were revoked.", [OCSPEndpoints.self]),
    ]

    private static func root(
        _ tag: String, _ about: String, _ nouns: [any StoreEndpoints.Type]
    ) -> DocumentGroup {
        DocumentGroup(
            tag, about,
            nouns.flatMap { noun in
                noun.root.map { $0.operation.taking(noun.parameters) }
            })
    }

    private static func control(
        _ tag: String, _ about: String, _ nouns: [any StoreEndpoints.Type]
    ) -> DocumentGroup {
        let operations = nouns.flatMap { noun in
            noun.control.map { $0.operation.taking(noun.parameters).below("/control/v1") }
        }
        return DocumentGroup(tag, about, operations)
    }

    private static func environment(
        _ tag: String, _ about: String, _ nouns: [any StoreEndpoints.Type]
    ) -> DocumentGroup {
        let operations = nouns.flatMap { noun in
            noun.environment.map { $0.operation.taking(noun.parameters).below("/:environment") }
        }
        return DocumentGroup(tag, about, operations)
    }

    package static let head: JSONValue = [
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "info": [
            "title": "Bodega: the store", "version": .string(ProductVersion.text),
            "summary": "The API for devices, app owners' backends and the shop owner.",
            "description": introduction,
            "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
        ],
        "servers": [
            ["url": "/", "description": "The default world."],
            [
                "url": "/t/{world}", "description": "A test session.",
                "variables": ["world": ["default": "one", "description": "Its name."]],
            ],
        ],
    ]

    package static let securitySchemes: JSONValue = [
        "controlToken": bearer(
            "From the file `control-token` in the data directory; or a session of the console."),
        "consoleSession": bearer("From `openConsole`."),
        "metricsToken": bearer(
            "From the file `metrics-token` in the data directory; the control token does, too."),
        "deviceToken": bearer(
            "From register, sign-in and sign-out. Good for \(tokenDays) days."),
        "serverToken": bearer(
            "A JWT that an app's server signs with one of the app's keys; good for an hour at most."
        ),
    ]

    private static let tokenDays = Limits.tokenMilliseconds / 86_400_000

    package static let otherCodes: Set<String> = [
        "alreadySubscribed", "hostUnknown", "methodNotAllowed", "offerNotEligible",
        "originForeign", "sessionReadsOnly",
    ]

    package static let badBodyExample = "The body is not as expected: mode is missing."

    package static let scalars =
        [
            Scalar("", ["type": "string"]), Scalar(false, ["type": "boolean"]),
            Scalar(0, ["type": "integer"]),
            Scalar(Int64(0), ["type": "integer", "format": "int64"]),
            .cases(of: StoreEnvironment.self, as: "Environment"),
            Scalar(
                Timestamp(milliseconds: 0), as: "Timestamp",
                [
                    "type": "integer", "format": "int64",
                    "description": "Milliseconds since 1970; in the years 1 to 9999.",
                    "minimum": .integer(Timestamp.range.lowerBound.milliseconds),
                    "maximum": .integer(Timestamp.range.upperBound.milliseconds),
                ]),
        ] + StoreRoutes.nouns.flatMap { $0.scalars }

    package static let schemas =
        (Array(sharedSchemas) + StoreRoutes.nouns.flatMap { Array($0.schemas) })
        .map { ($0.key, $0.value) }

    package static func token(of operation: Operation) -> String? {
        if operation.isControl { return "controlToken" }
        if operation.path == metricsPath { return "metricsToken" }
        if operation.path == "/console/v1/codes" { return "controlToken" }
        if operation.path == "/console/v1/session" { return "consoleSession" }
        if operation.isOfServerAPI { return "serverToken" }
        return operation.isOfDevice ? "deviceToken" : nil
    }

    package static func pathMembers(of operation: Operation) -> JSONValue {
        operation.isAtRoot ? ["servers": [["url": "/"]]] : [:]
    }

    private static let introduction: JSONValue = """
        Bodies are JSON in UTF-8, whatever `Content-Type` says, except where 415 is described. \
        Unknown members are ignored; a member that appears twice is refused. An unknown path gets \
        404 `notFound`; an unknown method, 405 `methodNotAllowed` with `Allow`; \
        a header above 32 KiB, 431. `/control`, `/console` and `/metrics` answer 421 `hostUnknown` to a `Host` that is not \
        loopback, the address listened on or one that was allowed, and 403 `originForeign` to an \
        `Origin` of another host. A session of the console that only reads gets 403 \
        `sessionReadsOnly` for what changes something. HEAD is answered like GET. Every path but those of the tags \
        process, console and worlds stands below `/t/{world}` too. Lengths are limits of UTF-8 bytes, so \
        that a text with non-ASCII characters may be refused although it is not longer than \
        `maxLength`.
        """

    /// The usual refusals of an operation with a status, besides its own.
    package static func usual(
        _ status: Int, beside own: String?, of operation: Operation
    ) -> String? {
        let unclear = "`badRequest`: the path, the query or a header can be read in two ways."
        let nowhere = "`worldUnknown`, `notFound`: nothing is at this path."
        let failing = """
            `storage`, `diskFull`: nothing was changed. `stopping`: no new requests are accepted. \
            `notAnswered`: the request may have been carried out.
            """
        switch status {
        case 400 where operation.errors != nil: return unclear
        case 500 where operation.errors != nil: return "`badAnswer`: a fault of the store itself."
        case 400 where own == nil && operation.body?.isDecoded == true:
            return "`badBody`: the body is not as described; the message says where. \(unclear)"
        case 400: return unclear
        case 401 where own != nil: return nil
        case 401 where operation.isControl:
            return "`controlTokenWrong`: the control token is missing or wrong."
        case 401 where operation.isOfDevice:
            return """
                `notSignedIn`: nobody is signed in on the device. `tokenUnknown`: the token is \
                missing, expired, or of another world.
                """
        case 404 where operation.isAtRoot && operation.pathParameters.isEmpty: return nil
        case 404: return nowhere
        case 413:
            return """
                `bodyTooLarge`: \(Limits.bodyMax) bytes are accepted, unless `x-bodyBytesMax` \
                gives another number.
                """
        case 500:
            return "`internal`, `badAnswer`: a fault of the store itself; its log has the details."
        case 503 where own != nil: return "`busy`: too many requests at once. \(failing)"
        case 503 where operation.changesWorlds:
            return """
                `worldBusy`: another operation on the world is under way. `worldInUse`: another \
                program has its file open. `sessionsBusy`: too many test sessions are in use for \
                the files that may be open. `busy`: too many requests at once. \(failing)
                """
        case 503:
            return """
                `busy`, `signInBusy`: too many requests at once. `sessionsBusy`: too many test \
                sessions are in use for the files that may be open. `paymentOpen`: a subscription \
                waits for its payment. \(failing)
                """
        default: return nil
        }
    }

    package static let pathParameters = [
        Parameter(
            .path, "environment", "They share the catalogue and nothing else.",
            schema: "Environment", example: "sandbox"),
        Parameter(
            .path, "app", "The app's bundle identifier.", schema: "BundleID",
            example: "com.example.rocketcar",
            unknown: "`appUnknown`: no catalogue of that app has been imported."),
        Parameter(
            .path, "product", schema: "Identifier", example: "com.example.rocketcar.fuel",
            unknown: "`appUnknown`, `productUnknown`: the app or its product does not exist."),
        Parameter(.path, "name", schema: "WorldName", example: "one"),
        Parameter(
            .path, "developer", "The developer account's name.", schema: "DeveloperName",
            example: "default",
            unknown: "`developerUnknown`: there is no developer account of that name."),
        Parameter(
            .path, "original", "The number of its first transaction.", schema: "TransactionID",
            example: "2000000000000000",
            unknown: "`subscriptionUnknown`: no subscription began with that transaction."),
        Parameter(.path, "id", schema: "TransactionID", example: "2000000000000000"),
        Parameter(.path, "version", schema: "ContentVersion", example: "1.0"),
        Parameter(
            .path, "upload", schema: "ContentUploadID",
            example: "00112233445566778899aabbccddeeff"),
        Parameter(
            .path, "sha256", schema: "SHA256",
            example: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ]
    private static let sharedSchemas: KeyValuePairs<String, JSONValue> = [
        "EnvironmentName": .oneOf(StoreEnvironment.allCases.map(\.wireName)),
        "SignedEnvironmentName": .oneOf(
            [StoreEnvironment.production.wireName] + SandboxName.allCases.map(\.rawValue)),
        "BundleID": [
            "type": "string", "pattern": "^[A-Za-z0-9.-]+$", "minLength": 1,
            "maxLength": .integer(Limits.identifierBytesMax),
        ],
        "Identifier": [
            "type": "string", "description": "Without control characters.",
            "pattern": #"^[^\u0000-\u001f\u007f]+$"#, "minLength": 1,
            "maxLength": .integer(Limits.identifierBytesMax),
        ],
        "UUID": [
            "type": "string", "description": "Small letters are taken as capitals.",
            "pattern": """
            ^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$
            """,
        ],
        "StorefrontCode": [
            "description": "ISO 3166-1 alpha-3.",
            "enum": .array(Storefront.all.map { .string($0.countryCode) }),
        ],
        "Health": [
            "type": "object", "required": ["status"],
            "properties": ["status": ["enum": ["ok", "ready"]]],
        ],
    ]

}

extension Operation {
    fileprivate var isControl: Bool { path.hasPrefix("/control/") }
    fileprivate var isOfDevice: Bool { path.contains("/device/") && !isAtRoot }
    fileprivate var isOfServerAPI: Bool { path.contains("/inApps/") }
    fileprivate var isOfWorlds: Bool { path.hasPrefix("/control/v1/worlds") }
    fileprivate var isAtRoot: Bool {
        isOfWorlds || (!isControl && !pathParameters.contains("environment"))
    }
    fileprivate var changesWorlds: Bool {
        isOfWorlds && (method != "GET" || !pathParameters.isEmpty)
    }
}
