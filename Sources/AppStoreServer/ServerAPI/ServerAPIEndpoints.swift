import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Apple's App Store Server API, for an app's server: the same paths, bodies and errors.
///
/// Source: Apple, *App Store Server API*.
enum ServerAPIEndpoints: StoreEndpoints {
    static let environment: [Endpoint<Scene>] = transactions + customers + changes + notifications

    /// Questions about one transaction.
    private static let transactions: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/inApps/v1/transactions/:transactionId", "getTransactionInfo",
            "Get Transaction Info",
            about: "Of a purchase, a renewal, a restored transaction or a family member's.",
            answers: [
                .init(200, "The transaction.", .schema(signed("signedTransactionInfo"))),
                unauthenticated,
            ],
            errors: [
                .invalidTransactionID, .appTransactionIDNotSupported, .transactionIDNotFound,
            ],
            perSecond: 50,
            .now { call in try TransactionReading.info(call, call["transactionId"]) }),
        Endpoint(
            "GET", "/inApps/v1/lookup/:orderId", "lookUpOrderId", "Look Up Order ID",
            about: "The sandbox has no orders: every number is invalid there.",
            answers: [
                .init(
                    200, "Status 0 with the order's transactions; 1 for an invalid number.",
                    .schema([
                        "type": "object", "required": ["status"],
                        "properties": [
                            "signedTransactions": signedList, "status": ["enum": [0, 1]],
                        ],
                    ])),
                unauthenticated,
            ], errors: [],
            perSecond: 10,
            .now { call in try TransactionReading.order(call, call["orderId"]) }),
        Endpoint(
            "GET", "/inApps/v1/refund/lookup/:originalTransactionId", "getRefundHistoryV1",
            "Get Refund History, version 1",
            about: "The customer's 50 newest refunds, the newest first.",
            answers: [
                .init(200, "The refunded transactions.", .schema(listed([]))), unauthenticated,
            ],
            errors: [
                .invalidOriginalTransactionID, .originalTransactionIDNotFound,
                .appTransactionIDNotSupported,
            ],
            perSecond: 10,
            .raw { call, responder in
                try TransactionReading.newestRefunds(
                    call, call["originalTransactionId"], responder)
            }),
    ]

    /// Questions about a customer, named by any of their transactions or their app transaction.
    private static let customers: [Endpoint<Scene>] = [
        history(
            "/inApps/v2/history/:anyTransactionId", "getTransactionHistory",
            "Get Transaction History", .all),
        history(
            "/inApps/v1/history/:anyTransactionId", "getTransactionHistoryV1",
            "Get Transaction History, version 1: without finished consumables", .unfinished),
        Endpoint(
            "GET", "/inApps/v1/subscriptions/:anyTransactionId", "getAllSubscriptionStatuses",
            "Get All Subscription Statuses",
            takes: [
                Parameter(
                    .query, "status", "Only subscriptions with this status; may be repeated.",
                    schema: ["enum": .array(SignedStatus.allCases.map { .integer($0.rawValue) })])
            ],
            answers: [
                .init(
                    200, "The customer's subscriptions, by group.", .schema("SubscriptionStatuses")),
                unauthenticated,
            ],
            errors: [
                .invalidTransactionID, .invalidStatus, .transactionIDNotFound, .accountNotFound,
            ],
            perSecond: 50,
            .now { call in try SubscriptionStatuses.list(call, call["anyTransactionId"]) }),
        Endpoint(
            "GET", "/inApps/v2/refund/lookup/:anyTransactionId", "getRefundHistory",
            "Get Refund History", takes: [revision],
            answers: [
                .init(
                    200, "A page of the customer's refunded transactions.",
                    .schema(listed(["hasMore", "revision"]))),
                unauthenticated,
            ],
            errors: [
                .invalidRequestRevision, .invalidTransactionID, .transactionIDNotFound,
                .accountNotFound,
            ],
            perSecond: 10,
            .raw { call, responder in
                try TransactionReading.refunds(call, call["anyTransactionId"], responder)
            }),
        Endpoint(
            "GET", "/inApps/v1/transactions/appTransactions/:anyTransactionId",
            "getAppTransactionInfo", "Get App Transaction Info",
            answers: [
                .init(
                    200, "When and with which version the customer got the app.",
                    .schema(signed("signedAppTransactionInfo"))),
                unauthenticated,
            ],
            errors: [
                .invalidTransactionID, .transactionIDNotFound, .appTransactionDoesNotExist,
                .accountNotFound,
            ],
            perSecond: 50,
            .now { call in try TransactionReading.appTransaction(call, call["anyTransactionId"]) }),
    ]

    private static let changes: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/inApps/v1/transactions/:transactionId/finish", "finishTransactionByServer",
            "Finish Transaction",
            about: "As an app finishes it. A repeated request changes nothing.",
            answers: [.init(200, "Finished now or before."), unauthenticated],
            errors: [
                .invalidTransactionID, .appTransactionIDNotSupported, .transactionIDNotFound,
            ],
            perSecond: 50,
            .later { call in try await TransactionChanges.finish(call, call["transactionId"]) }),
        Endpoint(
            "PUT", "/inApps/v1/transactions/:originalTransactionId/appAccountToken",
            "setAppAccountToken", "Set App Account Token",
            about: "Of a purchase, or of a subscription's present period and all later ones.",
            body: RequestBody(
                .schema([
                    "type": "object", "required": ["appAccountToken"],
                    "properties": ["appAccountToken": .component("UUID")],
                ]), example: ["appAccountToken": "11111111-2222-4333-8444-555555555555"]),
            answers: [.init(200, "Set."), unauthenticated],
            errors: [
                .invalidTransactionID, .appTransactionIDNotSupported, .invalidAppAccountTokenUUID,
                .familyTransactionNotSupported, .transactionIDIsNotOriginalTransactionID,
                .originalTransactionIDNotFound,
            ],
            perSecond: 20,
            .later { call in
                try await TransactionChanges.setAppAccountToken(
                    call, call["originalTransactionId"])
            }),
        Endpoint(
            "PUT", "/inApps/v1/subscriptions/extend/:originalTransactionId",
            "extendSubscriptionRenewalDate", "Extend a Subscription Renewal Date",
            about: "At most twice within 365 days, and only while a paid period is running.",
            body: RequestBody(
                .schema("ExtendRenewalDate"),
                example: [
                    "extendByDays": 7, "extendReasonCode": 1, "requestIdentifier": "outage-7",
                ]),
            answers: [
                .init(200, "The date on which it now renews.", .json(ExtendRenewalDateAnswer.self)),
                unauthenticated,
            ],
            errors: [
                .invalidOriginalTransactionID, .appTransactionIDNotSupported, .invalidExtendByDays,
                .invalidExtendReasonCode, .invalidRequestIdentifier,
                .subscriptionExtensionIneligible, .subscriptionMaxExtension,
                .familySharedSubscriptionExtensionIneligible, .originalTransactionIDNotFound,
            ],
            perSecond: 20,
            .later { call in
                try await TransactionChanges.extend(call, call["originalTransactionId"])
            }),
        Endpoint(
            "POST", "/inApps/v1/subscriptions/extend/mass", "extendSubscriptionRenewalDates",
            "Extend Subscription Renewal Dates for All Active Subscribers",
            about: "Carried out after the answer. An identifier that was used before does nothing.",
            body: RequestBody(
                .schema("MassExtendRenewalDate"),
                example: [
                    "extendByDays": 7, "extendReasonCode": 3,
                    "productId": "com.example.rocketcar.club",
                    "requestIdentifier": "11111111-2222-4333-8444-555555555555",
                    "storefrontCountryCodes": ["DEU", "USA"],
                ]),
            takesSlash: true,
            answers: [
                .init(200, "Accepted now or before.", .json(MassExtendRenewalDateAnswer.self)),
                unauthenticated,
            ],
            errors: [
                .invalidExtendByDays, .invalidExtendReasonCode, .invalidRequestIdentifier,
                .invalidProductID, .invalidEmptyStorefrontCountryCodeList,
                .invalidStorefrontCountryCode,
            ],
            perSecond: 1,
            .later { call in try await MassExtensions.ask(call) }),
        Endpoint(
            "GET", "/inApps/v1/subscriptions/extend/mass/:productId/:requestIdentifier",
            "getStatusOfRenewalDateExtensions",
            "Get Status of Subscription Renewal Date Extensions",
            answers: [
                .init(
                    200, "Whether it is complete, and then how many were extended.",
                    .json(MassExtendRenewalDateStatusAnswer.self)),
                unauthenticated,
            ],
            errors: [.invalidProductID, .invalidRequestIdentifier, .statusRequestNotFound],
            .later { call in
                try await MassExtensions.status(
                    call, call["requestIdentifier"], of: call["productId"])
            }),
        Endpoint(
            "PUT", "/inApps/v2/transactions/consumption/:transactionId",
            "sendConsumptionInformation", "Send Consumption Information",
            about: "Kept when a refund of the purchase was requested and is undecided.",
            body: RequestBody(
                .schema("ConsumptionRequest"),
                example: [
                    "consumptionPercentage": 40_000, "customerConsented": true,
                    "deliveryStatus": "DELIVERED", "refundPreference": "GRANT_PRORATED",
                    "sampleContentProvided": false,
                ]),
            answers: [.init(202, "Accepted."), unauthenticated],
            errors: [
                .invalidTransactionID, .appTransactionIDNotSupported,
                .familyTransactionNotSupported, .invalidCustomerConsented, .invalidDeliveryStatus,
                .invalidSampleContentProvided, .invalidRefundPreference,
                .consumptionPercentageAutoRenewableSubscription, .transactionIDNotFound,
            ],
            perSecond: 50,
            .later { call in
                try await ConsumptionReports.send(
                    call, call["transactionId"], ConsumptionReports.current)
            }),
        Endpoint(
            "PUT", "/inApps/v1/transactions/consumption/:transactionId",
            "sendConsumptionInformationV1", "Send Consumption Information, version 1",
            body: RequestBody(
                .schema("ConsumptionRequestV1"),
                example: [
                    "accountTenure": 0, "appAccountToken": "", "consumptionStatus": 1,
                    "customerConsented": true, "deliveryStatus": 0, "lifetimeDollarsPurchased": 0,
                    "lifetimeDollarsRefunded": 0, "platform": 1, "playTime": 0,
                    "sampleContentProvided": false, "userStatus": 1,
                ]),
            answers: [.init(202, "Accepted."), unauthenticated],
            errors: [
                .invalidTransactionID, .appTransactionIDNotSupported,
                .familyTransactionNotSupported, .invalidAccountTenure, .invalidAppAccountToken,
                .invalidConsumptionStatus, .invalidCustomerConsented, .invalidDeliveryStatus,
                .invalidLifetimeDollarsPurchased, .invalidLifetimeDollarsRefunded,
                .invalidPlatform, .invalidPlayTime, .invalidSampleContentProvided,
                .invalidUserStatus, .invalidRefundPreference, .invalidTransactionTypeNotSupported,
                .transactionIDNotFound,
            ],
            perSecond: 50,
            .later { call in
                try await ConsumptionReports.send(
                    call, call["transactionId"], ConsumptionReports.first)
            }),
    ]

    private static func history(
        _ path: String, _ name: String, _ summary: String, _ source: TransactionHistory.Source
    ) -> Endpoint<Scene> {
        Endpoint(
            "GET", path, name, summary,
            about: """
                In the order in which the transactions changed last: when they were bought, \
                replaced by another product or revoked. Ascending, the `revision` of any page can be \
                kept, and used later for what changed since.
                """,
            takes: [revision] + filters,
            answers: [
                .init(
                    200, "A page of the customer's transactions.",
                    .schema(listed(["hasMore", "revision", "bundleId", "environment"]))),
                unauthenticated,
            ],
            errors: [
                .invalidRequestRevision, .invalidTransactionID, .invalidStartDate,
                .invalidEndDate, .invalidSort, .invalidProductType, .invalidProductID,
                .invalidSubscriptionGroupIdentifier, .invalidExcludeRevoked,
                .invalidInAppOwnershipType, .invalidRevoked, .transactionIDNotFound,
                .accountNotFound,
            ],
            perSecond: 50,
            .raw { call, responder in
                try TransactionReading.history(
                    call, call["anyTransactionId"], source, responder)
            })
    }
}
