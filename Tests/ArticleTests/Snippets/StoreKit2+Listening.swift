import StoreKit

// begin
func listen() -> Task<Void, Never> {
    Task.detached {
        for await case .verified(let transaction) in Transaction.updates {
            print("deliver \(transaction.productID)")
            await transaction.finish()
        }
    }
}
// end
