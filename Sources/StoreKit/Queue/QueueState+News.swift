import StoreWire

// What happens at the store that is no purchase.
extension QueueState {
    /// The products that were taken back, each once, and the newest storefront.
    func news(
        _ updates: [UpdateBody], _ revision: Int64, _ customer: Customer
    ) -> [QueueAction] {
        guard world == nil || world == customer.worldId else { return [] }
        var actions: [QueueAction] = []
        if let revocations = Revocations(updates) {
            actions.append(.bringReceiptWithout(revocations, revision: revision, customer))
        }
        if let move = StorefrontMove(updates) {
            let pending = inOrder.filter { $0.stage == .atSheet }.map(\.key)
            actions.append(.changeStorefront(move, customer, asking: pending))
        }
        return actions
    }

    /// What nobody approved yet ends; what was approved is the store's to decide.
    mutating func notContinued(_ key: QueueKey) -> [QueueAction] {
        guard items[key]?.stage == .atSheet else { return [] }
        return fail(
            key,
            FailureReason(
                .storeProductNotAvailable, "The app does not sell in this storefront."))
    }
}
