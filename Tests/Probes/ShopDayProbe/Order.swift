/// One thing that the app was told to do.
enum Order {
    /// Asks for a product under a name of its own, by which the purchase can be told from all
    /// others.
    case buy(product: String, quantity: Int, name: String)
    case restore

    /// `PRODUCT*QUANTITY=NAME`, or `restore`; nil for anything else.
    init?(_ word: String) {
        if word == "restore" {
            self = .restore
            return
        }
        guard let match = word.wholeMatch(of: /([^*=]+)\*([0-9]+)=([^*=]+)/),
            let quantity = Int(match.2)
        else { return nil }
        self = .buy(product: String(match.1), quantity: quantity, name: String(match.3))
    }
}
