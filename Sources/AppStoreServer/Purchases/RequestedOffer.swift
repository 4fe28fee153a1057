import StoreModel
import StoreSigning
import StoreWire

/// The offer that an attempt asks for beside its product.
enum RequestedOffer: Sendable {
    /// A promotional one, with what the app's server signed.
    case discount(DiscountBody)
    /// A promotional one whose signature was good when the attempt was made, which waits since.
    case promised(String)
    /// One that wins its person back.
    case winBack(String)
    /// The offer of a code that somebody typed.
    case code(NamedOfferCode, word: OfferCodeWord)

    /// What a purchase that waits is kept with.
    var promotionalID: String? {
        switch self {
        case .discount(let body): body.identifier
        case .promised(let id): id
        case .winBack, .code: nil
        }
    }

    /// What an attempt's digest says of it, by which no two are alike.
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
    /// SHA-256 of each part that is there, in hexadecimal digits: an app may put anything into one.
    fileprivate var digestText: String {
        let parts = [
            identifier, keyIdentifier, nonce, signature, timestamp.map { "\($0)" }, compactJWS,
        ]
        return parts.map { part in
            part.map { hexadecimal(sha256(Array($0.utf8))) } ?? "-"
        }.joined(separator: " ")
    }
}
