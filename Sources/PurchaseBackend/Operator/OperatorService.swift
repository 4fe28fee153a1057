import Foundation
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// The operator's work on submissions: look them up, have one retried, and ask the store again
/// about a granted purchase.
struct OperatorService: Sendable {
    let database: Database
    let settler: SubmissionSettler
    let standings: Standings
    let pool: WorkerPool
    let deadlines: AnswerDeadlines
    let door: OperatorDoor
    let checks: CheckWorker<SubscriptionChecker>
    let clock: WallClock
    let log: Log

    /// `GET /operator/v1/submissions`: a page of submissions, newest first.
    func list(_ request: HTTPRequest) throws -> OperatorSubmissionsBody {
        try door.admit(request)
        let filter = try SubmissionFilter(request.query)
        let page = try database.read { scope in
            let user = try user(scope, filter.user)
            if let after = filter.after,
                try SubmissionRecords.find(scope, SubmissionID(after)) == nil
            {
                throw Refusal(
                    422, "badQuery",
                    "after must be the identifier of a submission.")
            }
            return try Page(of: filter.countMax) {
                try LookupRecords.submissions(scope, filter, user: user, countMax: $0).map {
                    var body = $0
                    body.grant = try LookupRecords.grant(scope, of: body)
                    return body
                }
            }
        }
        return OperatorSubmissionsBody(
            submissions: page.items, nextAfter: page.next(\.submissionId))
    }

    /// `GET /operator/v1/users`: a page of users, by their names.
    func users(_ request: HTTPRequest) throws -> OperatorUsersBody {
        try door.admit(request)
        let filter = try UserFilter(request.query)
        let page = try database.read { scope in
            try Page(of: filter.countMax) {
                try LookupRecords.users(scope, filter, countMax: $0)
            }
        }
        return OperatorUsersBody(users: page.items, nextAfter: page.next(\.userName))
    }

    /// The user of a name or identifier; nil when none is given.
    func user(_ scope: borrowing ReadScope, _ name: String?) throws -> BackendUserID? {
        guard let name else { return nil }
        let key = UserCredentials.key(of: name)
        guard let user = try LookupRecords.user(scope, name, nameKey: key) else {
            throw Refusal.notFound("There is no user with that name or identifier.")
        }
        return user
    }

    /// `GET /operator/v1/submissions/{submissionId}`: one submission with its history.
    func show(_ id: SubmissionID, _ request: HTTPRequest) throws -> OperatorSubmissionBody {
        try door.admit(request)
        return try database.read { try body($0, id) }
    }

    /// `POST /operator/v1/submissions/{submissionId}/retry`: makes a submission that is kept, was
    /// given up or was refused due now, and ends a pause that the store requested.
    func retry(_ id: SubmissionID, _ request: HTTPRequest) throws -> OperatorSubmissionBody {
        try door.admit(request)
        let now = clock.now()
        let requestID = request.id
        try database.write { scope in
            guard let row = try SubmissionRecords.find(scope, id) else {
                throw Refusal.noSubmission
            }
            guard row.state != .granted, row.state != .alreadyGranted else {
                throw Refusal.alreadyDelivered
            }
            guard
                try SubmissionRecords.receipt(scope.reading, hash: row.receiptHash)
                    != nil
            else { throw Refusal.receiptDropped }
            try SubmissionRecords.reopen(scope, id, nextTryAt: now, now: now)
            try HistoryRecords.add(
                scope, id, HistoryEntry("retried", requestID: requestID, now: now))
        }
        settler.verifier.pauses.endAll()
        log(.operatorRetried, .request(requestID), .submission(id))
        return try database.read { try body($0, id) }
    }

    /// `POST /operator/v1/submissions/{submissionId}/recheck`: asks the store again about a granted
    /// purchase, and marks the grant if the store revoked it.
    func recheck(_ id: SubmissionID, _ scene: BackendScene) throws {
        try door.admit(scene.request)
        guard let row = try database.read({ try SubmissionRecords.find($0, id) }) else {
            throw Refusal.noSubmission
        }
        guard row.state == .granted || row.state == .alreadyGranted else {
            throw Refusal.notDelivered
        }
        guard let seat = pool.takeSeat() else { throw Refusal.busy }
        let ticket = deadlines.watch(scene.responder, answer: Refusal.stillAsking.answer)
        pool.start(seat) {
            defer { deadlines.end(ticket) }
            scene.answer([.submission(id)]) {
                try .json(encoding: recheck(id, requestID: scene.request.id))
            }
        }
    }

    /// On a worker of the pool.
    private func recheck(
        _ id: SubmissionID, requestID: String
    ) throws -> OperatorRecheckBody {
        let kept = try settler.loadKept(id)
        let claim = kept.row.claim
        let report = settler.verifier.verify(kept.receipt)
        let found = RecheckOutcome(
            report.answer, claim, kind: settler.policy.kinds[claim.productID],
            bundleID: settler.policy.bundleID)
        let trial = Trial(requestID: requestID, now: clock.now(), asked: report.asked)
        try database.write { scope in
            var entry = HistoryEntry(
                "rechecked", requestID: requestID, now: trial.now, detail: found.detail)
            entry.asked = report.asked
            try HistoryRecords.add(scope, id, entry)
            try settler.apply(scope, report.answer, for: kept, isOperator: true, by: trial)
        }
        log(
            .operatorRechecked, .request(requestID), .submission(id), .detail(found.detail))
        guard let outcome = found.outcome else {
            throw Refusal.noClearAnswer(found.detail)
        }
        return OperatorRecheckBody(
            outcome: outcome, submission: try database.read { try body($0, id) })
    }

    private func body(
        _ scope: borrowing ReadScope, _ id: SubmissionID
    ) throws -> OperatorSubmissionBody {
        guard var body = try LookupRecords.submission(scope, id),
            let row = try SubmissionRecords.find(scope, id)
        else { throw Refusal.noSubmission }
        body.grant = try LookupRecords.grant(scope, of: body)
        body.passThrough = try row.passThrough.map {
            try WireJSON.decode([String: String].self, from: Array($0.utf8))
        }
        let history = try HistoryRecords.newest(scope, id, countMax: BackendLimits.historyMax)
        let leftOut = try HistoryRecords.count(scope, id) - history.count
        body.history = history.map(OperatorEventBody.init)
        if leftOut > 0 { body.historyLeftOut = leftOut }
        return body
    }
}

/// The result of asking again about a granted purchase.
struct RecheckOutcome: Hashable, Sendable {
    /// Nil when the store gave no clear answer.
    let outcome: OperatorRecheckBody.Outcome?
    let detail: String

    init(
        _ answer: VerifyAnswer, _ claim: PurchaseClaim, kind: ProductKind?, bundleID: String
    ) {
        switch answer {
        case .retry(let reason, _):
            outcome = nil
            detail = reason
        case .refused(let status):
            outcome = .storeRefused
            detail = GrantRefusal.storeRefused(status: status).message
        case .verified(let receipt) where receipt.bundleID != bundleID:
            (outcome, detail) = (.notListed, GrantRefusal.wrongBundle.message)
        case .verified(let receipt):
            let isKeptByOriginal = kind != .consumable && kind != .autoRenewable
            switch receipt.isCancelled(claim, isKeptByOriginal: isKeptByOriginal) {
            case true?: (outcome, detail) = (.refunded, "the store revoked the purchase")
            case false?: (outcome, detail) = (.stands, "the store lists the purchase")
            case nil:
                (outcome, detail) = (.notListed, "the store does not list the purchase")
            }
        }
    }
}

extension OperatorEventBody {
    init(_ entry: HistoryEntry) {
        self.init(
            at: entry.now.milliseconds, event: entry.event, requestId: entry.requestID,
            tryNumber: entry.tryNumber.map { Int($0) },
            triedAt: entry.asked?.triedAt.milliseconds,
            environment: entry.asked?.environment.wireName,
            httpStatus: entry.asked?.httpStatus, storeStatus: entry.asked?.storeStatus,
            detail: entry.detail)
    }
}
