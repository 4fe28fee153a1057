// begin
import Foundation
import StoreKit

final class App {
    private let observer = PurchaseObserver()

    func run() {
        SKPaymentQueue.default().add(observer)
        RunLoop.main.run()
    }
}
// end
