public import Foundation

extension Transaction {
    /// What came of a request for a refund.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The store has the request.
        case success
        /// The customer did not send it.
        case userCancelled
    }

    /// Why a refund could not be requested.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// The store has a request for this transaction.
        case duplicateRequest
        /// It did not reach the store.
        case failed
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Transaction.RefundRequestError: LocalizedError {
    /// What went wrong.
    public var errorDescription: String? { "The refund could not be requested." }

    /// Why it did.
    public var failureReason: String? {
        switch self {
        case .duplicateRequest: "A refund of this purchase was requested before."
        case .failed: "The request did not reach the store."
        }
    }

    /// What may help.
    public var recoverySuggestion: String? {
        switch self {
        case .duplicateRequest: "Wait for the answer to the first request."
        case .failed: "Try again later."
        }
    }
}
