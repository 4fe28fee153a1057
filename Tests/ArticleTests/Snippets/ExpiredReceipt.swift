import StoreKit

// begin
func requestForExpiredReceipt() -> SKReceiptRefreshRequest {
    SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsExpired: true])
}
// end
