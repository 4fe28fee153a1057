import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Asks accounts about prices, lists the questions, and takes answers, from devices and for tests.
enum PriceConsentService {
    /// `POST /device/v1/price-consents/{number}/agree` and `…/decline`: a repeated request gets the
    /// same answer; 409 once the other answer was given.
    static func answerOnDevice(_ call: StoreCall, _ answer: PriceConsent.Answer, number: String)
        async throws -> DevicePriceConsentBody
    {
        let (session, account) = try call.context.signedIn(call.request)
        let time = call.world.time
        let consent = try await call.context.commit { scope in
            try scope.requireToken(of: session)
            // A question to another account, or to this one in another app, is unknown here.
            guard let wanted = Int64(number), "\(wanted)" == number,
                let consent = try scope.reading.priceConsent(wanted),
                consent.account == account.id, consent.app == session.app
            else { throw Refusal.priceConsentUnknown }
            try scope.take(answer, to: consent.number, in: account.environment, time: time)
            return try scope.reading.priceConsent(consent.number) ?? consent
        }
        call.world.updates.wake(account.id, byDevice: session.device)
        call.world.wakeFamily(of: account.id)
        call.log.event(
            StoreEvent.priceConsentAnswered, ("account", .number(account.id.rawValue)),
            ("question", .number(consent.number)), ("answer", .text(answer.rawValue)))
        return DevicePriceConsentBody(consent)
    }

    static func list(_ call: StoreCall) throws -> PriceConsentsBody {
        let after = try call.request.after()
        let page = try call.world.database.read { scope in
            try Page(of: Limits.priceConsentsPerAnswerMax) {
                try scope.priceConsents(after: after, countMax: $0)
            }
        }
        return PriceConsentsBody(
            priceConsents: page.items.map { PriceConsentBody($0) },
            next: page.next(\.consent.number))
    }

    static func show(_ call: StoreCall, number: String) throws -> PriceConsentBody {
        PriceConsentBody(try call.world.database.read { try find(number, $0) })
    }

    /// `POST /control/v1/price-consents`: 201; 200 when the same question already waits.
    static func ask(_ call: StoreCall, _ body: AskPriceConsentBody) async throws -> HTTPResponse {
        let price = try ProductService.checkedPrice(body.price)
        let time = call.world.time
        let asked = try await call.context.commit { scope in
            try ask(body, price, time: time, scope)
        }
        if asked.isNew {
            call.world.updates.wake(asked.named.account.id)
            call.log.event(
                StoreEvent.priceConsentAsked,
                ("account", .number(asked.named.account.id.rawValue)),
                ("question", .number(asked.named.consent.number)))
        }
        return try .json(encoding: PriceConsentBody(asked.named), status: asked.isNew ? 201 : 200)
    }

    /// `POST /control/v1/price-consents/{number}/agree` and `…/decline`: what the customer would
    /// answer on a device; a repeated request gets the same answer, 409 once the other was given.
    static func answer(_ call: StoreCall, _ answer: PriceConsent.Answer, number: String)
        async throws -> PriceConsentBody
    {
        let time = call.world.time
        let named = try await call.context.commit { scope in
            let named = try find(number, scope.reading)
            try scope.take(
                answer, to: named.consent.number, in: named.account.environment, time: time)
            return try find(number, scope.reading)
        }
        call.world.updates.wake(named.account.id)
        call.world.wakeFamily(of: named.account.id)
        call.log.event(
            StoreEvent.priceConsentAnswered, ("account", .number(named.account.id.rawValue)),
            ("question", .number(named.consent.number)), ("answer", .text(answer.rawValue)))
        return PriceConsentBody(named)
    }

    private struct Asked: Sendable {
        let named: NamedPriceConsent
        let isNew: Bool
    }

    private static func ask(
        _ body: AskPriceConsentBody, _ price: Price, time: WorldTime,
        _ scope: borrowing WriteScope
    ) throws -> Asked {
        let now = time.now()
        let account = try AccountUpkeepService.find(body.named, scope.reading)
        let app = try scope.reading.knownApp(body.bundleId).id
        let product = try scope.reading.knownProduct(body.productId, of: app).product
        try ProductService.check(price, in: account.storefront.currency)
        let pending = try scope.reading.pendingPriceConsents(of: account.id, in: app)
        func asked(_ consent: PriceConsent, isNew: Bool) -> Asked {
            Asked(
                named: NamedPriceConsent(
                    consent: consent, account: account, bundleID: body.bundleId),
                isNew: isNew)
        }
        switch PriceConsentRules.asking(
            price, for: product, in: account.storefront, at: now, pending: pending,
            isSubscribed: try isSubscribed(account, to: product, in: app, scope.reading))
        {
        case .refuse(let reason): throw Refusal(reason)
        case .answerKnown(let known): return asked(known, isNew: false)
        case .ask(let old, let new):
            let now = time.record(now)
            let consent = try scope.addPriceConsent(
                of: account.id, in: app, to: product.id, old: old, new: new, at: now)
            try scope.record(
                .priceAsked(question: consent.number), for: account.id, in: app,
                account.environment, at: now)
            return asked(consent, isNew: true)
        }
    }

    /// Whether the account has a subscription to a product that renews, as it or as another.
    private static func isSubscribed(
        _ account: Account, to product: Product, in app: AppID, _ scope: borrowing ReadScope
    ) throws -> Bool {
        guard let group = product.subscriptionGroup,
            let state = try scope.subscription(of: account.id, in: app, group: group)?.state,
            state.isOpen, state.isAutoRenewing
        else { return false }
        return state.product == product.id || state.nextProduct == product.id
    }

    private static func find(
        _ text: String, _ scope: borrowing ReadScope
    ) throws -> NamedPriceConsent {
        guard let number = Int64(text), "\(number)" == text,
            let named = try scope.namedPriceConsent(number)
        else { throw Refusal.priceConsentUnknown }
        return named
    }
}

extension Refusal {
    fileprivate init(_ refusal: PriceConsentRefusal) {
        switch refusal {
        case .notRenewable:
            self.init(
                409, "notRenewable",
                "Only an auto-renewable subscription asks for consent: buyers of other products see their "
                    + "price.")
        case .otherPending: self = .otherPricePending
        case .subscribed:
            self.init(
                409, "subscribed",
                "The account subscribes to this product, and an answer would not count: raise the price "
                    + "of its subscription with consent, which asks.")
        case .noIncrease:
            self.init(
                409, "noPriceIncrease",
                "The account already pays as much or more, so no consent is needed.")
        case .tooManyPending:
            self.init(
                409, "tooManyPriceConsents",
                "The account has \(PriceConsentRules.pendingMax) unanswered price questions in this "
                    + "app, which is the limit.")
        }
    }
}

extension PriceConsentBody {
    init(_ named: NamedPriceConsent) {
        self.init(
            named.consent, environment: named.account.environment, account: named.account.name,
            bundleId: named.bundleID)
    }
}
