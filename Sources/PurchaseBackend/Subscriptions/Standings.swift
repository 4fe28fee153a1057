import StoreDatabase
import StoreModel
import StoreWire

/// How the subscriptions of users stand, and what that gives them.
struct Standings: Sendable {
    let products: ProductList
    let clock: WallClock

    /// Every subscription of a user: auto-renewable ones as the store told of them, then for each
    /// service the non-renewing ones together.
    func all(
        of user: BackendUserID, _ scope: borrowing ReadScope
    ) throws -> [UserSubscriptionBody] {
        let clocks = try Clocks(scope, clock.now())
        return try SubscriptionQueries.of(user, scope).map { body($0, clocks) }
            + nonRenewing(of: user, scope, clocks)
    }

    /// How what was granted for a submission stands; nil for a product that has no end.
    func one(
        of submission: SubmissionRow, _ scope: borrowing ReadScope
    ) throws -> UserSubscriptionBody? {
        guard let product = products[submission.claim.productID], product.ends else { return nil }
        if product.kind == .autoRenewable {
            let row = try SubscriptionQueries.of(submission.id, scope)
            let clocks = try Clocks(scope, clock.now())
            return row.map { body($0, clocks) }
        }
        let environment = try SubmissionQueries.environment(submission.id, scope)
        return try nonRenewing(of: submission.user, scope, Clocks(scope, clock.now())).first {
            $0.service == product.service && $0.environment == environment?.wireName
        }
    }

    /// Whether a user gets a product now, which was granted and not refunded.
    func isServed(
        _ product: BackendProduct, to user: BackendUserID, _ scope: borrowing ReadScope
    ) throws -> Bool {
        guard product.ends else { return true }
        return try all(of: user, scope).contains { body in
            guard body.isServed else { return false }
            return product.kind == .autoRenewable
                ? body.productId == product.id
                : body.kind == product.kind.rawValue && body.service == product.service
        }
    }

    /// One auto-renewable subscription, by the store's clock.
    func body(_ row: SubscriptionRow, _ clocks: Clocks) -> UserSubscriptionBody {
        let facts = row.facts
        // The iOS 6 style sets no clock, but says on which side of the end it is.
        let state = facts.state(at: max(clocks.now(row.key.environment), facts.answeredAt))
        var body = UserSubscriptionBody(
            productId: facts.productID, kind: ProductKind.autoRenewable.rawValue,
            service: products[facts.productID]?.service ?? facts.productID,
            environment: row.key.environment.wireName, state: state.wire,
            isServed: state.isServed, expires: facts.expiresAt.milliseconds)
        if state == .gracePeriod {
            body.gracePeriodEnds = facts.renewal.graceEndsAt?.milliseconds
        }
        body.autoRenews = facts.renewal.renews
        if facts.renewal.renews == true { body.renewsAs = facts.renewal.renewsAs }
        if case .expired(let reason?) = state { body.reason = reason.code }
        if state == .revoked { body.revokedAt = facts.revocation?.at.milliseconds }
        body.transactionId = facts.transactionID
        body.originalTransactionId = row.key.original
        return body
    }

    private func nonRenewing(
        of user: BackendUserID, _ scope: borrowing ReadScope, _ clocks: Clocks
    ) throws -> [UserSubscriptionBody] {
        struct Service: Hashable {
            let name: String
            let environment: StoreEnvironment
        }
        var names: [Service] = []
        var bought: [Service: [(grant: GrantRow, purchase: NonRenewingPurchase)]] = [:]
        for grant in try GrantQueries.nonRenewing(scope, by: user) {
            guard let product = products[grant.productID], let listed = product.length,
                let environment = StoreEnvironment(rawValue: grant.environment)
            else { continue }
            let service = Service(name: product.service, environment: environment)
            if bought[service] == nil { names.append(service) }
            let purchase = NonRenewingPurchase(
                purchasedAt: grant.purchasedAt ?? grant.grantedAt, quantity: grant.quantity,
                length: grant.length ?? listed)
            bought[service, default: []].append((grant, purchase))
        }
        return names.compactMap { service in
            guard let all = bought[service], let last = all.last,
                let end = NonRenewingRules.end(of: all.map(\.purchase))
            else { return nil }
            let isServed = clocks.now(service.environment) < end
            return UserSubscriptionBody(
                productId: last.grant.productID, kind: ProductKind.nonRenewing.rawValue,
                service: service.name, environment: service.environment.wireName,
                state: isServed ? .active : .expired, isServed: isServed,
                expires: end.milliseconds)
        }
    }
}

/// The store's clocks at one moment of ours.
struct Clocks: Sendable {
    private let production: Timestamp
    private let sandbox: Timestamp

    init(_ scope: borrowing ReadScope, _ now: Timestamp) throws {
        production = try StoreClockQueries.now(scope, .production, at: now)
        sandbox = try StoreClockQueries.now(scope, .sandbox, at: now)
    }

    func now(_ environment: StoreEnvironment) -> Timestamp {
        environment == .production ? production : sandbox
    }
}

extension SubscriptionState {
    /// The state's name on the wire.
    fileprivate var wire: UserSubscriptionBody.State {
        switch self {
        case .active: .active
        case .gracePeriod: .gracePeriod
        case .billingRetry: .billingRetry
        case .expired: .expired
        case .revoked: .revoked
        case .unconfirmed: .unconfirmed
        }
    }
}
