// begin
import StoreKit

@MainActor func buyTurbo() async throws {
    let products = try await Product.products(for: ["com.example.rocketcar.turbo"])
    guard let turbo = products.first else { return print("not for sale") }
    guard case .success(let result) = try await turbo.purchase() else { return print("not yet") }
    let transaction = try result.payloadValue
    print("deliver \(transaction.productID)")
    await transaction.finish()
}
// end
