import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum RedemptionEndpoints: StoreEndpoints {
    static let environment: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/device/v1/offer-codes/redeem", "redeemOfferCode",
            "Redeem an offer code, under an id that the device made and stored first",
            about: """
                A purchase of the code's product at its offer's price. A repeated request with the \
                same id and code is answered with the attempt's present state. It never waits for \
                approval.
                """,
            takes: [.signedPurchase],
            body: RequestBody(
                .json(RedeemOfferCodeBody.self),
                example: ["attemptId": "11111111-2222-4333-8444-555555555555", "code": "SPRING26"]),
            answers: [
                Answer(
                    200,
                    """
                    The attempt's present state; its transaction is the present period when the \
                    offer begins with the next renewal.
                    """, .json(AttemptAnswerBody.self))
            ],
            refuses: [
                400: """
                `badQuery`: `signed` is neither true nor false. `badBody`: the body is not as \
                described; the message says where.
                """,
                404: "`offerCodeUnknown`: the app has no such code.",
                409: "`attemptIdReused`: the id was used with another code or account.",
                422: .badField,
                429: .whole(
                    """
                    `tooManyRedemptions`: an account may try \(Limits.redemptionsAtOnceMax) \
                    codes at once and \(Limits.redemptionsPerMinuteMax) a minute.
                    """,
                    headers: [
                        "Retry-After": [
                            "required": true, "description": "Seconds.",
                            "schema": ["type": "integer", "minimum": 1],
                        ]
                    ]),
            ],
            .later(RedemptionService.redeem)
        )
    ]

    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/apps/:app/offer-codes/redeem", "redeemForAccount",
            "Redeem an offer code for an account",
            about: """
                As the customer would on a device. A repeated request for the same account gets \
                the same answer.
                """,
            example: ["name": "buyer@example.com", "code": "SPRING26"],
            answers: ["Redeemed, now or before."],
            refuses: [
                404: """
                `appUnknown`, `accountUnknown`, `offerCodeUnknown`: the app, the account or the \
                code does not exist.
                """,
                409: """
                `offerRefused`: the account is not eligible; the message says why. `noDevice`: the \
                account has no device in the app.
                """,
            ],
            .later { try await RedemptionService.redeem($0, $1, app: $0["app"]) }
        )
    ]

    static let schemas: KeyValuePairs<String, JSONValue> = [
        "TypedOfferCode": [
            "type": "string",
            "description": """
            Case does not matter. A malformed code is answered as an unknown one.
            """,
        ]
    ]
}

extension RedeemOfferCodeBody: Described {
    package static let notes: Notes = [
        "attemptId": .component("UUID"),
        "code": .component("TypedOfferCode"),
    ]
}

extension RedeemForAccountBody: Described {
    package static let notes: Notes = [
        "environment": "`sandbox` when null or absent.",
        "code": .component("TypedOfferCode"),
    ]
}

extension TakenOfferBody: Described {
    package static let notes: Notes = [
        "": [
            "example": [
                "account": "buyer@example.com", "environment": "sandbox", "offerId": "Spring fair",
                "productId": "com.example.rocketcar.club", "transactionId": "2000000000000000",
            ]
        ],
        "transactionId": .component(
            "TransactionID", "Absent when the offer begins with the next renewal."),
    ]
}
