import StoreWire

// Purchases that an offer code brings.
extension QueueState {
    /// The store has taken a code. What it sold is a purchase like those of other devices, told
    /// once its receipt is there; the news of it finds it known.
    mutating func codeRedeemed(_ redeemed: CodeRedemptionFlow.Redeemed) -> [QueueAction] {
        let customer = redeemed.customer
        guard world == nil || world == customer.worldId else { return [] }
        var keys: [QueueKey] = []
        // Another period than the one that goes on has begun, and nobody has finished it.
        if !redeemed.isForRenewal, redeemed.transaction.isFinished != true,
            let key = takeIn(redeemed.transaction, redeemed.receiptRevision, customer)
        {
            keys = [key]
        }
        return [.bringReceipt(keys, revision: redeemed.receiptRevision, customer)]
    }
}
