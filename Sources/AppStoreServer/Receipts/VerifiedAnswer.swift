import StoreRules

/// The answer to a receipt that holds, with the status that stands in it.
struct VerifiedAnswer: Sendable {
    /// 0 or 21006: the others come without a receipt.
    let status: VerifyReceiptStatus
    let body: [UInt8]
}
