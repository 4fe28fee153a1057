/// A product on the shelf.
struct Offer: Equatable {
    enum Holding: Equatable {
        case none
        case owned
        case litres(Int)
        /// The payment is with the store.
        case paying
        /// Another person must approve.
        case waitingForApproval
        /// Paid for, and on its way into the game.
        case arriving
        /// Paid for; the delivery failed and will be retried.
        case undelivered
    }

    let product: String
    let title: String
    let detail: String
    /// The prices of 1, 2, 3, … of it, in the customer's local format.
    let prices: [String]
    var holding = Holding.none

    var quantityMax: Int { max(prices.count, 1) }

    func price(of quantity: Int) -> String {
        prices.indices.contains(quantity - 1) ? prices[quantity - 1] : ""
    }
}
