import StoreHTTP
import StoreModel
import StoreRules
package import StoreService
package import StoreWire

enum WinBackEndpoints: StoreEndpoints {
    static let control: [Endpoint<Scene>] = [
        Endpoint(
            "POST", "/subscriptions/:original/win-back", "subscriptionWinBack",
            "Take a win-back offer, as the customer would: a period begins at once",
            about: "Due renewals are settled first.",
            example: ["offerId": "come-back"],
            answers: ["As it is now."],
            refuses: [
                409: """
                `offerRefused`: it has no such offer, or is still active; the message says why. \
                `accountDeleted`: the account was deleted.
                """
            ],
            .later { try await WinBackService.take($0, $1, $0["original"]) }
        ),
        Endpoint(
            "GET", "/subscriptions/:original/win-backs", "listWinBacks",
            "The win-back offers available to the customer now, best first",
            about: "Empty while it is active. Due renewals are settled first.",
            answers: [
                "The offers, in the order of the catalogue."
            ],
            .later { try await WinBackService.list($0, $0["original"]) }
        ),
    ]

}

extension WinBacksBody: Described {
    package static let notes: Notes = [
        "currency": ["pattern": "^[A-Z]{3}$"]
    ]
}
