import StoreKit

// begin
@MainActor
func buyTurbo() async throws {
    let products = try await Product.products(for: ["com.example.rocketcar.turbo"])
    guard let turbo = products.first else { return print("not for sale") }
    switch try await turbo.purchase() {
    case .success(let result):
        let transaction = try result.payloadValue
        print("deliver \(transaction.productID)")
        await transaction.finish()
    case .pending: print("somebody must approve it")
    case .userCancelled: print("perhaps another time")
    }
}
// end
