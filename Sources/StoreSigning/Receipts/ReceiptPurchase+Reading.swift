import StoreModel
import StoreVerification

extension ReceiptPurchase {
    /// Reads the purchase that fills `outer`.
    init(_ outer: DERReader) throws(DERError) {
        var draft = PurchaseDraft()
        var attributes = try AttributeReader(outer, firstType: PurchaseAttribute.quantity)
        while let (type, value) = try attributes.next() {
            try draft.take(type, value, from: attributes)
        }
        self = try draft.finished(at: attributes.position)
    }
}

extension ProductKind {
    /// The kind that attribute 1707 names; nil for another number.
    fileprivate init?(receiptNumber: Int64) {
        guard let found = Self.allCases.first(where: { $0.receiptNumber == receiptNumber }) else {
            return nil
        }
        self = found
    }
}

/// The attributes read so far.
private struct PurchaseDraft {
    var quantity: Int64?
    var productID: String?
    var transactionID: String?
    var purchasedAt: Timestamp?
    var originalTransactionID: String?
    var originallyPurchasedAt: Timestamp?
    var kind: ProductKind?
    var expiresAt: Timestamp?
    var webOrderLineItemID: Int64 = 0
    var cancelledAt: Timestamp?
    var isTrialPeriod = false
    var isInIntroOfferPeriod = false
    var cancellationReason: Int64?
    var promotionalOfferID: String?

    mutating func take(
        _ type: Int64, _ value: Range<Int>, from attributes: AttributeReader
    ) throws(DERError) {
        switch type {
        case PurchaseAttribute.quantity: quantity = try attributes.number(value)
        case PurchaseAttribute.productID: productID = try attributes.text(value)
        case PurchaseAttribute.transactionID: transactionID = try attributes.text(value)
        case PurchaseAttribute.purchasedAt: purchasedAt = try attributes.date(value)
        case PurchaseAttribute.originalTransactionID:
            originalTransactionID = try attributes.text(value)
        case PurchaseAttribute.originallyPurchasedAt:
            originallyPurchasedAt = try attributes.date(value)
        case PurchaseAttribute.kind:
            kind = ProductKind(receiptNumber: try attributes.number(value))
        case PurchaseAttribute.expiresAt: expiresAt = try attributes.date(value)
        case PurchaseAttribute.webOrderLineItemID: webOrderLineItemID = try attributes.number(value)
        case PurchaseAttribute.cancelledAt: cancelledAt = try attributes.date(value)
        case PurchaseAttribute.isTrialPeriod: isTrialPeriod = try attributes.flag(value)
        case PurchaseAttribute.isInIntroOfferPeriod:
            isInIntroOfferPeriod = try attributes.flag(value)
        case PurchaseAttribute.cancellationReason: cancellationReason = try attributes.number(value)
        case PurchaseAttribute.promotionalOfferID: promotionalOfferID = try attributes.text(value)
        default: break
        }
    }

    consuming func finished(at end: Int) throws(DERError) -> ReceiptPurchase {
        func required<Value>(_ value: Value?, _ type: Int64) throws(DERError) -> Value {
            guard let value else {
                throw DERError("attribute \(type) of a purchase is missing or unknown", byte: end)
            }
            return value
        }
        var purchase = ReceiptPurchase(
            quantity: try required(quantity, PurchaseAttribute.quantity),
            productID: try required(productID, PurchaseAttribute.productID),
            transactionID: try required(transactionID, PurchaseAttribute.transactionID),
            purchasedAt: try required(purchasedAt, PurchaseAttribute.purchasedAt),
            originalTransactionID: try required(
                originalTransactionID, PurchaseAttribute.originalTransactionID),
            originallyPurchasedAt: try required(
                originallyPurchasedAt, PurchaseAttribute.originallyPurchasedAt),
            kind: try required(kind, PurchaseAttribute.kind))
        purchase.expiresAt = expiresAt
        purchase.webOrderLineItemID = webOrderLineItemID
        purchase.cancelledAt = cancelledAt
        purchase.isTrialPeriod = isTrialPeriod
        purchase.isInIntroOfferPeriod = isInIntroOfferPeriod
        purchase.cancellationReason = cancellationReason
        purchase.promotionalOfferID = promotionalOfferID
        return purchase
    }
}
