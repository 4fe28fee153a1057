import StoreModel

/// What a receipt may hold at most.
package enum ReceiptLimits {
    /// The largest receipt that is signed or read.
    package static let receiptBytesMax = 16 * 1_024 * 1_024
    /// The most purchases in one receipt; 16 MiB hold about 29,000 of ordinary size.
    package static let purchasesMax = 25_000
    /// The longest opaque value.
    package static let opaqueValueBytesMax = 64
    /// A SHA-1.
    package static let deviceHashBytes = 20
    /// The dates that four digits of a year can write.
    static let dates =
        Timestamp(seconds: -62_135_596_800)...Timestamp(milliseconds: 253_402_300_799_999)
}
