/// What a person is asked to pay from the next renewal on.
struct PriceConsentPrompt: Hashable, Sendable {
    let productIdentifier: String
    /// The product's name; nil when the store did not tell.
    var title: String?
    /// Written out, like the new one.
    let oldPrice: String
    let newPrice: String
    let account: String
}
