import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreVerification

/// A code as someone named it.
struct NamedOfferCode: Sendable {
    /// The custom code, or the batch that the one-time code is in.
    let code: OfferCode
    /// The digest of a one-time code; nil for a custom one.
    let digest: [UInt8]?
}

extension ReadScope {
    /// The code that someone typed, in capitals or not, whatever its state; nil when the app has
    /// none like it.
    borrowing func offerCode(named text: String, in app: AppID) throws -> NamedOfferCode? {
        guard let word = OfferCodeWord(text) else { return nil }
        if let code = try customCode(word, in: app) {
            return NamedOfferCode(code: code, digest: nil)
        }
        let digest = word.digest
        return try batch(ofCodeDigest: digest, in: app).map {
            NamedOfferCode(code: $0, digest: digest)
        }
    }

    /// Why an account cannot redeem a code; nil when it can.
    borrowing func refusal(
        of named: NamedOfferCode, by account: AccountID, at now: Timestamp
    ) throws -> OfferCodeRefusal? {
        let use = try use(of: named.code, digest: named.digest, by: account)
        return OfferCodeRules.refusal(of: named.code, use, at: now)
    }

    /// The promotional offer of a payment when it is valid and was not used before; throws an
    /// `OfferFailure` otherwise. A caller that grants it uses it up in the same commit.
    ///
    /// Only for new attempts: a repeated one is answered before this. `price` is the product's
    /// price in its storefront without the offer.
    borrowing func soundOffer(
        _ discount: PromotionalDiscount, for product: Product, at price: Money, in app: AppID,
        bundleID: String, applicationUsername: String?, realNow: Timestamp
    ) throws -> SoundOffer {
        let keys = try offerKeyRing(of: app, bundleID: bundleID)
        let sound = try PromotionalOfferCheck(keys: keys, now: realNow).check(
            discount, for: product, at: price, applicationUsername: applicationUsername)
        try requireUnused(sound.proof.nonce, in: app)
        return sound
    }

    /// Reads what an app's server says of a customer's introductory offer; throws an `OfferFailure`
    /// unless its JWS is valid and was not used before.
    borrowing func soundIntroduction(
        _ jws: String, for product: ProductID, in app: AppID, bundleID: String, realNow: Timestamp
    ) throws -> VerifiedIntroduction {
        let verifier = OfferSignatureVerifier(
            try offerKeyRing(of: app, bundleID: bundleID), at: realNow)
        let found: VerifiedIntroduction
        do throws(OfferSignatureRefusal) {
            found = try verifier.verify(introduction: jws, for: product.rawValue)
        } catch {
            throw OfferFailure(refusal: .invalidSignature, why: "\(error)")
        }
        try requireUnused(found.nonce, in: app)
        return found
    }

    private borrowing func requireUnused(_ nonce: OfferNonce, in app: AppID) throws {
        guard try !isUsed(nonce, in: app) else {
            throw OfferFailure(
                refusal: .invalidSignature, why: "The offer's nonce was used before.")
        }
    }
}

extension WriteScope {
    /// Uses up the nonce of a signature that was found valid in this commit; it is good until
    /// `end`.
    borrowing func useUp(
        _ nonce: OfferNonce, until end: Timestamp, in app: AppID, realNow: Timestamp
    ) throws {
        guard try use(nonce, in: app, untilReal: end, realNow: realNow) else {
            throw DatabaseError(code: .other, detail: "an offer's nonce was used meanwhile")
        }
    }
}

extension OfferCodeWord {
    /// The stored form of a one-time code. Nobody can guess one, so a plain digest hides it.
    var digest: [UInt8] { sha256(Array(text.utf8)) }
}
