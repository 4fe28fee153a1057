/// The limits of a transaction receipt.
package enum TransactionReceiptLimits {
    /// The largest receipt that is signed or read; a typical one has about 3,000 bytes.
    package static let receiptBytesMax = 65_536
    /// The longest text in the purchase information, in UTF-16 units.
    package static let fieldLengthMax = 1_024
}
