import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreWire

/// The answers of `verifyReceipt` to a receipt of a single transaction, in the style of iOS 6.
enum TransactionReceiptAnswer {
    /// A subscription's newest period, signed as the device would get it now.
    struct Latest: Sendable {
        let receipt: VerifiedTransactionReceipt
        let bytes: [UInt8]
        let cancellation: Cancellation?
        let subscription: Subscription
    }

    /// For a purchase that is not a subscription.
    static func plain(
        _ receipt: VerifiedTransactionReceipt, _ cancellation: Cancellation?
    ) -> VerifiedAnswer {
        var dates = ReceiptDates()
        let body = VerifyReceiptAnswer.body { answer in
            answer.object("receipt") { fields(receipt, cancellation, &dates, to: &$0) }
            answer.member("status", Int64(VerifyReceiptStatus.valid.rawValue))
        }
        return VerifiedAnswer(status: .valid, body: body)
    }

    /// For a subscription: 0 while it is served, with its newest receipt; 21006 afterwards.
    static func subscription(
        _ receipt: VerifiedTransactionReceipt, _ cancellation: Cancellation?, _ latest: Latest,
        at now: Timestamp
    ) -> VerifiedAnswer {
        var dates = ReceiptDates()
        let status: VerifyReceiptStatus =
            latest.subscription.isServed(at: now) ? .valid : .subscriptionExpired
        let info = RenewalInfo(latest.subscription)
        let body = VerifyReceiptAnswer.body { answer in
            answer.member("auto_renew_product_id", info.product.rawValue)
            answer.member("auto_renew_status", latest.subscription.isAutoRenewing ? 1 : 0)
            if let intent = info.expirationIntent {
                answer.member("expiration_intent", "\(intent)")
            }
            if let isRetrying = info.isInBillingRetry {
                answer.member("is_in_billing_retry_period", isRetrying ? "1" : "0")
            }
            let newest: String
            if status == .valid {
                answer.member("latest_receipt", Data(latest.bytes).base64EncodedString())
                newest = "latest_receipt_info"
            } else {
                newest = "latest_expired_receipt_info"
            }
            answer.object(newest) { fields(latest.receipt, latest.cancellation, &dates, to: &$0) }
            answer.object("receipt") { fields(receipt, cancellation, &dates, to: &$0) }
            answer.member("status", Int64(status.rawValue))
        }
        return VerifiedAnswer(status: status, body: body)
    }

    /// A receipt's content, under its JSON names.
    private static func fields(
        _ receipt: VerifiedTransactionReceipt, _ cancellation: Cancellation?,
        _ dates: inout ReceiptDates, to writer: inout JSONWriter
    ) {
        for pair in receipt.pairs {
            writer.member(String(pair.key.map { $0 == "-" ? "_" : $0 }), pair.value)
        }
        guard let cancellation else { return }
        dates.write("cancellation_date", cancellation.at, to: &writer)
        if let reason = cancellation.reason {
            writer.member("cancellation_reason", "\(reason.receiptNumber)")
        }
    }
}

extension Subscription {
    /// Whether the customer may use what it sells at a moment.
    ///
    /// Its date decides that a period is over: whether it renewed may be settled later, as when its
    /// payment provider has not answered yet.
    fileprivate func isServed(at now: Timestamp) -> Bool {
        switch phase {
        case .active: now < expiresAt
        case .gracePeriod(let end): now < end
        case .billingRetry, .expired, .revoked: false
        }
    }
}

/// That a purchase no longer counts, as receipts of single transactions show it.
struct Cancellation: Sendable {
    let at: Timestamp
    /// Nil for a period that another product replaced.
    let reason: Revocation.Reason?
}

extension ReadScope {
    /// The cancellation of a transaction; for a restored one, that of the purchase itself.
    borrowing func cancellation(of id: TransactionID) throws -> Cancellation? {
        guard let named = try transaction(id) else { return nil }
        let purchase = try named.restoration.flatMap { try transaction($0.purchase) } ?? named
        for id in [named.id, purchase.id] {
            if let found = try revocation(of: id) {
                return Cancellation(at: found.at, reason: found.reason)
            }
        }
        return purchase.subscription?.upgradedAt.map { Cancellation(at: $0, reason: nil) }
    }
}
