import StoreKit

// begin
func receiptForTheBackend() -> String? {
    guard let url = Bundle.main.appStoreReceiptURL,
        let receipt = try? Data(contentsOf: url)
    else { return nil }
    return receipt.base64EncodedString()
}
// end
