/// Why a purchase is not granted, in the order in which the reasons are checked.
package enum GrantRefusal: Error, Hashable, Sendable {
    case storeRefused(status: Int)
    case sandboxNotAllowed
    case wrongBundle
    case wrongVersion
    case productUnknown
    case transactionNotInReceipt
    case notASubscription
    case cancelled
    case ownedByAnotherUser

    /// The name for programs.
    package var code: String {
        switch self {
        case .storeRefused: "storeRefused"
        case .sandboxNotAllowed: "sandboxNotAllowed"
        case .wrongBundle: "wrongBundle"
        case .wrongVersion: "wrongVersion"
        case .productUnknown: "productUnknown"
        case .transactionNotInReceipt: "transactionNotInReceipt"
        case .notASubscription: "notASubscription"
        case .cancelled: "cancelled"
        case .ownedByAnotherUser: "ownedByAnotherUser"
        }
    }

    /// The store's own status, when that was the reason.
    package var storeStatus: Int? {
        if case .storeRefused(let status) = self { status } else { nil }
    }

    /// The sentence for people.
    package var message: String {
        switch self {
        case .storeRefused(let status): Self.storeMessage(status)
        case .sandboxNotAllowed:
            "The receipt is from the sandbox, and this backend delivers real purchases only."
        case .wrongBundle: "The receipt belongs to another app."
        case .wrongVersion:
            "The receipt is from another version of the app than the one that sent it, or from "
                + "one that is no longer served."
        case .productUnknown: "This backend does not deliver a product with that identifier."
        case .transactionNotInReceipt:
            "The receipt does not contain that transaction of that product."
        case .notASubscription:
            "The store does not say when this subscription expires: its product is not an "
                + "auto-renewable subscription there."
        case .cancelled: "The store revoked this purchase."
        case .ownedByAnotherUser: "This purchase was delivered to another user."
        }
    }

    private static func storeMessage(_ status: Int) -> String {
        let meaning =
            switch status {
            case 21_002: "the receipt data is missing or malformed"
            case 21_003: "the receipt is not authentic"
            case 21_004: "the shared secret does not match"
            case 21_006: "the subscription has expired"
            case 21_007: "the receipt is from the sandbox"
            case 21_008: "the receipt is from production"
            case 21_010: "the receipt's account no longer exists"
            case VerifyAnswer.internalStatuses: "the store has a permanent error"
            default: "no reason given"
            }
        return "The store refused the receipt with status \(status): \(meaning)."
    }

    package var httpStatus: Int { self == .ownedByAnotherUser ? 403 : 422 }
}
