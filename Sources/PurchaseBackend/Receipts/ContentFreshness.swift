import StoreDatabase
import StoreModel

/// Has the store asked before content is given, and before subscriptions are listed as served,
/// unless it answered a moment ago.
struct ContentFreshness: Sendable {
    let database: Database
    let products: ProductList
    let subscriptions: CheckWorker<SubscriptionChecker>
    let grants: CheckWorker<GrantChecker>
    let timings: BackendTimings
    let clock: WallClock

    /// Whether the store must be asked about what a user owns of a product.
    func isStale(_ product: String, of user: BackendUserID) throws -> Bool {
        guard let listed = products[product], listed.content != nil else { return false }
        return try database.read { scope in
            guard listed.kind == .autoRenewable else {
                return try staleGrant(scope, of: product, user) != nil
            }
            return try !staleSubscriptions(scope, of: product, user).isEmpty
        }
    }

    /// Asks; blocks for some calls to the store. One that gives no answer changes nothing.
    func renew(_ product: String, of user: BackendUserID) throws {
        guard products[product]?.kind == .autoRenewable else {
            // Until one stands: that is enough for the content.
            for _ in 0..<BackendLimits.contentChecksMax {
                let stale = try database.read { try staleGrant($0, of: product, user) }
                guard let stale else { return }
                try grants.checks.check(stale)
            }
            return
        }
        try renew(try database.read { try staleSubscriptions($0, of: product, user) })
    }

    /// The subscriptions of a user to ask about before they are listed: of each environment the one
    /// that was not asked about for the longest time. Its answer tells the store's clock, by which
    /// the others are asked about, too.
    func staleSubscriptions(of user: BackendUserID) throws -> [SubscriptionKey] {
        try database.read { scope in
            let clocks = try Clocks(scope, clock.now())
            let served = try SubscriptionRecords.of(user, scope).filter {
                $0.facts.state(at: max(clocks.now($0.key.environment), $0.facts.answeredAt))
                    .isServed
            }
            let oldest = Dictionary(grouping: served, by: \.key.environment).values.compactMap {
                $0.min { $0.checkedAt < $1.checkedAt }
            }
            return oldest.filter { row in
                isOld(row.checkedAt, timings.listFreshMilliseconds)
                    && !isPutOff(row.failures, until: row.nextCheckAt)
            }.map(\.key)
        }
    }

    /// Asks about subscriptions; blocks for a call each.
    func renew(_ keys: [SubscriptionKey]) throws {
        for key in keys { try subscriptions.checkNow(key) }
    }

    private func staleGrant(
        _ scope: borrowing ReadScope, of product: String, _ user: BackendUserID
    ) throws -> CheckedGrant? {
        let newest = try GrantCheckRecords.newest(scope, of: product, by: user)
        return newest.flatMap { grant in
            isOld(grant.askedAt, timings.contentFreshMilliseconds)
                && !isPutOff(grant.failures, until: grant.nextCheckAt) ? grant : nil
        }
    }

    private func staleSubscriptions(
        _ scope: borrowing ReadScope, of product: String, _ user: BackendUserID
    ) throws -> [SubscriptionKey] {
        try SubscriptionRecords.of(user, scope)
            .filter { row in
                row.facts.productID == product
                    && isOld(row.checkedAt, timings.contentFreshMilliseconds)
                    && !isPutOff(row.failures, until: row.nextCheckAt)
            }.map(\.key)
    }

    /// One in the future was written before the clock was put back.
    private func isOld(_ moment: Timestamp?, _ milliseconds: Int64) -> Bool {
        guard let moment else { return true }
        let age = clock.now().milliseconds - moment.milliseconds
        return age >= milliseconds || age < 0
    }

    /// Whether the last check failed and another is planned: a store in trouble holds up nobody.
    private func isPutOff(_ failures: Int64, until next: Timestamp?) -> Bool {
        failures > 0 && next.map { $0 > clock.now() } ?? false
    }
}
