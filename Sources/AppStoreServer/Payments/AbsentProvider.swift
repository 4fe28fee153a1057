import StoreRules

/// Stands for the provider of a world that was opened without the one it had: nobody answers. What
/// was to be bought is given up in its time, so that nothing waits for ever; what is to be captured,
/// let go of or given back waits for the provider.
struct AbsentProvider: PaymentProvider {
    func ask(_ request: ProviderRequest) -> ProviderOutcome {
        .unknown(why: "the store was started without --payment-gateway")
    }

    func close() {}
}
