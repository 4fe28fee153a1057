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
            example: ["offerId": "come-back"],
            answers: ["As it is now."],
            refuses: [
                404: "`subscriptionUnknown`: none began with that transaction.",
                409: """
                `offerRefused`: it has no such offer, or goes on; the message says why.
                """,
            ],
            .later { try await WinBackService.take($0, $1, $0["original"]) }
        ),
        Endpoint(
            "GET", "/subscriptions/:original/win-backs", "listWinBacks",
            "The win-back offers available to the customer now, best first",
            about: "None while it goes on. What was due is done before.",
            answers: [
                "They are in the order of the catalogue."
            ],
            refuses: [404: "`subscriptionUnknown`: none began with that transaction."],
            .later { try await WinBackService.list($0, $0["original"]) }
        ),
    ]

}

extension WinBacksBody: Described {
    package static let notes: Notes = [
        "currency": ["pattern": "^[A-Z]{3}$"]
    ]
}
