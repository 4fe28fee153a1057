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
        guard try !isUsed(sound.proof.nonce, in: app) else {
            throw OfferFailure(
                refusal: .invalidSignature, why: "The offer's nonce was used before.")
        }
        return sound
    }
}

extension WriteScope {
    /// Uses up the nonce of an offer that was found valid in this commit.
    borrowing func useUp(_ sound: SoundOffer, in app: AppID, realNow: Timestamp) throws {
        let isNew = try use(
            sound.proof.nonce, in: app, untilReal: sound.proof.endsAt, realNow: realNow)
        guard isNew else {
            throw DatabaseError(code: .other, detail: "an offer's nonce was used meanwhile")
        }
    }
}

extension OfferCodeWord {
    /// The stored form of a one-time code. Nobody can guess one, so a plain digest hides it.
    var digest: [UInt8] { sha256(Array(text.utf8)) }
}
