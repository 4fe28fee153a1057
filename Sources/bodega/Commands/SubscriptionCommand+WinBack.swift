import StoreModel
import StoreWire

/// `bodega subscription win-back`
extension SubscriptionCommand {
    static func winBack(_ arguments: Arguments) throws {
        if arguments.positional.count > 2 {
            let words = try arguments.words("win-back", "id", "offer")
            return try change(words[1], "win-back", TakeWinBackBody(offerId: words[2]), arguments)
        }
        let id = try named(try arguments.words("win-back", "id")[1])
        let answer = try ControlClient(arguments).send("GET", "/subscriptions/\(id)/win-backs")
        try Answer.show(answer, as: WinBacksBody.self, arguments) { body in
            guard !body.offers.isEmpty else { return "no offer would win its person back now" }
            return Terminal.table(
                ["OFFER", "MODE", "PERIOD", "PERIODS", "PRICE"],
                body.offers.map {
                    [
                        $0.offerId ?? "", $0.paymentMode.rawValue, $0.period,
                        "\($0.numberOfPeriods)",
                        AmountWords.text($0.priceMilliunits, body.currency),
                    ]
                })
        }
    }
}
