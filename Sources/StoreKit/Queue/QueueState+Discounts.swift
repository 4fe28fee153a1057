// Payments with promotional offers.
extension QueueState {
    /// Why a payment never reaches the sheet; nil when it may.
    ///
    /// The store knows no offers yet. To pass over one would charge the full price for it.
    static func refusal(of payment: PaymentContents) -> FailureReason? {
        guard let discount = payment.discount else { return nil }
        return FailureReason(
            .invalidOfferIdentifier,
            "The store knows no offer \(discount.identifier), so nothing was bought.")
    }
}
