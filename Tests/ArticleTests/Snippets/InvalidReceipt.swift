import StoreKit

// begin
func go(on isReceiptValid: Bool) {
    if !isReceiptValid { SKTerminateForInvalidReceipt() }
}
// end
