import StoreKit

/// What the customer may use, kept in an actor that listens for updates.
public actor EntitlementKeeper {
    public private(set) var entitled: [String: StoreKit.Transaction] = [:]
    private var listener: Task<Void, Never>?
    private var statusListener: Task<Void, Never>?

    public init() {}

    deinit {
        listener?.cancel()
        statusListener?.cancel()
    }

    public func start() {
        guard listener == nil else { return }
        listener = Task(priority: .background) { [weak self] in
            for await result in Transaction.updates {
                guard let self else { return }
                await handle(result)
            }
        }
        statusListener = Task { [weak self] in
            for await status in Product.SubscriptionInfo.Status.updates {
                await self?.note(status)
            }
        }
    }

    public func refresh() async {
        var found: [String: StoreKit.Transaction] = [:]
        for await case .verified(let transaction) in Transaction.currentEntitlements
        where transaction.revocationDate == nil {
            found[transaction.productID] = transaction
        }
        entitled = found
    }

    private func handle(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        if let end = transaction.expirationDate, end < .now { return }
        entitled[transaction.productID] =
            transaction.revocationDate == nil && !transaction.isUpgraded ? transaction : nil
        await transaction.finish()
    }

    private func note(_ status: Product.SubscriptionInfo.Status) {
        guard let renewal = try? status.renewalInfo.payloadValue else { return }
        switch status.state {
        case .subscribed, .inGracePeriod: return
        case .expired, .revoked, .inBillingRetryPeriod:
            entitled[renewal.currentProductID] = nil
        default: return
        }
    }
}
