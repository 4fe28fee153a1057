import StoreModel
import StoreSigning
import StoreVerification
import StoreWire

/// The offer that an attempt asks for with its product.
enum RequestedOffer: Sendable {
    /// A promotional offer, with what the app's server signed.
    case discount(DiscountBody)
    /// A promotional offer whose signature was valid when the attempt, which now waits, was made.
    case promised(String)
    /// A win-back offer.
    case winBack(String)
    /// The offer of a code that someone typed.
    case code(NamedOfferCode, word: OfferCodeWord)

    /// The promotional offer that a waiting purchase is stored with.
    var promotionalID: String? {
        switch self {
        case .discount(let body): body.identifier
        case .promised(let id): id
        case .winBack, .code: nil
        }
    }

    /// The field of an attempt's digest for it, unique for each offer.
    var digestField: String {
        switch self {
        case .discount(let body): "discount \(body.digestText)"
        case .promised(let id): "promised \(id)"
        case .winBack(let id): "winBack \(id)"
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
