/// What is posted with an attempt beside the payment, kept so that each post says the same.
struct AttemptTerms: Codable, Hashable, Sendable {
    /// Nil when the sheet showed no price.
    let shownPrice: ShownPrice?
    let simulatesAskToBuy: Bool
}
