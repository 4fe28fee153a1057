import StoreDatabase
import StoreModel
import StoreRules
import StoreService

/// Carries out a provider's answer, in one commit. An answer to something no longer asked changes
/// nothing.
enum PaymentSettlement {
    /// The parties to notify after the commit.
    struct Outcome: Sendable {
        let account: AccountID
        let state: Payment.State
        /// The refund that the answer is about.
        var refund: PaymentRefund?
        /// Whether the answer decided the request.
        var isDecided = false
        /// The attempt that the answer decided.
        var attempt: AttemptKey?
        /// The transaction sold for the payment.
        var transaction: TransactionID?
        /// The result for the subscription that waited.
        var report = Settlement.Report()
    }

    /// The reason why nothing is sold for a payment.
    private enum Denial {
        case declined(reason: String?)
        case givenUp

        var refusal: RefusalCode {
            switch self {
            case .declined: .paymentDeclined
            case .givenUp: .paymentUnavailable
            }
        }
    }

    static func settle(
        _ id: PaymentID, asked step: PaymentStep, _ outcome: ProviderOutcome, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> Outcome? {
        let found = try scope.reading.payment(id)
        guard var payment = found, PaymentRules.step(of: payment.state) == step else { return nil }
        let real = time.real()
        switch (step, outcome) {
        case (.authorization, .approved(let reference)):
            payment.reference = reference
            do {
                return try authorized(payment, time: time, scope)
            } catch let refusal as Refusal where refusal == .paymentOpen {
                // Another payment of its subscription decides this one, and then makes it go on.
                // What was due of that subscription is settled as any other request would do.
                try scope.putOff(payment, real: real)
                return nil
            }
        case (.authorization, .declined(let reason)):
            return try refuse(payment, .declined(reason: reason), time: time, scope)
        case (.authorization, .unknown) where PaymentRules.isGivenUp(payment, real: real):
            return try refuse(payment, .givenUp, time: time, scope)
        case (_, .unknown):
            try scope.askLater(payment, real: real)
            if step == .authorization { try noteDoubt(about: payment, time: time, scope) }
        case (.capture, _), (.void, _):
            payment = PaymentRules.ended(payment, outcome)
            try scope.save(payment, real: real)
            if step == .capture, payment.state == .failed { try scope.failRefunds(of: id) }
            try scope.goOn(with: payment.account, real: real)
        }
        return Outcome(account: payment.account, state: payment.state)
    }

    /// Stores the outcome of a refund. An amount that the provider does not take back stays as the
    /// customer's credit.
    static func settle(
        _ id: PaymentRefundID, _ outcome: ProviderOutcome, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> Outcome? {
        let found = try scope.reading.paymentRefund(id)
        guard var refund = found, refund.state == .refunding,
            let payment = try scope.reading.payment(refund.payment)
        else { return nil }
        switch outcome {
        case .unknown: try scope.askLater(refund, real: time.real())
        case .approved:
            refund.state = .refunded
            try scope.save(refund)
        case .declined(let reason):
            refund.fail(because: reason)
            try scope.save(refund)
            let now = time.recordNow()
            _ = try scope.enter(try LedgerEntry.returned(refund, of: payment, at: now))
            try scope.payAgain(payment.account, at: now)
            return Outcome(
                account: payment.account, state: payment.state, refund: refund, isDecided: true)
        }
        return Outcome(account: payment.account, state: payment.state, refund: refund)
    }

    private static func authorized(
        _ payment: Payment, time: WorldTime, _ scope: borrowing WriteScope
    ) throws -> Outcome {
        switch payment.purpose {
        case .purchase(let number):
            guard let waiting = try scope.reading.waitingPurchase(number) else {
                throw DatabaseError(code: .notADatabase, detail: "\(payment.id) pays for nothing")
            }
            let attempt = try waiting.complete(scope, paidBy: payment, time: time)
            // Credit that counted went elsewhere: another payment is asked for.
            if attempt.state.isOfProvider { return try decided(payment, scope) }
            try tell(attempt, of: waiting, time: time, scope)
            return try decided(payment, of: waiting, scope)
        case .renewal(let original):
            let report = try renew(original, payment, .authorized(payment), time: time, scope)
            return try decided(payment, report: report, scope)
        }
    }

    private static func refuse(
        _ payment: Payment, _ denial: Denial, time: WorldTime, _ scope: borrowing WriteScope
    ) throws -> Outcome {
        var refused = payment
        switch denial {
        case .declined(let reason):
            refused.state = .declined
            refused.reason = reason
        case .givenUp:
            // Nobody knows whether it was authorized, and it must not stay so.
            refused.state = .voiding
        }
        try scope.save(refused, real: time.real())
        switch payment.purpose {
        case .purchase(let number):
            guard let waiting = try scope.reading.waitingPurchase(number) else {
                throw DatabaseError(code: .notADatabase, detail: "\(payment.id) pays for nothing")
            }
            let attempt = waiting.purchase.attempt(.refused, refusal: denial.refusal)
            try scope.refuse(waiting, as: attempt, now: time.recordNow())
            try tell(attempt, of: waiting, time: time, scope)
            return try decided(payment, of: waiting, scope)
        case .renewal(let original):
            let report = try renew(original, payment, .refused, time: time, scope)
            return try decided(payment, report: report, scope)
        }
    }

    private static func decided(
        _ payment: Payment, of waiting: WaitingPurchase? = nil,
        report: Settlement.Report = Settlement.Report(),
        _ scope: borrowing WriteScope
    ) throws -> Outcome {
        let now = try scope.reading.payment(payment.id)
        return Outcome(
            account: payment.account, state: now?.state ?? payment.state, isDecided: true,
            attempt: waiting.map {
                AttemptKey(device: $0.session.device, attempt: $0.request.attempt)
            },
            transaction: now?.transaction,
            report: report)
    }

    /// Notes the end of a waiting purchase, and lets its device learn of an attempt that ended
    /// without a sale.
    private static func tell(
        _ attempt: Attempt, of waiting: WaitingPurchase, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws {
        let now = time.recordNow()
        if waiting.answer == nil {
            try scope.answer(
                waiting, attempt.state == .done ? .approved : .declined, now: now)
        }
        guard attempt.state == .refused else { return }
        try scope.record(
            .declined(attempt.id), for: waiting.account.id, in: waiting.session.app,
            waiting.account.environment, at: now)
    }

    /// Lets anyone who asks about the attempt learn that its answer was lost.
    private static func noteDoubt(
        about payment: Payment, time: WorldTime, _ scope: borrowing WriteScope
    ) throws {
        guard case .purchase(let number) = payment.purpose,
            let waiting = try scope.reading.waitingPurchase(number),
            waiting.attempt.state == .charging
        else { return }
        try scope.saveAttempt(
            waiting.purchase.attempt(.unknown), of: waiting.session.device, now: time.now())
    }

    /// Gives up a payment whose purchase or renewal cannot be settled: the attempt is refused, and
    /// the renewal left to the worker, which sets it aside.
    static func abandon(
        _ id: PaymentID, time: WorldTime, _ scope: borrowing WriteScope
    ) throws -> Outcome? {
        let found = try scope.reading.payment(id)
        guard let payment = found, payment.state == .authorizing else { return nil }
        if case .purchase = payment.purpose {
            return try refuse(payment, .givenUp, time: time, scope)
        }
        var abandoned = payment
        abandoned.state = .voiding
        try scope.save(abandoned, real: time.real())
        try scope.stopWaiting(for: payment.id)
        try scope.goOn(with: payment.account, real: time.real())
        return try decided(abandoned, scope)
    }

    /// Goes on with the waiting subscription, as of the moment when it was due. It may have been
    /// taken back meanwhile.
    private static func renew(
        _ original: TransactionID, _ payment: Payment, _ answer: PaymentAnswer, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> Settlement.Report {
        let found = try scope.reading.subscription(original)
        guard var kept = found, kept.payment == payment.id else {
            throw DatabaseError(
                code: .notADatabase, detail: "\(original) does not wait for \(payment.id)")
        }
        kept.payment = nil
        var taken: Money?
        var newest: TransactionID?
        var report = Settlement.Report()
        if let dueAt = kept.state.dueAt {
            var settlement = try Settlement(time: time, scope)
            var due = try scope.reading.settling(kept)
            taken = try settlement.step(&due, at: dueAt, answer: answer, scope)
            if due.kept.newest != kept.newest { newest = due.kept.newest }
            report = settlement.report
        } else {
            try scope.update(kept)
        }
        if case .authorized = answer {
            try scope.end(payment, soldAs: newest, capturing: taken, real: time.real())
        }
        try scope.goOn(with: payment.account, real: time.real())
        return report
    }
}

/// An attempt of a device.
struct AttemptKey: Hashable, Sendable {
    let device: DeviceID
    let attempt: AttemptID
}
