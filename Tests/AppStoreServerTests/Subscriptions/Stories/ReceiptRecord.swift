import Foundation
import StoreModel
import StoreSigning
import StoreWire
import Testing

@testable import AppStoreServer

/// A purchase as a receipt has it, or an answer of `verifyReceipt`.
struct ReceiptRecord: Hashable {
    let transaction: String
    let original: String
    private let product: String
    private let quantity: String
    private let purchasedAt: Timestamp
    private let firstPurchasedAt: Timestamp
    private let expiresAt: Timestamp?
    let lineItem: String?
    private let isTrial: Bool
    private let isIntroductory: Bool
    private let offer: String?
    private let cancelledAt: Timestamp?
    private let reason: String?

    init(_ purchase: ReceiptPurchase) {
        transaction = purchase.transactionID
        original = purchase.originalTransactionID
        product = purchase.productID
        quantity = "\(purchase.quantity)"
        purchasedAt = purchase.purchasedAt
        firstPurchasedAt = purchase.originallyPurchasedAt
        expiresAt = purchase.expiresAt
        lineItem = purchase.expiresAt == nil ? nil : "\(purchase.webOrderLineItemID)"
        isTrial = purchase.isTrialPeriod
        isIntroductory = purchase.isInIntroOfferPeriod
        offer = purchase.promotionalOfferID.flatMap { $0.isEmpty ? nil : $0 }
        cancelledAt = purchase.cancelledAt
        reason = purchase.cancellationReason.map { "\($0)" }
    }

    init(_ json: JSONValue) throws {
        transaction = try #require(json["transaction_id"]?.string)
        original = try #require(json["original_transaction_id"]?.string)
        product = try #require(json["product_id"]?.string)
        quantity = try #require(json["quantity"]?.string)
        purchasedAt = try #require(try json.date("purchase_date"))
        firstPurchasedAt = try #require(try json.date("original_purchase_date"))
        expiresAt = try json.date("expires_date")
        lineItem = json["web_order_line_item_id"]?.string
        isTrial = json["is_trial_period"]?.string == "true"
        isIntroductory = json["is_in_intro_offer_period"]?.string == "true"
        offer = json["promotional_offer_id"]?.string
        cancelledAt = try json.date("cancellation_date")
        reason = json["cancellation_reason"]?.string
    }

    func line(_ numbers: SaleNumbers, among all: [ReceiptRecord]) -> String {
        var text = "\(numbers[transaction]) of \(numbers[original]) \(product.productName)"
        if quantity != "1" { text += " × \(quantity)" }
        text += " \(purchasedAt.told)"
        if let expiresAt { text += " to \(expiresAt.told)" }
        if isTrial { text += ", trial" }
        if isIntroductory { text += ", introductory" }
        if let offer { text += ", offer \(offer)" }
        if let cancelledAt { text += ", cancelled \(cancelledAt.told)" }
        if let reason { text += " for \(reason)" }
        // That of the first purchase, where that is listed.
        let first = all.first { $0.transaction == original }
        if firstPurchasedAt != first?.purchasedAt {
            text += ", first bought \(firstPurchasedAt.told)"
        }
        return text
    }

    /// What `latest_receipt_info` says beside, after the number.
    static func reference(_ json: JSONValue, _ numbers: SaleNumbers) -> String {
        var text = numbers[json["transaction_id"]?.string ?? ""]
        if let flag = json["is_upgraded"]?.string {
            text += flag == "true" ? " upgraded" : " is_upgraded \(flag)"
        }
        if let name = json["offer_code_ref_name"]?.string { text += " by \(name)" }
        if json["in_app_ownership_type"]?.string != "PURCHASED" { text += " shared" }
        return text
    }

    /// One entry of `pending_renewal_info`.
    static func renewal(_ json: JSONValue, _ numbers: SaleNumbers) throws -> String {
        let product = try #require(json["product_id"]?.string).productName
        let next = try #require(json["auto_renew_product_id"]?.string).productName
        var text = numbers[json["original_transaction_id"]?.string ?? ""] + " \(product)"
        if next != product { text += " then \(next)" }
        text += ", " + json.renewing
        if let end = try json.date("grace_period_expires_date") { text += ", grace to \(end.told)" }
        if let flag = json["price_consent_status"]?.string { text += ", consent \(flag)" }
        if let flag = json["price_increase_status"]?.string { text += ", increase \(flag)" }
        if let offer = json["promotional_offer_id"]?.string { text += ", offer \(offer)" }
        if let offer = json["offer_code_ref_name"]?.string { text += ", offer \(offer)" }
        return text
    }
}

extension JSONValue {
    /// From the milliseconds; the form for people has to say the same.
    func date(_ name: String) throws -> Timestamp? {
        guard let text = self["\(name)_ms"]?.string else {
            #expect(self[name] == nil)
            return nil
        }
        let date = Timestamp(milliseconds: try #require(Int64(text)))
        #expect(self[name]?.string == CalendarDate(date).spaced + " Etc/GMT")
        #expect(self["\(name)_pst"]?.string?.hasSuffix(" America/Los_Angeles") == true)
        return date
    }

    /// Whether it goes on, why not, and whether payment is tried: the same in both styles.
    var renewing: String {
        let isOn = self["auto_renew_status"].map { $0.string ?? $0.number ?? "" }
        var text = isOn == "1" ? "on" : isOn == "0" ? "off" : "auto_renew_status \(isOn ?? "-")"
        if let intent = self["expiration_intent"]?.string { text += ", intent \(intent)" }
        switch self["is_in_billing_retry_period"]?.string {
        case "1": text += ", retrying"
        case "0": text += ", not retrying"
        default: break
        }
        return text
    }
}
