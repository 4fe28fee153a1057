import Foundation
import StoreKit

/// Prints the receipt's address before StoreKit is used in any other way, and after.
@main struct ReceiptURLProbe {
    static func main() {
        print("before \(Bundle.main.appStoreReceiptURL?.path ?? "nil")")
        let canPay = SKPaymentQueue.canMakePayments()
        print("after \(Bundle.main.appStoreReceiptURL?.path ?? "nil") \(canPay)")
        let other = Bundle(path: "/usr")
        print("other \(other?.appStoreReceiptURL?.path ?? "nil")")
    }
}
