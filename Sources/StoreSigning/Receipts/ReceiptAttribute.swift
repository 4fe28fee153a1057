/// The numbers of a receipt's attributes, according to Apple's "Receipt Fields" and public samples.
enum ReceiptAttribute {
    static let receiptType: Int64 = 0
    static let appItemID: Int64 = 1
    static let bundleID: Int64 = 2
    static let applicationVersion: Int64 = 3
    static let opaqueValue: Int64 = 4
    static let deviceHash: Int64 = 5
    static let filler: Int64 = 6
    static let worldSeal: Int64 = 7
    static let requestDate: Int64 = 8
    static let toolVersion: Int64 = 9
    static let ageRating: Int64 = 10
    static let developerID: Int64 = 11
    static let createdAt: Int64 = 12
    static let unknown13: Int64 = 13
    static let unknown14: Int64 = 14
    static let downloadID: Int64 = 15
    static let versionExternalIdentifier: Int64 = 16
    static let purchase: Int64 = 17
    static let originalPurchaseDate: Int64 = 18
    static let originalApplicationVersion: Int64 = 19
    static let unknown20: Int64 = 20
    static let expiresAt: Int64 = 21
    static let platform: Int64 = 25
}

/// The numbers of a purchase's attributes.
enum PurchaseAttribute {
    static let quantity: Int64 = 1701
    static let productID: Int64 = 1702
    static let transactionID: Int64 = 1703
    static let purchasedAt: Int64 = 1704
    static let originalTransactionID: Int64 = 1705
    static let originallyPurchasedAt: Int64 = 1706
    static let kind: Int64 = 1707
    static let expiresAt: Int64 = 1708
    static let unknown1709: Int64 = 1709
    static let itemID: Int64 = 1710
    static let webOrderLineItemID: Int64 = 1711
    static let cancelledAt: Int64 = 1712
    static let isTrialPeriod: Int64 = 1713
    static let unknownTexts: ClosedRange<Int64> = 1714...1718
    static let isInIntroOfferPeriod: Int64 = 1719
    static let cancellationReason: Int64 = 1720
    static let promotionalOfferID: Int64 = 1721
    static let unknown1722: Int64 = 1722
}
