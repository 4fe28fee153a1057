import StoreModel
import StoreVerification

extension ReceiptPayload {
    /// The tool version in public sample receipts (`P305` as a number).
    private static let toolVersion: Int64 = 1_345_531_957
    /// 3 stands for iOS.
    private static let platform: Int64 = 3

    /// The payload's SET (DER), sealed for a world; the same input gives the same bytes.
    func der(sealedFor seal: WorldSeal) throws -> [UInt8] {
        try check()
        var writer = AttributeWriter()
        addApp(to: &writer)
        addDates(to: &writer)
        addUnknown(to: &writer)
        for purchase in purchases {
            writer.add(ReceiptAttribute.purchase, raw: purchase.der)
        }
        let seed = WorldSeal.seed(from: writer.set)
        writer.add(ReceiptAttribute.filler, raw: WorldSeal.filler(seed: seed))
        writer.add(ReceiptAttribute.worldSeal, raw: seal.bytes(seed: seed))
        return writer.set
    }

    private func addApp(to writer: inout AttributeWriter) {
        writer.add(ReceiptAttribute.receiptType, receiptType)
        writer.add(ReceiptAttribute.appItemID, appItemID)
        writer.add(ReceiptAttribute.bundleID, bundleID)
        writer.add(ReceiptAttribute.applicationVersion, applicationVersion)
        writer.add(ReceiptAttribute.opaqueValue, raw: opaqueValue, version: 2)
        writer.add(ReceiptAttribute.deviceHash, raw: deviceHash)
        writer.add(ReceiptAttribute.downloadID, downloadID)
        writer.add(ReceiptAttribute.versionExternalIdentifier, versionExternalIdentifier)
        writer.add(ReceiptAttribute.originalApplicationVersion, originalApplicationVersion)
    }

    private func addDates(to writer: inout AttributeWriter) {
        // Sandbox receipts of the public samples leave the request date empty.
        let isSandbox = receiptType.hasSuffix("Sandbox")
        writer.add(ReceiptAttribute.requestDate, isSandbox ? nil : createdAt)
        writer.add(ReceiptAttribute.createdAt, createdAt)
        writer.add(ReceiptAttribute.originalPurchaseDate, originalPurchaseDate)
        if let expiresAt { writer.add(ReceiptAttribute.expiresAt, expiresAt) }
    }

    /// Attributes without a documented meaning, with values like those in samples.
    private func addUnknown(to writer: inout AttributeWriter) {
        writer.add(ReceiptAttribute.toolVersion, Self.toolVersion)
        writer.add(ReceiptAttribute.ageRating, raw: DERWriter.ia5String("4+"))
        writer.add(ReceiptAttribute.developerID, 0)
        writer.add(ReceiptAttribute.unknown13, 0)
        writer.add(ReceiptAttribute.unknown14, 0)
        writer.add(ReceiptAttribute.unknown20, "")
        writer.add(ReceiptAttribute.platform, Self.platform)
    }

    private func check() throws {
        guard purchases.count <= ReceiptLimits.purchasesMax else {
            throw SigningFailure(
                .invalidValue,
                "A receipt holds at most \(ReceiptLimits.purchasesMax) purchases, "
                    + "not \(purchases.count).")
        }
        guard (1...ReceiptLimits.opaqueValueBytesMax).contains(opaqueValue.count) else {
            throw SigningFailure(
                .invalidValue,
                "A receipt's opaque value has 1 to \(ReceiptLimits.opaqueValueBytesMax) bytes, "
                    + "not \(opaqueValue.count).")
        }
        guard deviceHash.count == ReceiptLimits.deviceHashBytes else {
            throw SigningFailure(
                .invalidValue,
                "A device hash has \(ReceiptLimits.deviceHashBytes) bytes, "
                    + "not \(deviceHash.count).")
        }
        let dates =
            [createdAt, originalPurchaseDate, expiresAt].compactMap { $0 }
            + purchases.flatMap(\.dates)
        guard dates.allSatisfy(ReceiptLimits.dates.contains) else {
            throw SigningFailure(.invalidValue, "A receipt's dates lie in the years 1 to 9999.")
        }
    }
}

extension ReceiptPurchase {
    fileprivate var dates: [Timestamp] {
        [purchasedAt, originallyPurchasedAt, expiresAt, cancelledAt].compactMap { $0 }
    }

    fileprivate var der: [UInt8] {
        var writer = AttributeWriter()
        writer.add(PurchaseAttribute.quantity, quantity)
        writer.add(PurchaseAttribute.productID, productID)
        writer.add(PurchaseAttribute.transactionID, transactionID)
        writer.add(PurchaseAttribute.purchasedAt, purchasedAt)
        writer.add(PurchaseAttribute.originalTransactionID, originalTransactionID)
        writer.add(PurchaseAttribute.originallyPurchasedAt, originallyPurchasedAt)
        writer.add(PurchaseAttribute.kind, kind.receiptNumber)
        writer.add(PurchaseAttribute.expiresAt, expiresAt)
        writer.add(PurchaseAttribute.unknown1709, "")
        writer.add(PurchaseAttribute.itemID, 0)
        writer.add(PurchaseAttribute.webOrderLineItemID, webOrderLineItemID)
        writer.add(PurchaseAttribute.cancelledAt, cancelledAt)
        writer.add(PurchaseAttribute.isTrialPeriod, isTrialPeriod ? 1 : 0)
        for unknown in PurchaseAttribute.unknownTexts { writer.add(unknown, "") }
        writer.add(PurchaseAttribute.isInIntroOfferPeriod, isInIntroOfferPeriod ? 1 : 0)
        if let cancellationReason {
            writer.add(PurchaseAttribute.cancellationReason, cancellationReason)
        }
        if let promotionalOfferID {
            writer.add(PurchaseAttribute.promotionalOfferID, promotionalOfferID)
        }
        writer.add(PurchaseAttribute.unknown1722, 0)
        return writer.set
    }
}
