/// A product on the shelf.
struct Offer: Equatable {
    enum Holding: Equatable {
        case none
        case owned
        case litres(Int)
        /// The payment is with the store.
        case paying
        /// Somebody else has to say yes.
        case waitingForApproval
        /// Paid for, and on its way into the game.
        case arriving
        /// Paid for; it could not be delivered and is tried again.
        case undelivered
    }

    let product: String
    let title: String
    let detail: String
    /// What 1, 2, 3, … of it cost, as the person's country writes it.
    let prices: [String]
    var holding = Holding.none

    var quantityMax: Int { max(prices.count, 1) }

    func price(of quantity: Int) -> String {
        prices.indices.contains(quantity - 1) ? prices[quantity - 1] : ""
    }
}
