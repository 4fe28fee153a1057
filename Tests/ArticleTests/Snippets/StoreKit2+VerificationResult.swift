import StoreKit

// begin
func delivered(_ result: VerificationResult<Transaction>) -> String? {
    switch result {
    case .verified(let transaction): transaction.productID
    case .unverified: nil
    }
}
// end
