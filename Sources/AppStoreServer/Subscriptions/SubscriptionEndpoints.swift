import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum SubscriptionEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/subscriptions", "listSubscriptions",
            "Every subscription of the world, oldest first",
            takes: [.after],
            answers: ["A page of them."],
            refuses: [400: .badAfter],
            .now(SubscriptionService.list)
        ),
        Endpoint(
            "GET", "/subscriptions/:original", "getSubscription", "One of them",
            answers: ["As it is now."],
            refuses: [404: "`subscriptionUnknown`: none began with that transaction."],
            .now { try SubscriptionService.show($0, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/renew", "subscriptionRenew",
            "The next period begins now",
            about: "What was due is done before.",
            body: RequestBody(example: [:], isRequired: false),
            answers: ["As it is now."],
            refuses: [
                404: "`subscriptionUnknown`: none began with that transaction.",
                409: """
                `subscriptionNotActive`: its payment is owed, or it ended. \
                `subscriptionJustBegun`: its period begins at this very moment. \
                `subscriptionNotRenewed`: its product is not for sale, it has renewed as \
                often as the pace lets it, or the receipt is full. `subscriptionChanged`: \
                it is not as the body expects; nothing was done.
                """, 422: "`badField`: no transaction has such a number.",
            ],
            .later { try await SubscriptionService.renew($0, $1, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/expire", "subscriptionExpire",
            "The period ends now, and none follows",
            about: "What was due is done before.",
            answers: ["As it is now."],
            refuses: [
                404: "`subscriptionUnknown`: none began with that transaction.",
                409: "`subscriptionEnded`: the subscription can no longer be changed.",
            ],
            .later { try await SubscriptionService.change($0, .expire, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/cancel", "subscriptionCancel",
            "Its person turns renewal off",
            about: "What was due is done before.",
            answers: ["As it is now."],
            refuses: [
                404: "`subscriptionUnknown`: none began with that transaction.",
                409: "`subscriptionEnded`: the subscription can no longer be changed.",
            ],
            .later {
                try await SubscriptionService.change($0, .setAutoRenew(false), $0["original"])
            }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/resume", "subscriptionResume",
            "Its person turns renewal on",
            about: "What was due is done before.",
            answers: ["As it is now."],
            refuses: [
                404: "`subscriptionUnknown`: none began with that transaction.",
                409: "`subscriptionEnded`: the subscription can no longer be changed.",
            ],
            .later { try await SubscriptionService.change($0, .setAutoRenew(true), $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/fail-billing", "subscriptionFailBilling",
            "Its payments fail from now on",
            about: "What was due is done before.",
            answers: ["As it is now."],
            refuses: [404: "`subscriptionUnknown`: none began with that transaction."],
            .later {
                try await SubscriptionService.change($0, .setFailsBilling(true), $0["original"])
            }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/recover", "subscriptionRecover",
            "Its payments succeed again; what is owed is tried at once",
            about: "What was due is done before.",
            answers: ["As it is now."],
            refuses: [404: "`subscriptionUnknown`: none began with that transaction."],
            .later {
                try await SubscriptionService.change($0, .setFailsBilling(false), $0["original"])
            }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/choose", "subscriptionChoose",
            "Another product of its group at the renewal; the present one takes it back",
            about: "What was due is done before.",
            example: ["productId": "com.example.rocketcar.gold"],
            answers: ["As it is now."],
            refuses: [
                404: """
                `productUnknown`: the app has no such product. `subscriptionUnknown`: none \
                began with that transaction.
                """,
                409: """
                `subscriptionEnded`, `otherGroup`: the product is none of its group. \
                `productNotForSale`: nobody can buy it now.
                """,
            ],
            .later { try await SubscriptionService.choose($0, $1, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/extend", "subscriptionExtend",
            "Its period ends so many days later",
            about: "What was due is done before.",
            example: ["days": 10],
            answers: ["As it is now."],
            refuses: [
                404: "`subscriptionUnknown`: none began with that transaction.",
                409: """
                `subscriptionNotActive`: its payment is owed, or it ended. \
                `subscriptionChanged`: it is not as the body expects; nothing was done.
                """, 422: "`badField`: days is 1 to \(ExtendSubscriptionBody.daysMax).",
            ],
            .later { try await SubscriptionService.extend($0, $1, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/price-increase", "subscriptionPriceIncrease",
            "A higher price from the renewal on",
            about: "What was due is done before.",
            example: ["needsConsent": true, "price": "12.99"],
            answers: ["As it is now."],
            refuses: [
                404: "`subscriptionUnknown`: none began with that transaction.",
                409: """
                `subscriptionEnded`, `noPriceIncrease`: it is not above the present price. \
                `otherPricePending`: the person is asked about another one.
                """, 422: "`badPrice`: the price is none.",
            ],
            .later { try await SubscriptionService.increasePrice($0, $1, $0["original"]) }
        ),
        Endpoint(
            "PUT", "/apps/:app/grace-period", "setGracePeriod",
            "For how long an app serves who did not pay",
            example: ["days": 16],
            answers: ["As it is now."],
            refuses: [
                404: "`appUnknown`: the world has none of that identifier.",
                422: "`badField`: not so many days.",
            ],
            .later { try await SubscriptionService.setGracePeriod($0, $1, app: $0["app"]) }
        ),
    ]

}

extension SubscriptionsBody: Described {
    package static let notes: Notes = [
        "": ["example": ["subscriptions": []]],
        "subscriptions": ["maxItems": .integer(Limits.subscriptionsPerAnswerMax)],
        "next": [
            "minimum": 1, "description": "Where the next page continues; absent on the last.",
        ],
    ]
}

extension SubscriptionBody: Described {
    package static let notes: Notes = [
        "originalTransactionId": .component("TransactionID"),
        "transactionId": .component("TransactionID"),
        "expirationReason": ["type": "integer", "minimum": 1, "maximum": 5],
        "priceMilliunits": ["minimum": 0],
        "offer": "Of the current period.",
        "renewalPriceMilliunits": [
            "minimum": 0,
            "description": """
            Of the next renewal, with its offer; absent when it does not renew, or as \
            what is not for sale.
            """,
        ],
        "renewalCurrency": ["pattern": "^[A-Z]{3}$"],
        "failsBilling": "Whether its renewal payments are made to fail.",
        "paymentId": """
        The payment whose answer it waits for before anything else happens to it, also \
        when its period is over; absent when it waits for none.
        """,
        "renewals": ["minimum": 0, "description": "Since it was bought by hand."],
    ]
}

extension RenewSubscriptionBody: Described {
    package static let notes: Notes = [
        "expectedTransactionId": [
            "pattern": "^[1-9][0-9]{0,15}$",
            "description": """
            The newest period as it was seen: with another one by now, nothing is \
            done, so that the request can be sent twice.
            """,
        ]
    ]
}

extension ExtendSubscriptionBody: Described {
    package static let notes: Notes = [
        "expectedExpiresDate": """
        The end of the period as it was seen: with another one by now, nothing is \
        done, so that the request can be sent twice.
        """,
        "days": ["minimum": 1, "maximum": .integer(ExtendSubscriptionBody.daysMax)],
    ]
}

extension IncreaseSubscriptionPriceBody: Described {
    package static let notes: Notes = [
        "price": "A decimal, in its currency.",
        "needsConsent": "Whether the subscription ends unless the customer agrees.",
    ]
}

extension GracePeriodBody: Described {
    package static let notes: Notes = [
        "": ["example": ["days": 16]],
        "days": ["description": "Null or absent for none.", "enum": [3, 16, 28]],
    ]
}

extension SubscriptionOfferBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "periodsLeft": ["minimum": 0]
    ]
}

extension PriceIncreaseBody: Described {
    package static var schemaName: String? { nil }
    package static let notes: Notes = [
        "priceMilliunits": ["minimum": 0]
    ]
}
