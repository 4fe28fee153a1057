import StoreModel
import StoreVerification

extension TransactionReceiptInfo {
    /// The number that App Store Connect gives to products and versions, which do not exist here.
    private static let noItemID = "0"

    /// The entries, in the order in which public receipts of the sandbox have them.
    func pairs(sealedFor seal: WorldSeal) -> [TextPair] {
        let isProduction = seal.environment == .production
        let item = Self.noItemID
        return [
            TextPair("original-purchase-date-pst", Self.pacific(originallyPurchasedAt)),
            TextPair(
                "unique-identifier", seal.deviceIdentifier(vendorIdentifier: vendorIdentifier)),
            TextPair("original-transaction-id", originalTransactionID),
            TextPair("bvrs", applicationVersion),
        ] + (isProduction ? [TextPair("app-item-id", "\(appItemID)")] : []) + [
            TextPair("transaction-id", transactionID),
            TextPair("quantity", "\(quantity)"),
            TextPair("original-purchase-date-ms", "\(originallyPurchasedAt.milliseconds)"),
            TextPair("unique-vendor-identifier", vendorIdentifier),
            TextPair("product-id", productID),
            TextPair("item-id", item),
        ] + (isProduction ? [TextPair("version-external-identifier", item)] : []) + [
            TextPair("bid", bundleID),
            TextPair("purchase-date-ms", "\(purchasedAt.milliseconds)"),
            TextPair("purchase-date", Self.utc(purchasedAt)),
            TextPair("purchase-date-pst", Self.pacific(purchasedAt)),
            TextPair("original-purchase-date", Self.utc(originallyPurchasedAt)),
        ] + (subscription?.pairs ?? [])
    }

    fileprivate static func utc(_ date: Timestamp) -> String {
        CalendarDate(date).spaced + " Etc/GMT"
    }

    fileprivate static func pacific(_ date: Timestamp) -> String {
        PacificTime.date(at: date).spaced + " America/Los_Angeles"
    }
}

extension TransactionReceiptInfo.Subscription {
    fileprivate var pairs: [TextPair] {
        [TextPair("web-order-line-item-id", "\(webOrderLineItemID)")] + expiry + [
            TextPair("is-trial-period", isTrialPeriod ? "true" : "false"),
            TextPair("is-in-intro-offer-period", isInIntroOfferPeriod ? "true" : "false"),
        ]
    }

    private var expiry: [TextPair] {
        guard let expiresAt else { return [] }
        return [
            TextPair("expires-date", "\(expiresAt.milliseconds)"),
            TextPair("expires-date-formatted", TransactionReceiptInfo.utc(expiresAt)),
            TextPair("expires-date-formatted-pst", TransactionReceiptInfo.pacific(expiresAt)),
        ]
    }
}

extension TransactionReceiptInfo {
    /// Reads the fields with their own information; the others only repeat them, and must be
    /// compared with `pairs(sealedFor:)`.
    init(_ pairs: [TextPair]) throws(VerificationRefusal) {
        let fields = Dictionary(pairs.map { ($0.key, $0.value) }) { first, _ in first }
        func text(_ key: String) throws(VerificationRefusal) -> String {
            guard let value = fields[key], !value.isEmpty else {
                throw .malformed("The purchase information has no \(key).")
            }
            return value
        }
        func number(_ key: String) throws(VerificationRefusal) -> Int64 {
            guard let number = Int64(try text(key)) else {
                throw .malformed("The purchase information's \(key) is not a number.")
            }
            return number
        }
        func date(_ key: String) throws(VerificationRefusal) -> Timestamp {
            let date = Timestamp(milliseconds: try number(key))
            guard ReceiptLimits.dates.contains(date) else {
                throw .malformed("The purchase information's \(key) is not a date.")
            }
            return date
        }
        self.init(
            bundleID: try text("bid"),
            appItemID: fields["app-item-id"] == nil ? 0 : try number("app-item-id"),
            applicationVersion: try text("bvrs"),
            vendorIdentifier: try text("unique-vendor-identifier"),
            productID: try text("product-id"), quantity: try number("quantity"),
            transactionID: try text("transaction-id"),
            originalTransactionID: try text("original-transaction-id"),
            purchasedAt: try date("purchase-date-ms"),
            originallyPurchasedAt: try date("original-purchase-date-ms"))
        guard quantity > 0 else {
            throw .malformed("The purchase information's quantity is below 1.")
        }
        guard fields["web-order-line-item-id"] != nil else { return }
        subscription = Subscription(
            expiresAt: fields["expires-date"] == nil ? nil : try date("expires-date"),
            webOrderLineItemID: try number("web-order-line-item-id"),
            isTrialPeriod: try text("is-trial-period") == "true",
            isInIntroOfferPeriod: try text("is-in-intro-offer-period") == "true")
    }
}
