import CStoreKit
import StoreModel
import StoreWire

/// Why a payment failed, in a form that the journal can keep.
struct FailureReason: Codable, Hashable, Sendable {
    /// The number of an `SKError.Code`.
    let code: Int
    let sentence: String

    init(_ code: SKError.Code, _ sentence: String) {
        self.code = code.rawValue
        self.sentence = sentence
    }

    /// What a store's refusal means to an app.
    init(_ refusal: RefusalBody) {
        let code: SKError.Code =
            switch refusal.code {
            case .quantityNotAllowed: .paymentInvalid
            case .productUnknown, .productNotForSale, .kindNotSold: .storeProductNotAvailable
            case .productionClosed: .paymentNotAllowed
            }
        self.init(code, refusal.message)
    }

    var error: SKError {
        SKError(SKError.Code(rawValue: code) ?? .unknown, sentence: sentence)
    }
}
