import StoreModel
import StoreSigning
import StoreWire

/// Writes the members of a purchase that both lists of a `verifyReceipt` answer share. Most
/// purchases are in both, in the same form, so each is written once.
struct VerifyReceiptPurchases {
    private struct Written {
        let purchase: ReceiptPurchase
        let ownership: Ownership
        /// The place of its members in the answer.
        let place: Range<Int>
    }

    /// The approximate bytes of one in an answer.
    static let usualBytes = 800

    /// By transaction.
    private var known: [String: Written] = [:]

    /// `capacity` is about how many there are.
    init(capacity: Int) {
        known.reserveCapacity(capacity)
    }

    /// The members of an object that has none yet.
    mutating func write(
        _ purchase: ReceiptPurchase, _ ownership: Ownership, _ dates: inout ReceiptDates,
        to writer: inout JSONWriter
    ) {
        if let written = known[purchase.transactionID], written.ownership == ownership,
            written.purchase == purchase
        {
            return writer.members(at: written.place)
        }
        let start = writer.bytes.count
        Self.put(purchase, ownership, &dates, to: &writer)
        known[purchase.transactionID] = Written(
            purchase: purchase, ownership: ownership, place: start..<writer.bytes.count)
    }

    private static func put(
        _ purchase: ReceiptPurchase, _ ownership: Ownership, _ dates: inout ReceiptDates,
        to writer: inout JSONWriter
    ) {
        writer.member("quantity", plain: String(purchase.quantity))
        writer.member("product_id", purchase.productID)
        writer.member("transaction_id", purchase.transactionID)
        writer.member("original_transaction_id", purchase.originalTransactionID)
        dates.write("purchase_date", purchase.purchasedAt, to: &writer)
        dates.write("original_purchase_date", purchase.originallyPurchasedAt, to: &writer)
        if let expiry = purchase.expiresAt {
            dates.write("expires_date", expiry, to: &writer)
            writer.member("web_order_line_item_id", plain: String(purchase.webOrderLineItemID))
        }
        if let cancelled = purchase.cancelledAt {
            dates.write("cancellation_date", cancelled, to: &writer)
            if let reason = purchase.cancellationReason {
                writer.member("cancellation_reason", plain: String(reason))
            }
        }
        writer.member("is_trial_period", plain: purchase.isTrialPeriod ? "true" : "false")
        if purchase.expiresAt != nil {
            writer.member(
                "is_in_intro_offer_period", plain: purchase.isInIntroOfferPeriod ? "true" : "false")
        }
        if let offer = purchase.promotionalOfferID, !offer.isEmpty {
            writer.member("promotional_offer_id", offer)
        }
        writer.member("in_app_ownership_type", plain: ownership.rawValue)
    }
}
