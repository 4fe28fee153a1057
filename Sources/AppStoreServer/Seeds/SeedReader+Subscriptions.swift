import StoreModel
import StoreService
import StoreWire

// Subscriptions by the state that they are in when the world begins.
extension SeedReader {
    func subscriptions(
        of root: JSONValue, apps: [WorldSeed.App], accounts: Set<String>, pace: RenewalPace?,
        at end: Timestamp
    ) throws -> [WorldSeed.Subscription] {
        var places: [String: JSONPath] = [:]
        var found: [WorldSeed.Subscription] = []
        for (item, path) in try objects(
            "subscriptions", of: root, countMax: WorldSeed.subscriptionsMax,
            keys: ["account", "bundleId", "productId", "state"])
        {
            let account = try required("account", of: item, at: path)
            guard accounts.contains(account) else {
                throw failure("is not a test account of this seed", at: path.appending("account"))
            }
            let bundleID = try bundleID(of: item, at: path, apps: apps)
            guard let app = apps.first(where: { $0.bundleID == bundleID }) else {
                preconditionFailure("an app's identifier was checked")
            }
            let state = try required("state", of: item, at: path)
            guard let goal = SubscriptionGoal(rawValue: state) else {
                let known = SubscriptionGoal.allCases.map(\.rawValue)
                throw failure(
                    "is not \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")",
                    at: path.appending("state"))
            }
            let cast = try cast(item, for: goal, in: app, at: path)
            guard goal != .grace || app.gracePeriod != nil else {
                throw failure(
                    "needs gracePeriodDays of \(bundleID)", at: path.appending("state"))
            }
            let key = [account, bundleID, cast.product.subscriptionGroup ?? ""]
            if let first = places.updateValue(path, forKey: key.joined(separator: "\n")) {
                throw failure(
                    "subscribes to this group already, at \(first)", at: path.appending("account"))
            }
            found.append(
                WorldSeed.Subscription(
                    account: account, bundleID: bundleID, goal: goal, cast: cast,
                    at: goal.purchaseTime(
                        of: cast.product, reachedAt: end, pace: pace ?? .usual(in: .sandbox),
                        grace: app.gracePeriod), place: path))
        }
        return found
    }

    private func cast(
        _ item: JSONValue, for goal: SubscriptionGoal, in app: WorldSeed.App, at path: JSONPath
    ) throws -> SubscriptionGoal.Cast {
        let products = app.catalogue.products
        guard let name = try text("productId", of: item, at: path) else {
            guard let cast = goal.cast(from: products) else {
                throw failure(
                    "\(app.bundleID) has no subscription \(goal.wanted)",
                    at: path.appending("state"))
            }
            return cast
        }
        let named = products.first { $0.id.rawValue == name && $0.kind == .autoRenewable }
        guard let named else {
            throw failure(
                "is not a subscription of \(app.bundleID)", at: path.appending("productId"))
        }
        guard let cast = goal.cast(named, from: products) else {
            throw failure(
                "is not a subscription \(goal.wanted)", at: path.appending("productId"))
        }
        return cast
    }

    /// The purchases that lead to a subscription's state.
    func leadingPurchases(
        to subscription: WorldSeed.Subscription, number: Int
    ) throws -> [WorldSeed.Purchase] {
        let products = [subscription.cast.product, subscription.cast.better].compactMap { $0 }
        return try products.enumerated().map { step, product in
            try checking(subscription.place) {
                WorldSeed.Purchase(
                    account: subscription.account, bundleID: subscription.bundleID,
                    request: try PurchaseRequest(
                        AttemptRequestBody(
                            attemptId: Self.uuid(from: "subscription/\(number)/\(step)"),
                            productId: product.id.rawValue, quantity: 1,
                            applicationUsername: nil)),
                    guid: Self.device(of: subscription.account, in: subscription.bundleID),
                    at: subscription.at, isFinished: true,
                    changes: subscription.goal.changes,
                    isRefunded: subscription.goal == .refunded, place: subscription.place)
            }
        }
    }
}

extension SubscriptionGoal {
    /// What is changed right after the purchase.
    fileprivate var changes: [SubscriptionChange] {
        switch self {
        case .grace, .retry: [.setFailsBilling(true)]
        case .expired: [.setAutoRenew(false)]
        case .trial, .active, .refunded, .upgraded: []
        }
    }
}
