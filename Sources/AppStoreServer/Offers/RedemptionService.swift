import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Redeems the codes that customers type on their devices.
enum RedemptionService {
    static func redeem(_ call: StoreCall) async throws -> HTTPResponse {
        // A stranger must not learn what a body looks like.
        let (session, account) = try call.context.signedIn(call.request)
        let wantsSigned = try call.request.queryFlag(SignedPurchaseBody.queryName)
        let body = try call.request.decoded(RedeemOfferCodeBody.self)
        let attempt = AttemptID(try checkedUUID(body.attemptId, "attemptId"))
        guard let word = OfferCodeWord(body.code) else { throw Refusal.offerCodeUnknown }
        let time = call.world.time
        // A repeated request is not a guess. A command may run twice, and would count twice.
        let known = try call.world.database.read {
            try $0.attempt(attempt, of: session.device)
        }
        if known == nil,
            let seconds = call.world.redemptions.take(
                account.id, atMilliseconds: time.real().milliseconds)
        {
            throw Refusal.tooManyRedemptions(seconds: seconds)
        }
        let outcome = try await redeem(
            word, as: attempt, on: session, for: account, in: call.context)
        let scene = call.context
        return try await scene.parts.sign(isLarge: false) {
            Result {
                try PurchaseService.answer(
                    outcome, with: wantsSigned ? .signedData : .none, session, account, in: scene)
            }
        }.get()
    }

    /// Redeems a code of the device's app in one commit, unless `check` throws for its product.
    static func redeem(
        _ word: OfferCodeWord, as attempt: AttemptID, on session: DeviceSession,
        for account: Account, in scene: Scene,
        unless check: @escaping @Sendable (ProductID) throws -> Void = { _ in }
    ) async throws -> Purchase.Outcome {
        let time = scene.world.time
        let (redemption, outcome) = try await scene.commit { scope in
            try scope.requireToken(of: session)
            let code = try scope.reading.offerCode(named: word.text, in: session.app)
            guard let code else { throw Refusal.offerCodeUnknown }
            try check(code.code.product)
            let redemption = Redemption(
                attempt: attempt, code: code, word: word, session: session, account: account)
            return (redemption, try redemption.carryOut(scope, time: time))
        }
        CrashPoint.storeRedemptionCommitted.reach()
        tell(outcome, of: redemption, in: scene)
        return outcome
    }

    /// Reports new transactions to the log and the devices.
    static func tell(_ outcome: Purchase.Outcome, of redemption: Redemption, in scene: Scene) {
        PurchaseService.tell(outcome, of: redemption.purchase, in: scene)
        guard outcome.isNew, outcome.attempt.state == .done else { return }
        scene.log.event(
            StoreEvent.offerCodeRedeemed, ("account", .number(redemption.account.id.rawValue)),
            ("code", .number(redemption.code.code.number)))
    }
}

/// Redeems offer codes for accounts, as the customers would on a device.
extension RedemptionService {
    /// `POST /control/v1/apps/{bundleId}/offer-codes/redeem`: a repeated request for the same
    /// account gets the same answer. The transaction is delivered to the account's devices.
    static func redeem(_ call: StoreCall, _ body: RedeemForAccountBody, app bundleID: String)
        async throws -> TakenOfferBody
    {
        let time = call.world.time
        let redeemed = try await call.context.commit { scope in
            let app = try scope.reading.knownApp(bundleID).id
            let account = try AccountUpkeepService.find(body.named, scope.reading)
            guard let word = OfferCodeWord(body.code),
                let code = try scope.reading.offerCode(named: word.text, in: app)
            else { throw Refusal.offerCodeUnknown }
            if let before = try scope.reading.redemption(of: code, by: account.id) {
                return Redeemed(
                    account: account, code: code.code, transaction: before.transaction)
            }
            return try redeem(code, word, for: account, in: app, scope, time: time)
        }
        if let redemption = redeemed.redemption, let outcome = redeemed.outcome {
            RedemptionService.tell(outcome, of: redemption, in: call.context)
        }
        return redeemed.body
    }

    private struct Redeemed: Sendable {
        let account: Account
        let code: OfferCode
        let transaction: TransactionID?
        var redemption: Redemption?
        var outcome: Purchase.Outcome?

        var body: TakenOfferBody {
            TakenOfferBody(
                environment: account.environment, account: account.name,
                productId: code.product.rawValue, offerId: code.offerID,
                transactionId: transaction.map { "\($0)" })
        }
    }

    private static func redeem(
        _ code: NamedOfferCode, _ word: OfferCodeWord, for account: Account, in app: AppID,
        _ scope: borrowing WriteScope, time: WorldTime
    ) throws -> Redeemed {
        guard let session = try scope.reading.latestSession(of: account, in: app)
        else {
            throw Refusal(
                409, "noDevice",
                "The account has no device in this app; sign in on one, or buy something.")
        }
        let count = try scope.reading.offerCode(number: code.code.number)
        let ordinal = (count?.redemptionCount ?? 0) + 1
        let redemption = Redemption(
            attempt: AttemptID("offer-code/\(code.code.number)/\(ordinal)"), code: code,
            word: word, session: session, account: account)
        let outcome = try redemption.carryOut(scope, time: time)
        // The refusal undoes it all: nothing is kept for the next time.
        if let refusal = Refusal(ofOffer: outcome.attempt) { throw refusal }
        return Redeemed(
            account: account, code: code.code, transaction: redemption.sold(outcome)?.id,
            redemption: redemption, outcome: outcome)
    }
}

extension Refusal {
    static let offerCodeUnknown = Refusal(
        404, "offerCodeUnknown", "This code is not valid; check how it is written.")

    fileprivate static func tooManyRedemptions(seconds: Int64) -> Refusal {
        Refusal(
            429, "tooManyRedemptions",
            "This account tried too many codes; try again in \(seconds) seconds.",
            retryAfterSeconds: seconds)
    }
}

extension Refusal {
    /// The refusal of an offer that an account is not eligible for or cannot pay; nil when it got
    /// the offer.
    init?(ofOffer attempt: Attempt) {
        guard let refusal = RefusalBody(of: attempt) else { return nil }
        self.init(409, "offerRefused", refusal.message)
    }
}
