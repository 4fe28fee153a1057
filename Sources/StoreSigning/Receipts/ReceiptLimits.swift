import StoreModel
/// The limits of a receipt.
package enum ReceiptLimits {
    /// The largest receipt that is signed or read.
    package static let receiptBytesMax = 16 * 1_024 * 1_024
    /// The maximum number of purchases in one receipt; 16 MiB hold about 29,000 of typical size.
    package static let purchasesMax = 25_000
    /// Leaf, intermediate and root.
    static let certificateCount = 3
    /// The longest opaque value.
    package static let opaqueValueBytesMax = 64
    /// The length of a SHA-1.
    package static let deviceHashBytes = 20
    /// The dates that can be written with a four-digit year.
    static let dates =
        Timestamp(seconds: -62_135_596_800)...Timestamp(milliseconds: 253_402_300_799_999)
}
