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

    /// A part of a user's purchases that an answer shows.
    enum Subject: Hashable, Sendable {
        case purchases
        /// For a user who may have bought it more than once.
        case content(product: String)
        /// A granted submission, with the content of its product.
        case submission(SubmissionID, product: String)

        fileprivate var product: String? {
            switch self {
            case .purchases: nil
            case .content(let product), .submission(_, let product): product
            }
        }
    }

    /// Whether the store must be asked before a subject is shown to a user.
    func isStale(_ subject: Subject, of user: BackendUserID) throws -> Bool {
        guard let product = subject.product else {
            return try !staleSubscriptions(of: user).isEmpty
        }
        guard let listed = products[product], listed.content != nil else { return false }
        return try listed.kind == .autoRenewable
            ? !staleSubscriptions(of: product, user).isEmpty
            : staleGrant(subject, user) != nil
    }

    /// Asks about what is still stale; blocks for some calls to the store, and for a check of the
    /// same that is being made. A call without an answer changes nothing.
    func renew(_ subject: Subject, of user: BackendUserID) throws {
        guard let product = subject.product else {
            return try renew { try staleSubscriptions(of: user) }
        }
        if products[product]?.kind == .autoRenewable {
            return try renew { try staleSubscriptions(of: product, user) }
        }
        try grants.alone(user) {
            // Until one stands: that is enough for the content.
            for _ in 0..<BackendLimits.contentChecksMax {
                guard let stale = try staleGrant(subject, user) else { return }
                try grants.checks.check(stale)
            }
        }
    }

    /// The subscriptions of a user to ask about before they are listed: of each environment the one
    /// that was not asked about for the longest time. Its answer tells the store's clock, by which
    /// the others are asked about, too.
    private func staleSubscriptions(of user: BackendUserID) throws -> [SubscriptionKey] {
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

    private func renew(_ stale: () throws -> [SubscriptionKey]) throws {
        for key in try stale() {
            try subscriptions.alone(key) {
                if try stale().contains(key) { try subscriptions.checks.ask(key) }
            }
        }
    }

    private func staleGrant(_ subject: Subject, _ user: BackendUserID) throws -> CheckedGrant? {
        let found = try database.read { scope in
            switch subject {
            case .purchases: nil as CheckedGrant?
            case .content(let product):
                try GrantCheckRecords.newest(scope, of: product, by: user)
            case .submission(let id, _):
                try GrantCheckRecords.granted(scope, by: id, to: user)
            }
        }
        return found.flatMap { grant in
            isOld(grant.askedAt, timings.contentFreshMilliseconds)
                && !isPutOff(grant.failures, until: grant.nextCheckAt) ? grant : nil
        }
    }

    private func staleSubscriptions(
        of product: String, _ user: BackendUserID
    ) throws -> [SubscriptionKey] {
        try database.read { try SubscriptionRecords.of(user, $0) }
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
