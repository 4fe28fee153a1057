import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum SubscriptionEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "GET", "/subscriptions", "listSubscriptions",
            "The subscriptions of the world, or of an account, oldest first",
            takes: [
                .after, .ofAccount,
                Parameter(
                    .query, "environment", "The account's; `sandbox` when absent.",
                    schema: "Environment", example: "sandbox"),
            ],
            answers: ["A page of them."],
            refuses: [
                400: """
                `badQuery`: `after` is not a whole number from 0 up, or `environment` is unknown.
                """,
                404: "`accountUnknown`: the environment has no account of that name.",
            ],
            .now(SubscriptionService.list)
        ),
        Endpoint(
            "GET", "/subscriptions/:original", "getSubscription", "A subscription",
            answers: ["As it is now."],
            .now { try SubscriptionService.show($0, $0["original"]) }
        ),
        Endpoint(
            "GET", "/subscriptions/:original/timeline", "getSubscriptionTimeline",
            "A subscription's history and its next steps",
            about: """
                The newest \(SubscriptionTimeline.rowsMax) periods and as many events, or those \
                before an earlier page's, and at most \(SubscriptionTimeline.stepsMax) things that \
                will happen by themselves: by the rules, with the catalogue, the pace and the \
                customer's choices as they are. Payments are \
                expected to succeed, unless they are made to fail. What is due is not settled first.
                """,
            takes: [
                Parameter(
                    .query, "after", "The `older` of the previous page; 0 when absent.",
                    schema: ["type": "string", "pattern": .string(NumberPair.pattern)],
                    example: "0")
            ],
            answers: ["As it is now."],
            refuses: [400: "`badQuery`: `after` is not the `older` of an earlier page, nor 0."],
            .now { try SubscriptionTimeline.show($0, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/renew", "subscriptionRenew",
            "Begin the next period now",
            about: "Due renewals are settled first.",
            body: RequestBody(example: [:], isRequired: false),
            answers: ["As it is now."],
            refuses: [
                409: """
                `subscriptionNotActive`: its payment is owed, or it has ended. \
                `subscriptionJustBegun`: its period begins at this very moment. \
                `subscriptionNotRenewed`: its product is not for sale, it has renewed as often as \
                the pace allows, or the receipt is full. `subscriptionChanged`: it is not as the \
                body expects; nothing was done.
                """, 422: "`badField`: `expectedTransactionId` is not a transaction's number.",
            ],
            .later { try await SubscriptionService.renew($0, $1, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/expire", "subscriptionExpire",
            "End the period now, with no other to follow",
            about: "Due renewals are settled first.",
            body: RequestBody(example: ["expirationReason": 5], isRequired: false),
            answers: ["As it is now."],
            refuses: [
                409: "`subscriptionEnded`: the subscription can no longer be changed.",
                422: "`badField`: `expirationReason` is not 1 to 5.",
            ],
            .later { try await SubscriptionService.expire($0, $1, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/cancel", "subscriptionCancel",
            "Turn renewal off, as the customer would",
            about: "Due renewals are settled first.",
            answers: ["As it is now."],
            refuses: [
                409: "`subscriptionEnded`: the subscription can no longer be changed."
            ],
            .later {
                try await SubscriptionService.change($0, .setAutoRenew(false), $0["original"])
            }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/resume", "subscriptionResume",
            "Turn renewal on, as the customer would",
            about: "Due renewals are settled first.",
            answers: ["As it is now."],
            refuses: [
                409: "`subscriptionEnded`: the subscription can no longer be changed."
            ],
            .later { try await SubscriptionService.change($0, .setAutoRenew(true), $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/fail-billing", "subscriptionFailBilling",
            "Make its payments fail from now on",
            about: "Due renewals are settled first.",
            answers: ["As it is now."],
            .later {
                try await SubscriptionService.change($0, .setFailsBilling(true), $0["original"])
            }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/recover", "subscriptionRecover",
            "Let its payments succeed again; an owed payment is tried at once",
            about: "Due renewals are settled first.",
            answers: ["As it is now."],
            refuses: [
                409: "`accountFailsRenewals`: every renewal of its account is made to fail."
            ],
            .later {
                try await SubscriptionService.change($0, .setFailsBilling(false), $0["original"])
            }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/choose", "subscriptionChoose",
            "Choose another product of its group for the renewal; the present one cancels the choice",
            about: "Due renewals are settled first.",
            example: ["productId": "com.example.rocketcar.gold"],
            answers: ["As it is now."],
            refuses: [
                404: """
                `productUnknown`: the app has no such product. `subscriptionUnknown`: no \
                subscription began with that transaction.
                """,
                409: """
                `subscriptionEnded`, `otherGroup`: the product is not in its group. \
                `productNotForSale`: it cannot be bought now.
                """,
            ],
            .later { try await SubscriptionService.choose($0, $1, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/extend", "subscriptionExtend",
            "Extend its period by some days",
            about: "Due renewals are settled first.",
            example: ["days": 10],
            answers: ["As it is now."],
            refuses: [
                409: """
                `subscriptionNotActive`: its payment is owed, or it has ended. \
                `subscriptionChanged`: it is not as the body expects; nothing was done.
                """, 422: "`badField`: days is 1 to \(ExtendSubscriptionBody.daysMax).",
            ],
            .later { try await SubscriptionService.extend($0, $1, $0["original"]) }
        ),
        Endpoint(
            "POST", "/subscriptions/:original/price-increase", "subscriptionPriceIncrease",
            "Raise its price from the renewal on",
            about: "Due renewals are settled first.",
            example: ["needsConsent": true, "price": "12.99"],
            answers: ["As it is now."],
            refuses: [
                409: """
                `subscriptionEnded`, `noPriceIncrease`: it is not above the present price. \
                `otherPricePending`: the customer is being asked about another price.
                """, 422: "`badPrice`: not a price that the currency can express.",
            ],
            .later { try await SubscriptionService.increasePrice($0, $1, $0["original"]) }
        ),
        Endpoint(
            "PUT", "/apps/:app/grace-period", "setGracePeriod",
            "Set an app's grace period for unpaid subscriptions",
            example: ["days": 16],
            answers: ["As it is now."],
            refuses: [
                404: "`appUnknown`: the world has no app with that identifier.",
                422: "`badField`: the grace period cannot have that many days.",
            ],
            .later { try await SubscriptionService.setGracePeriod($0, $1, app: $0["app"]) }
        ),
    ]

}

extension SubscriptionTimelineBody: Described {
    package static let notes: Notes = [
        "periods": [
            "maxItems": .integer(SubscriptionTimeline.rowsMax),
            "description": "The transactions that paid for them, oldest first.",
        ],
        "events": [
            "maxItems": .integer(SubscriptionTimeline.rowsMax), "description": "Oldest first.",
        ],
        "older": [
            "pattern": .string(NumberPair.pattern),
            "description": """
            The `after` of the page with older periods and events; absent on the last.
            """,
        ],
        "next": ["maxItems": .integer(SubscriptionTimeline.stepsMax)],
    ]
}

extension SubscriptionStepBody: Described {
    package static let notes: Notes = [
        "kind": .oneOf(Kind.allCases.map(\.rawValue)),
        "at": "By the world's clock.",
        "productId": "Of a renewal.",
        "offer": "Of the period that a renewal begins.",
        "expirationReason": "Of an expiry, as in receipts' `expiration_intent`.",
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
        "offer": "The offer of the current period.",
        "renewalPriceMilliunits": [
            "minimum": 0,
            "description": """
            The price of the next renewal, with its offer; absent when it does not renew, or when \
            the product is not for sale.
            """,
        ],
        "renewalCurrency": ["pattern": "^[A-Z]{3}$"],
        "failsBilling": "Whether its renewal payments are made to fail.",
        "paymentId": """
        The payment whose answer it waits for before anything else happens to it, even when its \
        period is over; absent when it waits for none.
        """,
        "renewals": ["minimum": 0, "description": "Renewals since it was bought by hand."],
    ]
}

extension ExpireSubscriptionBody: Described {
    package static let notes: Notes = [
        "expirationReason": [
            "minimum": 1, "maximum": 5,
            "description": """
            As in receipts' `expiration_intent`: 1 when absent, as if the customer had turned \
            renewal off.
            """,
        ]
    ]
}

extension RenewSubscriptionBody: Described {
    package static let notes: Notes = [
        "expectedTransactionId": [
            "pattern": "^[1-9][0-9]{0,15}$",
            "description": """
            The newest period that the caller has seen: when there is another by now, nothing is \
            done, so that the request can be repeated safely.
            """,
        ]
    ]
}

extension ExtendSubscriptionBody: Described {
    package static let notes: Notes = [
        "expectedExpiresDate": """
        The end of the period that the caller has seen: when it is another by now, nothing is \
        done, so that the request can be repeated safely.
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
