import StoreKit

// begin
func deliverWhatWasBought() async {
    for await case .verified(let transaction) in Transaction.updates {
        print("deliver \(transaction.productID)")
        await transaction.finish()
    }
}
// end
