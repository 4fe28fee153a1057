import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Lists the purchases that wait for approval, and takes the answers.
enum ApprovalService {
    static func list(_ call: StoreCall) throws -> ApprovalsBody {
        let after = try call.request.after()
        let now = call.world.time.now()
        return try call.world.database.read { scope in
            let page = try Page(of: Limits.approvalsPerAnswerMax) {
                try scope.requestsForApproval(after: after, countMax: $0)
            }
            let approvals = try page.items.map { waiting in
                ApprovalBody(waiting, price: try waiting.purchase.price(scope, now: now))
            }
            return ApprovalsBody(approvals: approvals, next: page.next(\.number))
        }
    }

    /// `POST /control/v1/approvals/{number}/approve` and `…/decline`: a repeated request gets the
    /// same answer; 409 once the other answer was given.
    static func answer(_ call: StoreCall, _ answer: WaitingPurchase.Answer, number: String)
        async throws -> ApprovalBody
    {
        let time = call.world.time
        let waiting = try await call.context.commit { scope in
            let waiting = try find(number, scope.reading)
            if let known = waiting.answer {
                guard known == answer else { throw Refusal(known, of: waiting) }
                return waiting
            }
            let attempt =
                switch answer {
                case .approved: try waiting.complete(scope, time: time)
                case .declined: try decline(waiting, at: time.recordNow(), scope)
                }
            let now = time.recordNow()
            try scope.answer(waiting, answer, now: now)
            if attempt.state == .refused {
                try scope.record(
                    .declined(attempt.id), for: waiting.account.id, in: waiting.session.app,
                    waiting.account.environment, at: now)
            }
            return try find(number, scope.reading)
        }
        CrashPoint.storeApprovalCommitted.reach()
        call.world.renewals.wake()
        call.world.updates.wake(waiting.account.id)
        call.world.wakeFamily(of: waiting.account.id)
        call.log.event(
            StoreEvent.approvalAnswered, ("account", .number(waiting.account.id.rawValue)),
            ("request", .number(waiting.number)), ("answer", .text(answer.rawValue)))
        return ApprovalBody(waiting, price: nil)
    }

    static func decline(
        _ waiting: WaitingPurchase, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws -> Attempt {
        let attempt = waiting.purchase.attempt(.refused, refusal: .declined)
        try scope.refuse(waiting, as: attempt, now: now)
        return attempt
    }

    private static func find(
        _ text: String, _ scope: borrowing ReadScope
    ) throws -> WaitingPurchase {
        guard let number = Int64(text), "\(number)" == text,
            let waiting = try scope.requestForApproval(number)
        else {
            throw Refusal(
                404, "approvalUnknown",
                "This world has no request for approval with that number; list those that wait.")
        }
        return waiting
    }
}

extension Refusal {
    fileprivate init(_ known: WaitingPurchase.Answer, of waiting: WaitingPurchase) {
        self.init(
            409, "approvalAnswered",
            "Request \(waiting.number) was already \(known.rawValue), and that answer stands.")
    }
}

extension ApprovalBody {
    init(_ waiting: WaitingPurchase, price: Money?) {
        let state: State =
            switch (waiting.answer, waiting.attempt.state) {
            case (nil, _): .pending
            case (.declined, _): .declined
            case (.approved, .refused): .refused
            case (.approved, _): .approved
            }
        self.init(
            number: waiting.number, attemptId: waiting.request.attempt.rawValue, state: state,
            environment: waiting.account.environment, account: waiting.account.name,
            bundleId: waiting.session.bundleID,
            productId: waiting.request.product.rawValue, quantity: waiting.request.quantity,
            askedAt: waiting.askedAt, price: price, shownPrice: waiting.request.shownPrice,
            transactionId: waiting.attempt.transaction.map { "\($0)" },
            refusal: RefusalBody(of: waiting.attempt))
    }
}
