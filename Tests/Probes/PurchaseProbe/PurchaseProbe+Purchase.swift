import Foundation
import StoreKit

extension PurchaseProbe {
    /// Buys by StoreKit 2, while the main thread runs `dispatchMain()` or the main run loop, and ends
    /// with what came of it.
    static func buy(_ identifier: String, on loop: String) -> Never {
        Task { @MainActor in
            do {
                guard let product = try await Product.products(for: [identifier]).first,
                    case .success(.verified(let transaction)) = try await product.purchase()
                else { exit(1) }
                print("bought \(transaction.productID)")
                await transaction.finish()
                exit(0)
            } catch {
                print("not bought: \(error)")
                exit(1)
            }
        }
        if loop == "dispatch" { dispatchMain() }
        while true { RunLoop.main.run() }
    }
}
