import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// The operator's work on subscriptions: look them up, and have one checked now.
extension OperatorService {
    /// `GET /operator/v1/subscriptions`: a page of them, most recently begun first.
    func listSubscriptions(_ request: HTTPRequest) throws -> OperatorSubscriptionsBody {
        try door.admit(request)
        return try subscriptions(SubscriptionFilter(request.query))
    }

    /// `POST /operator/v1/subscriptions/{original}/check`: ends a pause that the store requested,
    /// asks it about the subscription of an original transaction, and answers what is known then.
    ///
    /// It is made due first, so that a worker asks if this process ends before the store answers.
    func checkSubscription(_ original: String, _ scene: BackendScene) throws {
        try door.admit(scene.request)
        guard let seat = pool.takeSeat() else { throw Refusal.busy }
        let keys: [SubscriptionKey]
        do {
            let now = clock.now()
            keys = try database.write {
                try SubscriptionRecords.makeDue($0, original: original, now: now)
            }
            guard !keys.isEmpty else { throw Refusal.noSubscription }
        } catch {
            pool.leave(seat)
            throw error
        }
        settler.verifier.pauses.endAll()
        log(.operatorChecked, .request(scene.request.id), .transaction(original))
        let ticket = deadlines.watch(scene.responder, answer: Refusal.stillAsking.answer)
        pool.start(seat) {
            defer { deadlines.end(ticket) }
            scene.answer([.transaction(original)]) {
                for key in keys { try checks.alone(key) { try checks.checks.ask(key) } }
                return try .json(
                    encoding: subscriptions(SubscriptionFilter(transaction: original)))
            }
        }
    }

    private func subscriptions(_ filter: SubscriptionFilter) throws -> OperatorSubscriptionsBody {
        try database.read { scope in
            let user = try user(scope, filter.user)
            let page = try Page(of: filter.countMax) {
                try SubscriptionLookupRecords.find(scope, filter, user: user, countMax: $0)
            }
            let clocks = try Clocks(scope, clock.now())
            return OperatorSubscriptionsBody(
                subscriptions: try page.items.map {
                    try body($0, clocks, scope, hasHistory: filter.transaction != nil)
                }, nextAfter: page.next { "\($0.place)" })
        }
    }

    private func body(
        _ found: SubscriptionFinding, _ clocks: Clocks, _ scope: borrowing ReadScope,
        hasHistory: Bool
    ) throws -> OperatorSubscriptionBody {
        let row = found.row
        var body = OperatorSubscriptionBody(
            userId: row.user.rawValue, userName: found.userName,
            subscription: standings.body(row, clocks),
            periodBegan: row.facts.purchasedAt.milliseconds,
            answeredAt: row.facts.answeredAt.milliseconds,
            checkedAt: row.checkedAt.milliseconds, quietChecks: Int(row.quietChecks),
            failures: Int(row.failures), receipt: found.receipt)
        body.nextCheckAt = row.nextCheckAt?.milliseconds
        body.trouble = row.trouble
        guard hasHistory else { return body }
        let history = try SubscriptionLookupRecords.events(
            scope, row.key, countMax: BackendLimits.historyMax)
        let count = try SubscriptionLookupRecords.eventCount(scope, row.key)
        body.history = history
        if count > history.count { body.historyLeftOut = count - history.count }
        return body
    }
}

extension Refusal {
    static let noSubscription = Self.notFound(
        "There is no subscription with that original transaction.")
}
