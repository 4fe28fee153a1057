import Foundation
import StoreWire

extension DiscountBody {
    /// What an app put into a payment, as it is; the store judges it.
    init(_ discount: PaymentDiscountContents) {
        self.init(
            identifier: discount.identifier, keyIdentifier: discount.keyIdentifier,
            nonce: discount.nonce.uuidString.lowercased(), signature: discount.signature,
            timestamp: discount.timestampMilliseconds)
    }
}
