import StoreKit

/// Several questions at once, and answers that end early.
public enum Collectors {
    /// The latest verified transaction of each product.
    public static func latest(
        of identifiers: [Product.ID]
    ) async -> [Product.ID: Transaction] {
        await withTaskGroup(of: (Product.ID, VerificationResult<Transaction>?).self) { group in
            for identifier in identifiers {
                group.addTask { (identifier, await Transaction.latest(for: identifier)) }
            }
            return await group.reduce(into: [:]) { found, answer in
                if case .verified(let transaction)? = answer.1 { found[answer.0] = transaction }
            }
        }
    }

    /// The states of some groups.
    public static func states(
        of groups: Set<String>
    ) async throws -> [String: [Product.SubscriptionInfo.RenewalState]] {
        try await withThrowingTaskGroup { group in
            for id in groups {
                group.addTask { (id, try await Product.SubscriptionInfo.status(for: id)) }
            }
            var states: [String: [Product.SubscriptionInfo.RenewalState]] = [:]
            for try await (id, statuses) in group { states[id] = statuses.map(\.state) }
            return states
        }
    }

    public static func hasUnfinished() async -> Bool {
        for await _ in Transaction.unfinished { return true }
        return false
    }

    public static func owns(_ identifier: Product.ID) async -> Bool {
        await Transaction.currentEntitlements.contains {
            $0.unsafePayloadValue.productID == identifier
        }
    }

    public static func spent() async -> Decimal {
        await Transaction.all
            .compactMap { try? $0.payloadValue }
            .filter { $0.revocationDate == nil }
            .reduce(0) { $0 + ($1.price ?? 0) * Decimal($1.purchasedQuantity) }
    }

    @MainActor
    public static func firstUpdate() async -> VerificationResult<Transaction>? {
        var iterator = Transaction.updates.makeAsyncIterator()
        return await iterator.next()
    }

    /// Until the first group with a paid subscription.
    public static func paidGroup() async -> String? {
        for await (groupID, statuses) in Product.SubscriptionInfo.Status.all
        where statuses.contains(where: { $0.state == .subscribed }) {
            return groupID
        }
        return nil
    }

    public static func countries() -> AsyncStream<String> {
        AsyncStream { continuation in
            let task = Task {
                if let now = await Storefront.current { continuation.yield(now.countryCode) }
                for await storefront in Storefront.updates {
                    continuation.yield(storefront.countryCode)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    public static func askedForConsent() async -> Bool {
        for await message in Message.messages {
            switch message.reason {
            case .priceIncreaseConsent: return true
            case .generic, .billingIssue, .winBackOffer: continue
            default: continue
            }
        }
        return false
    }

    public static func isNewCustomer(in group: String) async -> Bool {
        guard AppStore.canMakePayments else { return false }
        return await Product.SubscriptionInfo.isEligibleForIntroOffer(for: group)
    }
}
