/// Of `SKReceiptRefreshRequest`, with a truth value: the receipt is to be one that has expired.
///
/// ```swift
/// func requestForExpiredReceipt() -> SKReceiptRefreshRequest {
///     SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsExpired: true])
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skreceiptpropertyisexpired>
public let SKReceiptPropertyIsExpired: String = "expired"

/// Of `SKReceiptRefreshRequest`, with a truth value: the receipt is to be one that was revoked.
public let SKReceiptPropertyIsRevoked: String = "revoked"

/// Of `SKReceiptRefreshRequest`, with a truth value: the receipt is to be one of a volume purchase.
public let SKReceiptPropertyIsVolumePurchase: String = "vpp"
