import Foundation
import StoreCaller

/// Why the store did not provide what was requested.
struct StoreFailure: Error, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        /// There was no answer, or one that asks to retry: the request may have been carried out.
        case lost
        /// The store understood and refused.
        case refused(status: Int, code: String)
        /// No account is signed in, or a different one is.
        case signedOut
        /// The store that answers is not the world that this belongs to.
        case otherWorld
        /// We ended the call ourselves.
        case cancelled
    }

    let kind: Kind
    let sentence: String
    /// For `lost`: whether the store answered, though with nothing usable.
    let isAnswer: Bool
    /// For `lost`: the code of the app's `URLError`.
    let urlCode: URLError.Code

    /// Signed data of the store that cannot be read. Nothing of the answer is kept.
    static let unreadable = StoreFailure(
        .lost, "The store's answer has signed data that cannot be read.", isAnswer: true)

    /// Whether asking again would get the same answer.
    var isRefusal: Bool {
        if case .refused = kind { true } else { false }
    }

    var description: String { sentence }

    init(
        _ kind: Kind, _ sentence: String, isAnswer: Bool = false, urlCode: URLError.Code? = nil
    ) {
        self.kind = kind
        self.isAnswer = isAnswer
        self.urlCode = urlCode ?? (isAnswer ? .badServerResponse : .cannotConnectToHost)
        self.sentence = sentence
    }

    init(_ error: CallerError, url: String) {
        switch error.code {
        case .cancelled: self.init(.cancelled, "the call was ended")
        case .badURL:
            self.init(.lost, "STOREKIT_URL cannot be called: \(error.detail)", urlCode: .badURL)
        default:
            self.init(
                .lost, "The store at \(url) cannot be reached (\(error)).", urlCode: error.urlCode)
        }
    }
}

extension CallerError {
    /// What Foundation calls it.
    fileprivate var urlCode: URLError.Code {
        switch code {
        case .badURL: .badURL
        case .unreachable, .addressRefused, .other: .cannotConnectToHost
        case .notTLS: .secureConnectionFailed
        case .notTrusted: .serverCertificateUntrusted
        case .timedOut: .timedOut
        case .answerTooLarge: .dataLengthExceedsMaximum
        case .notAnswered, .incompleteAnswer, .connectionLost: .networkConnectionLost
        case .badAnswer: .badServerResponse
        case .cancelled: .cancelled
        }
    }
}
