extension ReceiptAttribute {
    /// The name of an attribute and what it says.
    struct Meaning: Hashable, Sendable {
        let name: String
        let sentence: String

        fileprivate init(_ name: String, _ sentence: String) {
            self.name = name
            self.sentence = sentence
        }
    }

    /// The meaning of an attribute of a receipt or of a purchase. Sources: Apple, *Receipt Validation
    /// Programming Guide*, "Receipt Fields"; where that is silent, published receipts.
    static func meaning(of number: Int64) -> Meaning {
        app[number] ?? purchases[number]
            ?? Meaning("unknown", "Not documented.")
    }

    private static let app: [Int64: Meaning] = [
        receiptType: Meaning("Receipt Type", "The environment that the receipt comes from."),
        appItemID: Meaning("App Item ID", "The app's number in the App Store; 0 in the sandbox."),
        bundleID: Meaning("Bundle Identifier", "The app."),
        applicationVersion: Meaning("App Version", "The app's version on the device."),
        opaqueValue: Meaning("Opaque Value", "Enters the device's hash; new in each receipt."),
        deviceHash: Meaning(
            "SHA-1 Hash", "Of the device's identifier, the opaque value and the bundle identifier."),
        filler: Meaning("Filler", "Bytes without a meaning, as published receipts have them."),
        worldSeal: Meaning("Seal", "Binds the receipt to the world that signed it."),
        requestDate: Meaning("Request Date", "When it was asked for; empty in the sandbox."),
        toolVersion: Meaning("Tool Version", "Of what made the receipt, as in published ones."),
        ageRating: Meaning("Age Rating", "Of the app."),
        developerID: Meaning("Developer ID", "Of the app's developer, as in published ones."),
        createdAt: Meaning("Receipt Creation Date", "Certificates are judged at this time."),
        downloadID: Meaning("Download ID", "How the account got the app; 0 in the sandbox."),
        versionExternalIdentifier: Meaning(
            "External Version Identifier", "Of the app's version; 0 here."),
        originalPurchaseDate: Meaning("Original Purchase Date", "When the account got the app."),
        originalApplicationVersion: Meaning(
            "Original Application Version", "The version with which it got the app."),
        expiresAt: Meaning("Receipt Expiration Date", "Present in volume purchases."),
        platform: Meaning("Platform", "3 stands for iOS."),
    ]

    private static let purchases: [Int64: Meaning] = [
        PurchaseAttribute.quantity: Meaning("Quantity", "How many were bought."),
        PurchaseAttribute.productID: Meaning("Product Identifier", "What was bought."),
        PurchaseAttribute.transactionID: Meaning("Transaction Identifier", "The purchase."),
        PurchaseAttribute.purchasedAt: Meaning("Purchase Date", "When it was bought or renewed."),
        PurchaseAttribute.originalTransactionID: Meaning(
            "Original Transaction Identifier", "The first transaction that counts as the same."),
        PurchaseAttribute.originallyPurchasedAt: Meaning(
            "Original Purchase Date", "The date of that first transaction."),
        PurchaseAttribute.kind: Meaning(
            "Product Type",
            "0 non-consumable, 1 consumable, 2 non-renewing, 3 auto-renewable subscription."),
        PurchaseAttribute.expiresAt: Meaning(
            "Subscription Expiration Date", "When the period ends; empty for other products."),
        PurchaseAttribute.itemID: Meaning("App Item ID", "The product's number; 0 here."),
        PurchaseAttribute.webOrderLineItemID: Meaning(
            "Web Order Line Item ID", "Names the period of a subscription."),
        PurchaseAttribute.cancelledAt: Meaning(
            "Cancellation Date", "When it was revoked, refunded or upgraded; empty otherwise."),
        PurchaseAttribute.isTrialPeriod: Meaning(
            "Subscription Trial Period", "1 in a free trial, otherwise 0."),
        PurchaseAttribute.isInIntroOfferPeriod: Meaning(
            "Subscription Introductory Price Period",
            "1 in a paid introductory period, otherwise 0."),
        PurchaseAttribute.cancellationReason: Meaning(
            "Cancellation Reason", "1 for an issue with the app, 0 for another reason."),
        PurchaseAttribute.promotionalOfferID: Meaning(
            "Promotional Offer Identifier", "The offer of this period."),
    ]
}
