package import StoreModel
/// The contents of a unified app receipt (attributes of Apple's receipt fields).
package struct ReceiptPayload: Codable, Hashable, Sendable {
    package var receiptType: String  // 0
    package var appItemID: Int64  // 1
    package var bundleID: String  // 2
    package var applicationVersion: String  // 3
    package var opaqueValue: [UInt8]  // 4
    package var deviceHash: [UInt8]  // 5
    package var createdAt: Timestamp  // 12
    package var downloadID: Int64  // 15
    package var versionExternalIdentifier: Int64  // 16
    package var purchases: [ReceiptPurchase]  // 17
    package var originalPurchaseDate: Timestamp  // 18
    package var originalApplicationVersion: String  // 19
    package var expiresAt: Timestamp?  // 21

    package init(
        receiptType: String, appItemID: Int64, bundleID: String, applicationVersion: String,
        opaqueValue: [UInt8], deviceHash: [UInt8], createdAt: Timestamp, downloadID: Int64,
        versionExternalIdentifier: Int64, purchases: [ReceiptPurchase],
        originalPurchaseDate: Timestamp, originalApplicationVersion: String,
        expiresAt: Timestamp?
    ) {
        self.receiptType = receiptType
        self.appItemID = appItemID
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.opaqueValue = opaqueValue
        self.deviceHash = deviceHash
        self.createdAt = createdAt
        self.downloadID = downloadID
        self.versionExternalIdentifier = versionExternalIdentifier
        self.purchases = purchases
        self.originalPurchaseDate = originalPurchaseDate
        self.originalApplicationVersion = originalApplicationVersion
        self.expiresAt = expiresAt
    }
}
