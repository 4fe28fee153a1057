import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum WinBackEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/subscriptions/:original/win-back", "subscriptionWinBack",
            "Its person takes an offer that wins back: a period begins at once",
            about: "What was due is done before.",
            takes: [
                Parameter(
                    .path, "original", "The number of its first transaction.",
                    schema: "TransactionID", example: "2000000000000000")
            ],
            body: RequestBody(.json(TakeWinBackBody.self), example: ["offerId": "come-back"]),
            answers: [Answer(200, "As it is now.", .json(SubscriptionBody.self))],
            refuses: [
                404: "`subscriptionUnknown`: none began with that transaction.",
                409: """
                `offerRefused`: it has no such offer, or goes on; the message says why.
                """,
            ]
        ) { WinBackControl.take($0, $1.named("original"), $2, $3) },
        Endpoint(
            "GET", "/subscriptions/:original/win-backs", "listWinBacks",
            "The offers that would win its person back now, the best first",
            about: "None while it goes on. What was due is done before.",
            takes: [
                Parameter(
                    .path, "original", "The number of its first transaction.",
                    schema: "TransactionID", example: "2000000000000000")
            ],
            answers: [
                Answer(200, "They are in the order of the catalogue.", .json(WinBacksBody.self))
            ],
            refuses: [404: "`subscriptionUnknown`: none began with that transaction."]
        ) { WinBackControl.list($0, $1.named("original"), $2, $3) },
    ]

}

extension WinBacksBody: Described {
    package static let notes: Notes = [
        "currency": ["pattern": "^[A-Z]{3}$"]
    ]
}
