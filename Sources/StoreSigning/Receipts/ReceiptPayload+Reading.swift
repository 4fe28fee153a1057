import StoreModel
import StoreVerification

/// A payload as read, with the seal that `ReceiptPayload` does not show.
struct SealedPayload {
    let payload: ReceiptPayload
    /// Attribute 7; nil when the receipt has none.
    let seal: [UInt8]?

    /// Reads the payload that fills `outer`.
    init(_ outer: DERReader) throws(DERError) {
        var draft = PayloadDraft()
        var attributes = try AttributeReader(outer, firstType: 0)
        while let (type, value) = try attributes.next() {
            try draft.take(type, value, from: attributes)
        }
        seal = draft.seal
        payload = try draft.finished(at: attributes.position)
    }
}

/// The attributes read so far.
private struct PayloadDraft {
    var receiptType: String?
    var appItemID: Int64 = 0
    var bundleID: String?
    var applicationVersion: String?
    var opaqueValue: [UInt8]?
    var deviceHash: [UInt8]?
    var seal: [UInt8]?
    var createdAt: Timestamp?
    var downloadID: Int64 = 0
    var versionExternalIdentifier: Int64 = 0
    var purchases: [ReceiptPurchase] = []
    var originalPurchaseDate: Timestamp?
    var originalApplicationVersion: String?
    var expiresAt: Timestamp?

    mutating func take(
        _ type: Int64, _ value: Range<Int>, from attributes: AttributeReader
    ) throws(DERError) {
        switch type {
        case ReceiptAttribute.receiptType: receiptType = try attributes.text(value)
        case ReceiptAttribute.appItemID: appItemID = try attributes.number(value)
        case ReceiptAttribute.bundleID: bundleID = try attributes.text(value)
        case ReceiptAttribute.applicationVersion: applicationVersion = try attributes.text(value)
        case ReceiptAttribute.opaqueValue: opaqueValue = attributes.bytes(value)
        case ReceiptAttribute.deviceHash: deviceHash = attributes.bytes(value)
        case ReceiptAttribute.worldSeal: seal = attributes.bytes(value)
        case ReceiptAttribute.createdAt: createdAt = try attributes.date(value)
        case ReceiptAttribute.downloadID: downloadID = try attributes.number(value)
        case ReceiptAttribute.versionExternalIdentifier:
            versionExternalIdentifier = try attributes.number(value)
        case ReceiptAttribute.purchase: try takePurchase(attributes.reader(value))
        case ReceiptAttribute.originalPurchaseDate:
            originalPurchaseDate = try attributes.date(value)
        case ReceiptAttribute.originalApplicationVersion:
            originalApplicationVersion = try attributes.text(value)
        case ReceiptAttribute.expiresAt: expiresAt = try attributes.date(value)
        default: break
        }
    }

    private mutating func takePurchase(_ value: DERReader) throws(DERError) {
        guard purchases.count < ReceiptLimits.purchasesMax else {
            throw DERError(
                "a receipt has more than \(ReceiptLimits.purchasesMax) purchases",
                byte: value.position)
        }
        // Growing by one, two and four would copy most receipts' purchases twice.
        if purchases.isEmpty { purchases.reserveCapacity(8) }
        purchases.append(try ReceiptPurchase(value))
    }

    consuming func finished(at end: Int) throws(DERError) -> ReceiptPayload {
        func required<Value>(_ value: Value?, _ type: Int64) throws(DERError) -> Value {
            guard let value else {
                throw DERError("attribute \(type) of the receipt is missing", byte: end)
            }
            return value
        }
        return ReceiptPayload(
            receiptType: try required(receiptType, ReceiptAttribute.receiptType),
            appItemID: appItemID,
            bundleID: try required(bundleID, ReceiptAttribute.bundleID),
            applicationVersion: try required(
                applicationVersion, ReceiptAttribute.applicationVersion),
            opaqueValue: try required(opaqueValue, ReceiptAttribute.opaqueValue),
            deviceHash: try required(deviceHash, ReceiptAttribute.deviceHash),
            createdAt: try required(createdAt, ReceiptAttribute.createdAt),
            downloadID: downloadID, versionExternalIdentifier: versionExternalIdentifier,
            purchases: purchases,
            originalPurchaseDate: try required(
                originalPurchaseDate, ReceiptAttribute.originalPurchaseDate),
            originalApplicationVersion: try required(
                originalApplicationVersion, ReceiptAttribute.originalApplicationVersion),
            expiresAt: expiresAt)
    }
}
