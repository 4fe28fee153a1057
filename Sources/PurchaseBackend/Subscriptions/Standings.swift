import StoreDatabase
import StoreModel
import StoreWire

/// The state of users' subscriptions, and whether they are served.
struct Standings: Sendable {
    let products: ProductList
    let clock: WallClock

    /// Every subscription of a user: auto-renewable ones as the store reported them, then for each
    /// service the non-renewing ones together.
    func all(
        of user: BackendUserID, _ scope: borrowing ReadScope
    ) throws -> [UserSubscriptionBody] {
        let clocks = try Clocks(scope, clock.now())
        let grants = try GrantRecords.nonRenewing(scope, by: user)
        return try SubscriptionRecords.of(user, scope).map { body($0, clocks) }
            + nonRenewing(grants, clocks)
    }

    /// The state of a submission's grant; nil for a purchase without an end.
    func one(
        of submission: SubmissionRow, _ scope: borrowing ReadScope
    ) throws -> UserSubscriptionBody? {
        // A product that left the list may have been a subscription of either kind.
        let listed = products[submission.claim.productID]
        guard listed.map({ [.autoRenewable, .nonRenewing].contains($0.kind) }) ?? true else {
            return nil
        }
        let clocks = try Clocks(scope, clock.now())
        let row = try SubscriptionRecords.of(submission.id, scope)
        if row != nil || listed?.kind == .autoRenewable { return row.map { body($0, clocks) } }
        let environment = try SubmissionRecords.environment(submission.id, scope)
        let grants = try GrantRecords.nonRenewing(scope, by: submission.user)
        let own = grants.first {
            $0.transactionID == submission.claim.transactionID
                && $0.environment == environment?.rawValue
        }
        if let own, !ends(own) { return nil }
        let service =
            (own ?? grants.first { $0.productID == submission.claim.productID })
            .map { self.service(of: $0) } ?? listed?.service
        return nonRenewing(grants, clocks).first {
            $0.service == service && $0.environment == environment?.wireName
        }
    }

    /// Whether a granted and not refunded product is served to a user now.
    func isServed(
        _ product: BackendProduct, to user: BackendUserID, _ scope: borrowing ReadScope
    ) throws -> Bool {
        switch product.kind {
        case .consumable, .nonConsumable: return true
        case .autoRenewable:
            let clocks = try Clocks(scope, clock.now())
            return try SubscriptionRecords.of(user, scope).contains { row in
                let body = body(row, clocks)
                return body.isServed && body.productId == product.id
            }
        case .nonRenewing:
            let grants = try GrantRecords.nonRenewing(scope, by: user)
            guard !grants.contains(where: { $0.productID == product.id && !ends($0) }) else {
                return true
            }
            return try nonRenewing(grants, Clocks(scope, clock.now())).contains {
                $0.isServed && $0.service == product.service
            }
        }
    }

    /// Whether a grant is served now; `subscriptions` are all of its user.
    func isServed(_ grant: GrantRow, among subscriptions: [UserSubscriptionBody]) -> Bool {
        guard grant.kind == ProductKind.nonRenewing.rawValue, ends(grant) else { return true }
        return subscriptions.contains {
            $0.isServed && $0.kind == grant.kind && $0.service == service(of: grant)
        }
    }

    /// Whether a non-renewing subscription has an end that the backend tracks.
    private func ends(_ grant: GrantRow) -> Bool { length(of: grant) != nil }

    /// As it was sold, even if the list changed since; for one sold without a length, the list's.
    private func length(of grant: GrantRow) -> CalendarSpan? {
        grant.length ?? products[grant.productID]?.length
    }

    /// By its current name in the list, or else its last one.
    private func service(of grant: GrantRow) -> String {
        products[grant.productID]?.service ?? grant.service ?? grant.productID
    }

    /// One auto-renewable subscription, by the store's clock.
    func body(_ row: SubscriptionRow, _ clocks: Clocks) -> UserSubscriptionBody {
        let facts = row.facts
        // The iOS 6 style does not set a clock, but says on which side of the end it is.
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

    /// Those of a user that have an end, each service together.
    private func nonRenewing(_ grants: [GrantRow], _ clocks: Clocks) -> [UserSubscriptionBody] {
        struct Service: Hashable {
            let name: String
            let environment: StoreEnvironment
        }
        var names: [Service] = []
        var bought: [Service: [(grant: GrantRow, purchase: NonRenewingPurchase)]] = [:]
        for grant in grants {
            guard let length = length(of: grant),
                let environment = StoreEnvironment(rawValue: grant.environment)
            else { continue }
            let service = Service(name: service(of: grant), environment: environment)
            if bought[service] == nil { names.append(service) }
            let purchase = NonRenewingPurchase(
                purchasedAt: grant.purchasedAt ?? grant.grantedAt, quantity: grant.quantity,
                length: length)
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
        production = try StoreClockRecords.now(scope, .production, at: now)
        sandbox = try StoreClockRecords.now(scope, .sandbox, at: now)
    }

    func now(_ environment: StoreEnvironment) -> Timestamp {
        environment == .production ? production : sandbox
    }
}

extension SubscriptionState {
    /// The state's name on the wire.
    fileprivate var wire: UserSubscriptionBody.State {
        switch self {
        // Paid until `expires`, as far as is known.
        case .active, .unsettled: .active
        case .gracePeriod: .gracePeriod
        case .billingRetry: .billingRetry
        case .expired: .expired
        case .revoked: .revoked
        case .unconfirmed: .unconfirmed
        }
    }
}
