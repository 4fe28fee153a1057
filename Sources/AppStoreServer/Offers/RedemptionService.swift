import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Redeems the codes that people type on their devices.
enum RedemptionService {
    static func redeem(_ call: StoreCall, _ body: RedeemOfferCodeBody) async throws -> HTTPResponse
    {
        let (session, account) = try call.context.signedIn(call.request)
        let attempt = AttemptID(try checkedUUID(body.attemptId, "attemptId"))
        guard let word = OfferCodeWord(body.code) else { throw Refusal.offerCodeUnknown }
        let time = call.world.time
        // Who asks again what was asked before guesses nothing. A command may run twice, and
        // would count twice.
        let known = try call.world.database.read {
            try $0.attempt(attempt, of: session.device)
        }
        if known == nil,
            let seconds = call.world.redemptions.take(account.id, realNow: time.real())
        {
            throw Refusal.tooManyRedemptions(seconds: seconds)
        }
        let (redemption, outcome) = try await call.context.commit { scope in
            try scope.requireToken(of: session)
            let code = try scope.reading { try $0.offerCode(named: word.text, in: session.app) }
            guard let code else { throw Refusal.offerCodeUnknown }
            let redemption = Redemption(
                attempt: attempt, code: code, word: word, session: session, account: account)
            return (redemption, try redemption.carryOut(scope, time: time))
        }
        CrashPoint.storeRedemptionCommitted.reach()
        tell(outcome, of: redemption, in: call.context)
        return try PurchaseService.answer(outcome)
    }

    /// Tells log and devices of what is new.
    static func tell(_ outcome: Purchase.Outcome, of redemption: Redemption, in scene: Scene) {
        PurchaseService.tell(outcome, of: redemption.purchase, in: scene)
        guard outcome.isNew, outcome.attempt.state == .done else { return }
        scene.log.event(
            StoreEvent.offerCodeRedeemed, ("account", .number(redemption.account.id.rawValue)),
            ("code", .number(redemption.code.code.number)))
    }
}

extension Refusal {
    static let offerCodeUnknown = Refusal(
        404, "offerCodeUnknown", "This code is not valid; check how it is written.")

    fileprivate static func tooManyRedemptions(seconds: Int64) -> Refusal {
        Refusal(
            429, "tooManyRedemptions",
            "Too many codes were tried; try again in \(seconds) seconds.",
            retryAfterSeconds: seconds)
    }
}
