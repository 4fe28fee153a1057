import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Accepts receipts and reports their outcome.
struct ReceiptService: Sendable {
    let database: Database
    let settler: SubmissionSettler
    let pool: WorkerPool
    let deadlines: AnswerDeadlines
    let answers: ReceiptAnswers
    let standings: Standings
    let tokens: TokenMint
    let reads: FreshReads
    let timings: BackendTimings
    let clock: WallClock
    let log: Log

    /// `POST /v1/receipts`: stores first, then asks the store, and answers when that is settled or
    /// has taken too long.
    func submit(_ scene: BackendScene, by user: BackendUserID) throws {
        let request = scene.request
        let incoming = try IncomingSubmission(request.body)
        let new = try incoming.row(
            id: tokens.submissionID(), user: user, requestID: request.id)
        guard let seat = pool.takeSeat() else { throw Refusal.busy }
        let now = clock.now()
        let firstTryAt = now.adding(milliseconds: timings.firstTryMilliseconds)
        let restMilliseconds = timings.retryMilliseconds
        let freshMilliseconds = timings.contentFreshMilliseconds
        database.write(
            {
                let stored = try SubmissionRecords.store(
                    $0, new, now: now, firstTryAt: firstTryAt, restMilliseconds: restMilliseconds)
                if case .known = stored {
                    // It may have come because the store revoked it.
                    try GrantCheckRecords.hasten(
                        $0, new.claim, of: user, now: now, restMilliseconds: freshMilliseconds)
                }
                return stored
            },
            then: { result in
                if case .success(.open(let id)) = result {
                    return verify(id, new, seat, scene, passThrough: incoming.passThrough)
                }
                pool.leave(seat)
                if case .success(.known(let id)) = result {
                    return answerKnown(id, incoming, scene, of: user)
                }
                scene.answer { try answer(result.get()) }
            })
    }

    /// Answers from the record of a granted purchase, after the store was asked whether it revoked
    /// it: the answer brings its content.
    private func answerKnown(
        _ id: SubmissionID, _ incoming: IncomingSubmission, _ scene: BackendScene,
        of user: BackendUserID
    ) {
        let claim = incoming.claim
        do {
            try reads.answer(
                scene, about: .submission(id, product: claim.productID), of: user,
                unchecked: { answers.kept(id) }
            ) {
                let isRefunded = try database.read { try LookupRecords.isRefunded($0, id) }
                return answers.response(
                    isRefunded
                        ? .refused(.cancelled)
                        : .alreadyGranted(
                            productID: claim.productID, transactionID: claim.transactionID),
                    id, passThrough: incoming.passThrough,
                    standing: isRefunded ? nil : try standing(of: id))
            }
        } catch {
            scene.answer { throw error }
        }
    }

    /// The answer for a submission that is not verified now.
    private func answer(_ stored: StoredSubmission) throws -> HTTPResponse {
        switch stored {
        case .open(let id), .kept(let id), .known(let id): return answers.kept(id)
        case .tooManyOpen: throw Refusal.tooManyOpen
        case .noRoom: throw Refusal.noRoom
        case .tooManyRefused(let end): throw Refusal.tooManyRefused(seconds: seconds(until: end))
        }
    }

    /// On the writer's thread, after the commit.
    private func verify(
        _ id: SubmissionID, _ new: NewSubmission, _ seat: WorkerPool.Seat, _ scene: BackendScene,
        passThrough: [String: String]?
    ) {
        CrashPoint.backendSubmissionStored.reach()
        log(
            .receiptStored, .request(new.requestID), .user(new.user), .submission(id),
            .transaction(new.claim.transactionID), .product(new.claim.productID),
            .receipt(byteCount: new.receipt.count))
        let ticket = deadlines.watch(scene.responder, answer: answers.kept(id))
        pool.start(seat) {
            settle(
                id, requestID: new.requestID, ticket, scene.responder, passThrough: passThrough)
        }
    }

    /// Whole seconds to wait, at least one.
    private func seconds(until end: Timestamp) -> Int {
        Int(max(end.milliseconds - clock.now().milliseconds + 999, 1_000) / 1_000)
    }

    /// On a worker of the pool.
    private func settle(
        _ id: SubmissionID, requestID: String, _ ticket: AnswerDeadlines.Ticket,
        _ responder: Responder, passThrough: [String: String]?
    ) {
        defer { deadlines.end(ticket) }
        do {
            guard deadlines.isRunning(ticket) else {
                // The app has already been answered "kept": the worker takes over.
                try settler.keep(
                    id, reason: "the backend did not have time for it", requestID: requestID)
                return
            }
            let outcome = try settler.settle(id, requestID: requestID)
            let standing = outcome.isGranted ? try standing(of: id) : nil
            responder.send(
                answers.response(outcome, id, passThrough: passThrough, standing: standing))
        } catch {
            // It is stored, but the disk may have filled up since: the worker takes over.
            log(.requestFailed, .request(requestID), .submission(id), .detail("\(error)"))
            responder.send(answers.kept(id))
        }
    }

    private func standing(of id: SubmissionID) throws -> UserSubscriptionBody? {
        try database.read { scope in
            guard let row = try SubmissionRecords.find(scope, id) else { return nil }
            return try standings.one(of: row, scope)
        }
    }

    /// `GET /v1/receipts/{submissionId}`: the state of a submission, for its sender.
    func sendState(_ id: SubmissionID, _ scene: BackendScene) throws {
        let user = try scene.user()
        let row = try database.read { try SubmissionRecords.find($0, id) }
        guard let row, row.user == user, [.granted, .alreadyGranted].contains(row.state) else {
            return scene.answer { try .json(encoding: state(id, for: user)) }
        }
        try answer(scene, about: .submission(id, product: row.claim.productID), of: user) {
            try .json(encoding: state(id, for: user))
        }
    }

    private func state(_ id: SubmissionID, for user: BackendUserID) throws -> ReceiptOutcomeBody {
        let found = try database.read { scope in
            try SubmissionRecords.find(scope, id).map { row in
                (
                    row: row, isRefunded: try LookupRecords.isRefunded(scope, id),
                    standing: try standings.one(of: row, scope)
                )
            }
        }
        guard let found, found.row.user == user else {
            throw Refusal.notFound("You have not sent a receipt with that identifier.")
        }
        return try answers.state(
            found.row, isRefunded: found.isRefunded, standing: found.standing)
    }

    /// `GET /v1/purchases`: a user's granted purchases, from every device.
    func sendPurchases(_ scene: BackendScene) throws {
        let user = try scene.user()
        let answer: FreshReads.Answer = { try .json(encoding: purchases(of: user)) }
        try reads.answer(scene, about: .purchases, of: user, unchecked: answer, answer)
    }

    private func purchases(of user: BackendUserID) throws -> OwnedPurchasesBody {
        let (rows, subscriptions, balances) = try database.read { scope in
            (
                try GrantRecords.owned(scope, by: user), try standings.all(of: user, scope),
                try BalanceRecords.all(scope, of: user)
            )
        }
        let purchases = rows.map { row in
            OwnedPurchasesBody.Purchase(
                productId: row.productID, kind: row.kind, transactionId: row.transactionID,
                originalTransactionId: row.originalTransactionID,
                environment: StoreEnvironment(rawValue: row.environment)?.wireName
                    ?? row.environment,
                quantity: Int(row.quantity), grantedAt: row.grantedAt.milliseconds,
                refundedAt: row.refundedAt?.milliseconds,
                content: row.refundedAt != nil || !standings.isServed(row, among: subscriptions)
                    ? nil
                    : answers.products[row.productID]?.content.map {
                        .init(name: $0.name, mediaType: $0.mediaType)
                    })
        }
        return OwnedPurchasesBody(
            purchases: purchases, subscriptions: subscriptions,
            balances: balances.isEmpty ? nil : balances)
    }

    /// `GET /v1/products/{productId}/content`: the content again, for a user who owns it.
    func sendContent(of product: String, _ scene: BackendScene) throws {
        let user = try scene.user()
        try answer(scene, about: .content(product: product), of: user) {
            try .json(encoding: content(of: product, for: user))
        }
    }

    /// Answers with a product's content, after the store was asked whether it revoked the purchase.
    /// Without a place to wait, and at the deadline, nothing is given.
    private func answer(
        _ scene: BackendScene, about subject: ContentFreshness.Subject, of user: BackendUserID,
        _ answer: @escaping FreshReads.Answer
    ) throws {
        try reads.answer(
            scene, about: subject, of: user, unchecked: { throw Refusal.busy }, answer)
    }

    private func content(of product: String, for user: BackendUserID) throws -> ContentBody {
        let isOwned = try database.read { scope in
            let listed = answers.products[product]
            // A subscription's grant has the product of its first period only.
            if let listed, listed.kind == .autoRenewable {
                return try standings.isServed(listed, to: user, scope)
            }
            guard try GrantRecords.owns(scope, user: user, product: product) else { return false }
            return try listed.map { try standings.isServed($0, to: user, scope) } ?? true
        }
        guard isOwned else {
            throw Refusal.notFound("You do not own a product with that identifier.")
        }
        guard let content = answers.products[product]?.content else {
            throw Refusal.notFound("That product does not have content.")
        }
        return ContentBody(content)
    }
}
