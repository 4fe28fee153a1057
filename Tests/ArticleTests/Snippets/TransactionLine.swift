import StoreKit

// begin
func line(for transaction: SKPaymentTransaction) -> String {
    let product = transaction.payment.productIdentifier
    switch transaction.transactionState {
    case .purchased: return "\(product) is number \(transaction.transactionIdentifier ?? "")"
    case .restored: return "\(product) was \(transaction.original?.transactionIdentifier ?? "")"
    case .failed: return "\(product): \(transaction.error?.localizedDescription ?? "")"
    default: return "\(product) is not decided yet"
    }
}
// end
