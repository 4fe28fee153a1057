import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreWire

/// The store's judgement of the offer that an attempt asks for.
struct JudgedOffer: Sendable {
    var asked = AskedOffer.none
    /// The nonce of what an app's server signed, which is used up when the attempt succeeds or
    /// waits.
    var nonce: (text: OfferNonce, endsAt: Timestamp)?
    /// Whether an app's server allows an introductory offer; nil where the store decides.
    var isIntroductionAllowed: Bool?
    /// Why the offer is refused, for the log of the store's owner.
    var why: String?
}

// Offers that payments carry.
extension Purchase {
    /// Judges the offer, in the commit that decides the attempt.
    func judgeOffer(
        for product: Product?, _ scope: borrowing ReadScope, now: Timestamp, realNow: Timestamp
    ) throws -> JudgedOffer {
        // Without a product the attempt is refused anyway.
        guard let product else { return JudgedOffer() }
        if let introduction = request.introduction {
            return try judge(introduction, for: product, scope, realNow: realNow)
        }
        guard let wanted = request.offer else { return JudgedOffer() }
        switch wanted {
        case .discount(let body):
            return try judge(body.discount, for: product, scope, now: now, realNow: realNow)
        case .promised(let id):
            return JudgedOffer(asked: named(id, .promotional, of: product, now: now))
        case .winBack(let id):
            return JudgedOffer(asked: named(id, .winBack, of: product, now: now))
        case .winBackInApp(let id):
            let asked = named(id, .winBack, of: product, now: now)
            return JudgedOffer(asked: asked.offer.map { .winBackInApp($0) } ?? asked)
        case .codeOffer(let name):
            return JudgedOffer(asked: named(name, .code, of: product, now: now))
        case .code(let named, _):
            return JudgedOffer(asked: try judge(named, for: product, scope, now: now))
        }
    }

    /// Uses up a single-use signature when the attempt succeeds or waits. A refused attempt may be
    /// tried again with the same signature, as when the price has changed; one that waited and is
    /// refused later gives it back.
    func useUp(
        _ judged: JudgedOffer, for decision: PurchaseDecision, _ scope: borrowing WriteScope,
        realNow: Timestamp
    ) throws {
        guard let nonce = judged.nonce else { return }
        switch decision {
        case .answerKnown, .idReused, .refuse, .unpaid, .later: break
        case .sell, .subscribe, .changeRenewal, .wait, .ask:
            try scope.useUp(
                nonce.text, until: nonce.endsAt, in: session.app, realNow: realNow)
        }
    }

    /// Throws unless the purchase begins with an introductory offer at once, before anything is kept
    /// for the next time. A purchase that waits is decided anew later, when the offer may be gone.
    func requireIntroduction(in decision: PurchaseDecision) throws {
        switch decision {
        case .answerKnown, .idReused, .refuse, .unpaid, .later: return
        case .subscribe(let bill, _) where bill.offer?.kind == .introductory: return
        case .sell, .subscribe, .changeRenewal:
            throw Refusal(
                409, "offerRefused",
                "No introductory offer of this product applies to the account now.")
        case .wait, .ask:
            throw Refusal(
                409, "offerRefused",
                "The purchase would have to wait, and an introductory offer cannot be made sure of "
                    + "until then: buy without asking for it, and it applies if it still can.")
        }
    }

    private func judge(
        _ discount: PromotionalDiscount, for product: Product, _ scope: borrowing ReadScope,
        now: Timestamp, realNow: Timestamp
    ) throws -> JudgedOffer {
        do {
            let sound = try scope.soundOffer(
                discount, for: product, at: price(of: product, now: now), in: session.app,
                bundleID: session.bundleID, applicationUsername: request.applicationUsername,
                realNow: realNow)
            if let text = sound.proof.transactionID { try requireOwn(text, scope) }
            return JudgedOffer(
                asked: .sound(sound.offer), nonce: (sound.proof.nonce, sound.proof.endsAt))
        } catch let failure as OfferFailure {
            return JudgedOffer(asked: .refused(RefusalCode(failure.refusal)), why: failure.why)
        }
    }

    private func judge(
        _ introduction: RequestedIntroduction, for product: Product, _ scope: borrowing ReadScope,
        realNow: Timestamp
    ) throws -> JudgedOffer {
        switch introduction {
        case .decided(let isAllowed): return JudgedOffer(isIntroductionAllowed: isAllowed)
        case .jws(let text):
            guard product.kind == .autoRenewable else {
                return JudgedOffer(
                    asked: .refused(.invalidOfferIdentifier),
                    why: "The product is not a subscription that renews, so it has no "
                        + "introductory offer.")
            }
            do {
                let found = try scope.soundIntroduction(
                    text, for: product.id, in: session.app, bundleID: session.bundleID,
                    realNow: realNow)
                try requireOwn(found.transactionID, scope)
                return JudgedOffer(
                    nonce: (found.nonce, found.endsAt), isIntroductionAllowed: found.isAllowed)
            } catch let failure as OfferFailure {
                return JudgedOffer(asked: .refused(RefusalCode(failure.refusal)), why: failure.why)
            }
        }
    }

    /// Throws unless a JWS names a transaction of this account, or its app transaction, which is how
    /// it says which customer it is for.
    private func requireOwn(_ text: String, _ scope: borrowing ReadScope) throws {
        if let number = Int64(text), "\(number)" == text {
            let transaction = try scope.transaction(TransactionID(number))
            if transaction?.account == account.id, transaction?.app == session.app { return }
            let appTransaction = try scope.appTransaction(of: account.id, in: session.app)
            if appTransaction?.id.rawValue == number { return }
        }
        throw OfferFailure(
            refusal: .invalidSignature,
            why: "The signature is for the account of transaction \(text.prefix(32)), not for "
                + "this one.")
    }

    /// By the catalogue of this moment, as the price is.
    private func named(
        _ id: String, _ kind: SubscriptionOffer.Kind, of product: Product, now: Timestamp
    ) -> AskedOffer {
        let offer = product.offers.first { $0.kind == kind && $0.id == id }
        guard let offer, let period = product.renewalPeriod else {
            return .refused(.invalidOfferIdentifier)
        }
        return OfferPriceRules.isLower(offer, than: price(of: product, now: now), each: period)
            ? .sound(offer) : .refused(.invalidOfferPrice)
    }

    private func judge(
        _ named: NamedOfferCode, for product: Product, _ scope: borrowing ReadScope,
        now: Timestamp
    ) throws -> AskedOffer {
        guard let code = try scope.offerCode(number: named.code.number)?.code else {
            return .refused(.offerCodeDeactivated)
        }
        let fresh = NamedOfferCode(code: code, digest: named.digest)
        if let refusal = try scope.refusal(of: fresh, by: account.id, at: now) {
            return .refused(RefusalCode(refusal))
        }
        return code.offer(of: product).map { .sound($0) } ?? .refused(.invalidOfferIdentifier)
    }

    private func price(of product: Product, now: Timestamp) -> Money {
        PriceRules.price(of: product, in: account.storefront, at: now)
    }
}
