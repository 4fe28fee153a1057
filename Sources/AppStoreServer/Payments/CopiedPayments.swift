import StoreRules

/// Ends the payments that a test session was copied with. They are another world's: here nobody is
/// asked for money, and nobody gives it back.
struct CopiedPayments: PaymentProvider {
    func ask(_ request: ProviderRequest) -> ProviderOutcome {
        switch request {
        case .authorize: .declined(reason: "a copy of a world asks nobody for money")
        case .capture, .void, .refund: .approved(reference: nil)
        }
    }

    func close() {}
}
