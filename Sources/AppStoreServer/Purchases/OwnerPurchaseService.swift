import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Buys and restores for accounts, each on the device that the store keeps for it, through the same
/// functions as any device.
enum OwnerPurchaseService {
    /// `POST /control/v1/purchases`: a repeated request gets the same answer.
    static func buy(_ call: StoreCall, _ body: MakePurchaseBody) async throws -> AttemptAnswerBody {
        let wantsReceipts = try call.request.queryFlag(SentReceiptsBody.queryName)
        if body.test != nil {
            try call.context.placed(in: body.environment ?? .sandbox).requireTest()
        }
        let asked = try OwnerRequest(body)
        let (place, outcome) = try await OwnerDevice.use(
            of: NamedAccountBody(environment: body.environment, name: body.account),
            in: body.bundleId, appVersion: body.appVersion, call.context
        ) { ($0, try await asked.carryOut(at: $0)) }
        return try await answer(
            outcome, to: asked, at: place, withReceipts: wantsReceipts,
            finishing: body.finish == true)
    }

    /// The answer to a purchase that stands, whether or not its session still does.
    static func answer(
        _ outcome: Purchase.Outcome, to asked: OwnerRequest, at place: OwnerDevice.Place,
        withReceipts wantsReceipts: Bool, finishing: Bool
    ) async throws -> AttemptAnswerBody {
        var receipts: SentReceiptsBody?
        if wantsReceipts, let sold = outcome.transaction?.transaction {
            receipts = try await Self.receipts(for: sold, at: place)
        }
        // A finished consumable leaves the receipt, so that is made first.
        guard finishing, let sold = outcome.transaction, !sold.isOver else {
            return AttemptAnswerBody(outcome, receipts: receipts)
        }
        try await finish([sold], at: place)
        let known = try place.scene.world.database.read {
            try asked.purchase(at: place).known($0)
        }
        return AttemptAnswerBody(known, receipts: receipts)
    }

    private static func receipts(
        for sold: StoreTransaction, at place: OwnerDevice.Place
    ) async throws -> SentReceiptsBody? {
        let (session, account, scene) = (place.session, place.account, place.scene)
        let isLarge = try scene.world.database.read {
            try $0.isReceiptLarge(of: account.id, in: session.app)
        }
        let make: @Sendable () async -> SentReceiptsBody? = {
            await scene.parts.sign(isLarge: isLarge) {
                SentReceipts.make(for: sold, session, account, in: scene)
            }
        }
        if let present = await make() { return present }
        // A purchase that waited was sold without a receipt for the device.
        try await ReceiptService.renew(on: session, of: account, in: scene)
        return await make()
    }

    /// `POST /control/v1/restores`: a repeated request for a page gets the same answer.
    static func restore(_ call: StoreCall, _ body: MakeRestoreBody) async throws
        -> RestoreAnswerBody
    {
        let asked = try RestoreRequest(
            RestoreRequestBody(
                restoreId: body.restoreId, applicationUsername: body.applicationUsername,
                after: body.after))
        let time = call.world.time
        let answer: @Sendable (OwnerDevice.Place, Bool) async throws -> Restore.Outcome = {
            place, isFirst in
            let restore = Restore(
                request: asked, session: place.session, account: place.account,
                environment: place.account.environment)
            return try await place.scene.commit { scope in
                if isFirst { try scope.requireToken(of: place.session) }
                return try restore.answer(scope, time: time)
            }
        }
        let (place, outcome) = try await OwnerDevice.use(
            of: NamedAccountBody(environment: body.environment, name: body.account),
            in: body.bundleId, appVersion: body.appVersion, call.context
        ) { ($0, try await answer($0, true)) }
        RestoreService.tell(outcome, of: place.account, in: place.scene)
        let waiting = outcome.transactions.filter { !$0.isOver }
        guard body.finish == true, !waiting.isEmpty else { return RestoreAnswerBody(outcome) }
        try await finish(waiting, at: place)
        return RestoreAnswerBody(try await answer(place, false))
    }

    /// Finishes transactions, or the answers to attempts that only changed a renewal, in one commit.
    /// They are the account's, even if its session ended since they were sold.
    private static func finish(
        _ delivered: [DeliveredTransaction], at place: OwnerDevice.Place
    ) async throws {
        let (session, account) = (place.session, place.account)
        let time = place.scene.world.time
        let finished = try await place.scene.commit { scope in
            let now = time.recordNow()
            return try delivered.map { delivered in
                guard let attempt = delivered.answered else {
                    return try FinishService.finish(delivered.transaction, at: now, scope)
                }
                return try FinishService.finish(
                    attempt, answeredWith: delivered.transaction, by: session, of: account,
                    at: now, scope)
            }
        }
        for one in finished {
            FinishService.tell(one, of: account, on: session, in: place.scene)
        }
    }
}

/// A purchase that the owner asks for, within the limits.
struct OwnerRequest: Sendable {
    let request: PurchaseRequest
    /// The code to redeem; nil for any other purchase.
    var code: OfferCodeWord?

    init(_ body: MakePurchaseBody) throws {
        var request = try PurchaseRequest(
            AttemptRequestBody(
                attemptId: body.attemptId, productId: body.productId,
                quantity: body.quantity ?? 1, applicationUsername: body.applicationUsername,
                test: body.test))
        guard let offer = body.offer else {
            self.request = request
            return
        }
        var asked = [request.offer].compactMap(\.self)
        if let signed = offer.signed { asked.append(.discount(signed)) }
        if let id = offer.promotional {
            asked.append(.promised(try Self.checkedID(id, "promotional")))
        }
        if let id = offer.winBack { asked.append(.winBack(try Self.checkedID(id, "winBack"))) }
        request.mustIntroduce = offer.introductory == true
        if let typed = offer.code {
            guard let word = OfferCodeWord(typed) else { throw Refusal.offerCodeUnknown }
            guard request.quantity == 1, request.applicationUsername == nil else {
                throw Refusal(
                    409, "offerRefused",
                    "A code is redeemed for one, without an applicationUsername.")
            }
            guard request.test == nil else {
                throw Refusal(
                    422, "badField",
                    "A code is redeemed now; give test.codeOfferReferenceName instead of it.")
            }
            code = word
        }
        guard asked.count + (code == nil ? 0 : 1) + (request.mustIntroduce ? 1 : 0) <= 1 else {
            throw Refusal(422, "badField", "offer must have one member; choose one offer.")
        }
        request.offer = asked.first
        self.request = request
    }

    private static func checkedID(_ id: String, _ member: String) throws -> String {
        try checked(id, "offer.\(member)", bytesMax: Limits.identifierBytesMax)
    }

    func purchase(at place: OwnerDevice.Place) -> Purchase {
        Purchase(
            request: request, session: place.session, account: place.account,
            environment: place.account.environment)
    }

    func carryOut(at place: OwnerDevice.Place) async throws -> Purchase.Outcome {
        if let code {
            let product = request.product
            return try await RedemptionService.redeem(
                code, as: request.attempt, on: place.session, for: place.account, in: place.scene
            ) { found in
                guard found == product else {
                    throw Refusal(
                        409, "offerRefused", "The code is for the product \(found.rawValue).")
                }
            }
        }
        let purchase = purchase(at: place)
        return try await withCheckedThrowingContinuation { continuation in
            PurchaseService.carryOut(purchase, in: place.scene) { continuation.resume(with: $0) }
        }
    }
}
