import StoreModel
import StoreSigning
import StoreVerification
import StoreWire

/// A word of the app's server that decides, instead of the store's own rule, whether a purchase begins
/// with an introductory offer.
enum RequestedIntroduction: Sendable {
    /// The JWS of the app's server.
    case jws(String)
    /// The word of a JWS that was valid when the attempt, which now waits, was made.
    case decided(isAllowed: Bool)

    /// The field of an attempt's digest for it: an app may put anything into a JWS.
    var digestField: String {
        switch self {
        case .jws(let text): "introduction \(hexadecimal(sha256(Array(text.utf8))))"
        case .decided(let isAllowed): "introduction \(isAllowed)"
        }
    }
}

/// The offer that an attempt asks for with its product.
enum RequestedOffer: Sendable {
    /// A promotional offer, with what the app's server signed.
    case discount(DiscountBody)
    /// A promotional offer that needs no signature: the owner or a test wants it, or the signature was
    /// valid when the attempt, which now waits, was made.
    case promised(String)
    /// A win-back offer that the account takes outside the app.
    case winBack(String)
    /// A win-back offer that a payment in the app uses.
    case winBackInApp(String)
    /// The offer of a product's codes, by its reference name: tests need no code.
    case codeOffer(String)
    /// The offer of a code that someone typed.
    case code(NamedOfferCode, word: OfferCodeWord)

    /// The promotional offer that a waiting purchase is stored with.
    var promotionalID: String? {
        switch self {
        case .discount(let body): body.identifier
        case .promised(let id): id
        case .winBack, .winBackInApp, .codeOffer, .code: nil
        }
    }

    /// The win-back offer that a waiting purchase is stored with.
    var winBackID: String? {
        guard case .winBackInApp(let id) = self else { return nil }
        return id
    }

    /// The field of an attempt's digest for it, unique for each offer.
    var digestField: String {
        switch self {
        case .discount(let body): "discount \(body.digestText)"
        case .promised(let id): "promised \(id)"
        case .winBack(let id), .winBackInApp(let id): "winBack \(id)"
        case .codeOffer(let name): "codeOffer \(name)"
        case .code(_, let word): "code \(word.text)"
        }
    }
}

extension DiscountBody {
    /// SHA-256 of each part that is present, in hexadecimal digits: an app may put anything into
    /// one.
    fileprivate var digestText: String {
        let parts = [
            identifier, keyIdentifier, nonce, signature, timestamp.map { "\($0)" }, compactJWS,
        ]
        return parts.map { part in
            part.map { hexadecimal(sha256(Array($0.utf8))) } ?? "-"
        }.joined(separator: " ")
    }
}
