import StoreWire

// News from the store other than purchases.
extension QueueState {
    /// The revoked products, each once, and the newest storefront.
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

    /// An unapproved payment ends; an approved one is for the store to decide.
    mutating func notContinued(_ key: QueueKey) -> [QueueAction] {
        guard items[key]?.stage == .atSheet else { return [] }
        return fail(
            key,
            FailureReason(
                .storeProductNotAvailable, "The app does not sell in this storefront."))
    }
}
