import StoreModel

@testable import StoreSigning

/// Payloads to sign.
enum Samples {
    static let worldID = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
    static let otherWorldID = "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"
    static let guid = hex("00112233445566778899AABBCCDDEEFF")
    static let bundleID = "com.example.rocketcar"
    static let opaqueValue = hex("A0A1A2A3A4A5A6A7A8A9AAABACADAEAF")

    static func moment(_ text: String) -> Timestamp {
        Timestamp(rfc3339: text) ?? Timestamp(seconds: 0)
    }

    static func purchase(
        _ number: Int64 = 2_000_000_000_000_001, kind: ProductKind = .consumable
    ) -> ReceiptPurchase {
        ReceiptPurchase(
            quantity: 1, productID: "com.example.rocketcar.fuel", transactionID: String(number),
            purchasedAt: moment("2024-05-01T10:20:30Z"), originalTransactionID: String(number),
            originallyPurchasedAt: moment("2024-05-01T10:20:30Z"), kind: kind)
    }

    /// A purchase in which every field says something.
    static var subscription: ReceiptPurchase {
        var purchase = purchase(2_000_000_000_000_002, kind: .autoRenewable)
        purchase.quantity = 3
        purchase.productID = "com.example.rocketcar.club"
        purchase.originalTransactionID = "2000000000000000"
        purchase.originallyPurchasedAt = moment("2024-04-01T10:20:30Z")
        purchase.expiresAt = moment("2024-06-01T10:20:30Z")
        purchase.webOrderLineItemID = 2_000_000_000_000_003
        purchase.cancelledAt = moment("2024-05-02T00:00:00Z")
        purchase.isTrialPeriod = true
        purchase.isInIntroOfferPeriod = true
        purchase.cancellationReason = 1
        purchase.promotionalOfferID = "spring"
        return purchase
    }

    static func payload(
        _ purchases: [ReceiptPurchase] = [purchase()], type: String = "ProductionSandbox"
    ) -> ReceiptPayload {
        ReceiptPayload(
            receiptType: type, appItemID: 0, bundleID: bundleID, applicationVersion: "1.2.3",
            opaqueValue: opaqueValue,
            deviceHash: receiptDeviceHash(
                guid: guid, opaqueValue: opaqueValue, bundleID: bundleID),
            createdAt: moment("2024-05-01T10:20:31Z"), downloadID: 0,
            versionExternalIdentifier: 0, purchases: purchases,
            originalPurchaseDate: moment("2013-08-01T07:00:00Z"),
            originalApplicationVersion: "1.0", expiresAt: nil)
    }

    /// A payload in which every field says something.
    static var fullPayload: ReceiptPayload {
        var payload = payload(
            [purchase(), subscription, purchase(100_000_000_000_009, kind: .nonConsumable)],
            type: "Production")
        payload.appItemID = 1_234_567_890
        payload.downloadID = 500_000_000_000_001
        payload.versionExternalIdentifier = 812_345_678
        payload.expiresAt = moment("2030-01-01T00:00:00Z")
        return payload
    }
}
