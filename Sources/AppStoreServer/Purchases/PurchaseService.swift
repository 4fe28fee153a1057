import StoreLog
import CrashPoints
import Dispatch
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Turns attempts into transactions.
enum PurchaseService {
    /// `POST /device/v1/attempts`
    static func attempt(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            let body = try request.decoded(AttemptRequestBody.self)
            if body.test != nil { try scene.requireTest() }
            let asked = try PurchaseRequest(body)
            let environment = try scene.placed()
            let enclosure = try PurchaseEnclosure(request)
            let purchase = Purchase(
                request: asked, session: session, account: account, environment: environment,
                returnsCurrentPeriod: enclosure == .signedData)
            carryOut(purchase, in: scene) { result in
                scene.attempt(responder) {
                    try send(result.get(), of: purchase, with: enclosure, in: scene, responder)
                }
            }
        }
    }

    /// Decides an attempt in one commit, and reports it; `done` is called once, at once or after a
    /// payment provider had a moment to answer.
    static func carryOut(
        _ purchase: Purchase, in scene: Scene,
        then done: @escaping @Sendable (Result<Purchase.Outcome, any Error>) -> Void
    ) {
        let time = scene.world.time
        scene.world.database.write { scope in
            try scope.requireToken(of: purchase.session)
            return try purchase.decide(scope, time: time)
        } then: { result in
            guard case .success(let outcome) = result else { return done(result) }
            CrashPoint.storePurchaseCommitted.reach()
            tell(outcome, of: purchase, in: scene)
            guard outcome.attempt.state.isOfProvider, let payments = scene.world.payments else {
                return done(result)
            }
            let known = { @Sendable in
                Result { try scene.world.database.read { try purchase.known($0) } }
            }
            // Most providers answer while the device waits.
            let key = AttemptKey(
                device: purchase.session.device, attempt: purchase.request.attempt)
            payments.afterDecision(on: key, milliseconds: Limits.paymentWaitMilliseconds) {
                done(known())
            }
            // It may have been decided before anyone waited.
            if case .success(let outcome) = known(), !outcome.attempt.state.isOfProvider {
                payments.tellWaiters(of: key)
            }
        }
    }

    private static func send(
        _ outcome: Purchase.Outcome, of purchase: Purchase, with enclosure: PurchaseEnclosure,
        in scene: Scene, _ responder: Responder
    ) throws {
        guard enclosure != .none, outcome.transaction != nil else {
            return responder.send(try answer(outcome))
        }
        // The writer's thread does not sign.
        DispatchQueue.global().async {
            scene.answer(responder) {
                try answer(
                    outcome, with: enclosure, purchase.session, purchase.account, in: scene)
            }
        }
    }

    /// The answer with what the device wants along with it; signs.
    static func answer(
        _ outcome: Purchase.Outcome, with enclosure: PurchaseEnclosure, _ session: DeviceSession,
        _ account: Account, in scene: Scene
    ) throws -> HTTPResponse {
        var body = AttemptAnswerBody(outcome)
        if let sold = outcome.transaction {
            switch enclosure {
            case .none: break
            case .receipts:
                body.receipts = SentReceipts.make(
                    for: sold.transaction, session, account, in: scene)
            case .signedData:
                body.signed = SignedPurchase.make(for: sold, session, account, in: scene)
            }
        }
        return .json(try WireJSON.encode(body))
    }

    static func tell(_ outcome: Purchase.Outcome, of purchase: Purchase, in scene: Scene) {
        let log = scene.log.adding("account", .number(purchase.account.id.rawValue))
        if outcome.isNew, let period = outcome.transaction, period.answered != nil {
            wakeForSettled(of: purchase, in: scene)
            log.event(
                StoreEvent.purchaseSoldNothing,
                ("transaction", .number(period.transaction.id.rawValue)))
        } else if outcome.isNew, let sold = outcome.transaction {
            if sold.transaction.subscription != nil { scene.world.renewals.wake() }
            scene.world.updates.wake(purchase.account.id, byDevice: purchase.session.device)
            scene.world.wakeFamily(of: purchase.account.id)
            log.event(
                StoreEvent.purchased, ("transaction", .number(sold.transaction.id.rawValue)))
        } else if outcome.isNew, let refusal = outcome.attempt.refusal {
            wakeForSettled(of: purchase, in: scene)
            let told = outcome.why.map { log.adding("why", .text($0)) } ?? log
            told.event(StoreEvent.purchaseRefused, ("reason", .text(refusal.rawValue)))
        } else if outcome.isNew {
            wakeForSettled(of: purchase, in: scene)
            log.event(StoreEvent.purchaseWaits, ("state", .text(outcome.attempt.state.rawValue)))
        }
    }

    /// An attempt without a sale may still have settled what was due of a subscription.
    private static func wakeForSettled(of purchase: Purchase, in scene: Scene) {
        scene.world.renewals.wake()
        scene.world.updates.wake(purchase.account.id)
        scene.world.wakeFamily(of: purchase.account.id)
    }

    private static func answer(_ outcome: Purchase.Outcome) throws -> HTTPResponse {
        .json(try WireJSON.encode(AttemptAnswerBody(outcome)))
    }
}

extension AttemptAnswerBody {
    init(_ outcome: Purchase.Outcome, receipts: SentReceiptsBody? = nil) {
        self.init(
            attemptId: outcome.attempt.id.rawValue, state: outcome.attempt.state,
            transaction: outcome.transaction.map { TransactionBody($0) },
            refusal: RefusalBody(of: outcome.attempt),
            receiptRevision: outcome.receiptRevision, receipts: receipts)
    }
}

/// A device's request, within the limits.
struct PurchaseRequest: Sendable {
    let attempt: AttemptID
    let product: ProductID
    let quantity: Int
    let applicationUsername: String?
    /// The price that the sheet showed for the whole quantity; nil when it showed none.
    var shownPrice: Money?
    var simulatesAskToBuy = false
    var offer: RequestedOffer?
    var introduction: RequestedIntroduction?
    var test: TestPurchase?
    /// Whether it is refused unless it begins with an introductory offer, at once.
    var mustIntroduce = false
}

extension PurchaseRequest {
    init(_ body: AttemptRequestBody) throws {
        attempt = AttemptID(try checkedUUID(body.attemptId, "attemptId"))
        product = ProductID(
            try checked(body.productId, "productId", bytesMax: Limits.identifierBytesMax))
        quantity = body.quantity
        applicationUsername = try checkedUsername(body.applicationUsername)
        shownPrice = try Self.shownPrice(body)
        simulatesAskToBuy = body.simulatesAskToBuy ?? false
        introduction = body.introductoryOfferEligibility.map { .jws($0) }
        let offers =
            try [
                body.discount.map { RequestedOffer.discount($0) },
                body.promotionalOffer.map {
                    .discount(DiscountBody(identifier: $0.offerId, compactJWS: $0.jws))
                },
                body.winBackOfferId.map {
                    .winBackInApp(
                        try checked($0, "winBackOfferId", bytesMax: Limits.identifierBytesMax))
                },
            ].compactMap(\.self) + (body.test?.offers ?? [])
        test = try body.test.map { try TestPurchase($0) }
        guard offers.count + (introduction == nil ? 0 : 1) <= 1 else {
            throw Refusal(
                422, "badField",
                "A payment has one of discount, promotionalOffer, winBackOfferId, "
                    + "introductoryOfferEligibility and the offers of test; choose one.")
        }
        offer = offers.first
    }

    private static func shownPrice(_ body: AttemptRequestBody) throws -> Money? {
        if body.shownPriceMilliunits == nil, body.shownCurrency == nil { return nil }
        guard let milliunits = body.shownPriceMilliunits, milliunits >= 0,
            let currency = body.shownCurrency.flatMap({ Currency(code: $0) })
        else {
            throw Refusal(
                422, "badField",
                "shownPriceMilliunits must be a whole number from 0 up, and shownCurrency a "
                    + "currency's three capital letters; give both or neither.")
        }
        return Money(milliunits: milliunits, currency: currency)
    }

    /// SHA-256 of the whole request; no field can hold the separator. Newer members of the body
    /// count only when they are present, so that older attempts keep their digest.
    var digest: [UInt8] {
        var fields = [product.rawValue, "\(quantity)", applicationUsername ?? "\u{1}"]
        if let shownPrice {
            fields.append("shown \(shownPrice.milliunits) \(shownPrice.currency.code)")
        }
        if simulatesAskToBuy { fields.append("simulatesAskToBuy") }
        if let offer { fields.append(offer.digestField) }
        if let introduction { fields.append(introduction.digestField) }
        if mustIntroduce { fields.append("introductory") }
        if let test { fields.append(test.digestField) }
        return sha256(Array(fields.joined(separator: "\u{0}").utf8))
    }
}

extension TransactionBody {
    init(_ delivered: DeliveredTransaction) {
        let transaction = delivered.transaction
        self.init(
            transactionId: "\(transaction.id)", originalTransactionId: "\(transaction.original)",
            productId: transaction.product.rawValue, quantity: transaction.quantity,
            purchaseDate: transaction.purchasedAt,
            originalPurchaseDate: transaction.originallyPurchasedAt,
            attemptId: transaction.restoration?.restore.rawValue ?? transaction.attempt.rawValue,
            deviceGuid: delivered.deviceGuid,
            applicationUsername: transaction.applicationUsername,
            original: delivered.original.map { OriginalBody($0) })
        if delivered.isOver { isFinished = true }
        downloads = delivered.content.map { [DownloadBody($0, of: transaction.product)] }
    }
}

extension RefusalCode {
    /// The sentence the app shows.
    var message: String {
        switch self {
        case .quantityNotAllowed:
            "The quantity must be 1 to \(PurchaseRules.quantityMax), and 1 for a product that is "
                + "bought once."
        case .productUnknown: "The store does not know this product."
        case .productNotForSale: "This product has been removed from sale."
        case .kindNotSold: "This subscription has no group or no period, and cannot be sold."
        case .productionClosed:
            "This store's production environment did not take payments then; buy again."
        case .receiptFull:
            "This account has \(PurchaseRules.receiptPurchasesMax) purchases in this app, as many "
                + "as a receipt can show; finish those of consumables first."
        case .missingOfferParameters:
            "The offer's identifier or a part of its signature is missing."
        case .invalidOfferIdentifier: "This product has no such offer."
        case .invalidOfferSignature: "The offer's signature is not valid for this payment."
        case .invalidOfferPrice:
            "The offer is not cheaper than the subscription without it."
        case .offerCodeDeactivated: "This code has been ended."
        case .offerCodeExpired: "This code has expired."
        case .offerCodeUsedBefore: "You have redeemed a code for this offer already."
        case .offerCodeUsedUp: "This code has been redeemed already."
        case .priceChanged: "The price has changed since it was shown."
        case .tooManyWaiting:
            "This account already has \(PurchaseRules.waitingMax) waiting purchases; wait for "
                + "their answers first."
        case .declined: "The request to buy was declined."
        case .alreadySubscribed: "You are currently subscribed to this."
        case .offerNotEligible: "This offer is not for this account."
        case .insufficientCredit: "This account's store credit is less than the price."
        case .paymentDeclined: "Your payment was declined."
        case .paymentUnavailable: "The payment could not be made; try again later."
        }
    }
}
