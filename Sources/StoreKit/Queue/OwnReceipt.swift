import Foundation

/// The receipt of one purchase alone.
enum OwnReceipt: Hashable, Sendable {
    case brought(Data)
    /// The store is asked for it when the app reads it.
    case late(LateReceipts)

    /// Its bytes, which may take a question to the store; nil when they cannot be had now.
    func bytes(of transactionId: String) -> Data? {
        switch self {
        case .brought(let bytes): bytes
        case .late(let others): others.receipt(of: transactionId)
        }
    }
}
