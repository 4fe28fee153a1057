import StoreModel
import StoreRules
import StoreSigning

/// A promotional offer that is valid for a payment, as far as the offer itself decides.
struct SoundOffer: Hashable, Sendable {
    let offer: SubscriptionOffer
    let proof: VerifiedOffer
}

/// The reason why a payment's promotional offer is refused.
struct OfferFailure: Error, Hashable, Sendable {
    let refusal: OfferRefusal
    /// A sentence for the developer of the app or its server.
    let why: String
}

/// Checks a payment's promotional offer: it exists, the developer signed it, and it is cheaper.
///
/// Two things are checked elsewhere: whether the nonce was used before (`ReadScope.soundOffer`), in
/// the commit that uses it up, and whether this account is eligible (`SubscriptionPurchaseRules`).
struct PromotionalOfferCheck: Sendable {
    let keys: OfferKeyRing
    /// By the real clock.
    let now: Timestamp

    /// `price` is the product's price in its storefront without the offer.
    func check(
        _ discount: PromotionalDiscount, for product: Product, at price: Money,
        applicationUsername: String?
    ) throws(OfferFailure) -> SoundOffer {
        try Self.checkParts(of: discount)
        let offer = product.offers.first { $0.kind == .promotional && $0.id == discount.offerID }
        guard let offer, let period = product.renewalPeriod else {
            throw OfferFailure(
                refusal: .invalidOfferIdentifier,
                why: "The product has no promotional offer with that identifier.")
        }
        let proof = try verify(
            discount.proof,
            for: OfferTerms(
                product: product.id.rawValue, offer: discount.offerID,
                applicationUsername: applicationUsername))
        guard OfferPriceRules.isLower(offer, than: price, each: period) else {
            throw OfferFailure(
                refusal: .invalidOfferPrice,
                why: "The offer is not cheaper than the subscription without it.")
        }
        return SoundOffer(offer: offer, proof: proof)
    }

    private func verify(
        _ proof: PromotionalDiscount.Proof, for terms: OfferTerms
    ) throws(OfferFailure) -> VerifiedOffer {
        let verifier = OfferSignatureVerifier(keys, at: now)
        do throws(OfferSignatureRefusal) {
            switch proof {
            case .signature(let signature): return try verifier.verify(signature, for: terms)
            case .jws(let text): return try verifier.verify(jws: text, for: terms)
            case .incomplete: throw .malformed("parts of it are missing")
            }
        } catch {
            throw OfferFailure(refusal: .invalidSignature, why: "\(error)")
        }
    }

    private static func checkParts(
        of discount: PromotionalDiscount
    ) throws(OfferFailure) {
        let parts =
            switch discount.proof {
            case .signature(let proof): [proof.keyID, proof.nonce, proof.signature]
            case .jws(let text): [text]
            case .incomplete: [""]
            }
        guard !discount.offerID.isEmpty, parts.allSatisfy({ !$0.isEmpty }) else {
            throw OfferFailure(
                refusal: .missingOfferParameters,
                why: "The offer's identifier or a part of its signature is missing.")
        }
    }
}
