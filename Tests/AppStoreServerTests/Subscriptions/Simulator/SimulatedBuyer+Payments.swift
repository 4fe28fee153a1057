import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import AppStoreServer

/// Something that a simulated buyer wants.
struct SimulatedAttempt: Sendable {
    let id = UUID().uuidString
    let product: String
    let quantity: Int
}

extension SimulatedBuyer.Moment {
    var isSilent: Bool { provider?.isSilent ?? false }

    /// Whether a subscription waits for a provider that does not answer.
    func isHeldUp(_ answer: HTTPResponse) -> Bool {
        isSilent && answer.status == 503 && errorCode(answer) == "paymentOpen"
    }

    /// Whether the store said no, as it may.
    func refuses(_ answer: HTTPResponse) -> Bool {
        answer.status == 409 || isHeldUp(answer)
    }
}

// What a payment provider is asked for a buyer.
extension SimulatedBuyer {
    /// Waits until what was done is decided, and what new credit pays renewed, or asked of a provider
    /// that does not answer: what comes next finds it the same then, for a seed.
    func settle(at moment: Moment) async throws {
        let values: [SQLValue] = [
            .text(name), .integer(moment.now.milliseconds), .integer(moment.isSilent ? 1 : 0),
        ]
        try await moment.store.until {
            try moment.store.registry.defaultWorld.database.read { scope in
                try scope.row(Self.underWay, values) == nil
            }
        }
    }

    /// A row when something is under way of an account at a moment.
    private static let underWay = """
        SELECT 1 FROM account WHERE name = ?1 AND (
            EXISTS (SELECT 1 FROM payment WHERE account_id = account.id
                AND next_real_ms IS NOT NULL AND (?3 = 0 OR tries = 0))
            OR EXISTS (SELECT 1 FROM payment_refund JOIN payment ON payment.id = payment_id
                WHERE account_id = account.id AND payment_refund.next_real_ms IS NOT NULL
                AND (?3 = 0 OR payment.state = 'captured' AND payment_refund.tries = 0))
            OR EXISTS (SELECT 1 FROM subscription WHERE account_id = account.id
                AND due_ms <= ?2 AND payment_id IS NULL))
        """

    /// Whether a silent provider is asked to authorize something for it. What it is asked for at
    /// once it may answer in any order, so it is asked for one thing after another.
    func hasOpenPayment(at moment: Moment) throws -> Bool {
        guard moment.isSilent else { return false }
        return try moment.store.registry.defaultWorld.database.read { scope in
            try scope.row(
                """
                SELECT 1 FROM account JOIN payment ON account_id = account.id
                WHERE name = ?1 AND payment.state = 'authorizing'
                """, [.text(name)]) != nil
        }
    }

    func isLeft(_ attempt: SimulatedAttempt, at moment: Moment) throws -> Bool {
        guard moment.isSilent else { return false }
        return try moment.store.attemptState(attempt.id)?.isOfProvider ?? false
    }

    /// Gives and takes credit while the provider is silent about what it lacks.
    mutating func moveCredit(at moment: Moment) async throws {
        switch random.below(3) {
        case 0: try await topUp(at: moment)
        case 1:
            let path = "/control/v1/accounts/credit/correct"
            let answer = try await moment.store.control(
                "POST", path,
                body: CorrectCreditBody(
                    environment: environment, name: name, requestId: UUID().uuidString,
                    amount: "-1.00", reason: "Paid in twice."))
            guard answer.status == 200 || answer.status == 409 else {
                throw failure("POST \(path)", answer)
            }
        default: break
        }
    }

    /// Posts an attempt until it is decided; nil when it waits for a provider that does not answer.
    func post(
        _ attempt: SimulatedAttempt, at moment: Moment
    ) async throws -> AttemptAnswerBody? {
        let request = try WireJSON.encode(
            AttemptRequestBody(
                attemptId: attempt.id, productId: attempt.product, quantity: attempt.quantity,
                applicationUsername: nil, shownPriceMilliunits: nil, shownCurrency: nil,
                simulatesAskToBuy: nil))
        while true {
            guard let answer = try await send(request, of: attempt, at: moment),
                !moment.isHeldUp(answer)
            else { return nil }
            guard answer.status == 200 else { throw failure("POST attempts", answer) }
            let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
            if !body.state.isOfProvider { return body }
        }
    }

    private func send(
        _ request: [UInt8], of attempt: SimulatedAttempt, at moment: Moment
    ) async throws -> HTTPResponse? {
        let path = "\(base)/device/v1/attempts"
        guard moment.isSilent else {
            return await moment.store.send("POST", path, token: token, body: request)
        }
        // The app is closed rather than that anybody waits.
        let answer = LateAnswer()
        moment.store.start("POST", path, token: token, body: request) { answer.come($0) }
        try await moment.store.until {
            try answer.value != nil || moment.store.attemptState(attempt.id) == .unknown
        }
        return answer.value
    }
}

/// An answer that may come or not.
private final class LateAnswer: Sendable {
    private let state = Mutex<HTTPResponse?>(nil)

    var value: HTTPResponse? { state.withLock { $0 } }

    func come(_ answer: HTTPResponse) {
        state.withLock { $0 = answer }
    }
}
