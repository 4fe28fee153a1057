import StoreCaller

/// Why the store did not give what was asked.
struct StoreFailure: Error, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        /// No answer, or one that says to come again: what was asked may have happened.
        case lost
        /// The store understood and said no.
        case refused(status: Int, code: String)
        /// Nobody is signed in, or somebody else is.
        case signedOut
        /// The store that answers is another world than the one this belongs to.
        case otherWorld
        /// We ended the call ourselves.
        case cancelled
    }

    let kind: Kind
    let sentence: String
    /// Of what is `lost`: whether the store answered, though nothing that helps.
    let isAnswer: Bool

    /// Whether asking again would be answered the same.
    var isRefusal: Bool {
        if case .refused = kind { true } else { false }
    }

    var description: String { sentence }

    init(_ kind: Kind, _ sentence: String, isAnswer: Bool = false) {
        self.kind = kind
        self.isAnswer = isAnswer
        self.sentence = sentence
    }

    init(_ error: CallerError, url: String) {
        switch error.code {
        case .cancelled: self.init(.cancelled, "the call was ended")
        case .badURL: self.init(.lost, "STOREKIT_URL cannot be called: \(error.detail)")
        default: self.init(.lost, "The store at \(url) cannot be reached (\(error)).")
        }
    }
}
