import StoreModel
import StoreRules
import StoreSigning
import StoreWire

/// The bodies of `verifyReceipt`: nearly every value is a string, in the order seen on the wire.
///
/// They are written byte by byte: the answer to a subscription of a few years holds thousands of
/// values.
enum VerifyReceiptAnswer {
    /// `{"status":N}`
    static func refusal(_ status: VerifyReceiptStatus) -> [UInt8] {
        body { $0.member("status", Int64(status.rawValue)) }
    }

    /// `{"status":N,"is-retryable":B}`, or without the latter
    static func injected(_ status: Int, isRetryable: Bool?) -> [UInt8] {
        body {
            $0.member("status", Int64(status))
            if let isRetryable { $0.member("is-retryable", isRetryable) }
        }
    }

    /// The answer to a valid unified receipt; `latest` for one with subscriptions, `shares` are the
    /// transactions that family members paid.
    static func unified(
        _ payload: ReceiptPayload, environment: StoreEnvironment, now: Timestamp,
        shares: Set<TransactionID>, latest: LatestReceipt?
    ) -> [UInt8] {
        let sentCount = payload.purchases.count
        var dates = ReceiptDates(capacity: sentCount)
        var purchases = VerifyReceiptPurchases(capacity: sentCount)
        let count = sentCount + (latest?.purchases.count ?? 0)
        let capacity =
            2_000 + count * VerifyReceiptPurchases.usualBytes + (latest?.receipt.utf8.count ?? 0)
        return body(capacity: capacity) { answer in
            answer.member("status", 0)
            answer.member("environment", environment.wireName)
            answer.object("receipt") {
                receipt(payload, now: now, shares, &purchases, &dates, to: &$0)
            }
            guard let latest else { return }
            write(latest, &purchases, &dates, to: &answer)
        }
    }

    /// The store's present knowledge of a receipt's owner.
    static func write(
        _ latest: LatestReceipt, _ purchases: inout VerifyReceiptPurchases,
        _ dates: inout ReceiptDates, to answer: inout JSONWriter
    ) {
        answer.array("latest_receipt_info", count: latest.purchases.count) { writer, number in
            writer.object {
                self.latest(latest.purchases[number], &purchases, &dates, to: &$0)
            }
        }
        answer.member("latest_receipt", plain: latest.receipt)
        answer.array("pending_renewal_info", latest.subscriptions) { writer, subscription in
            writer.object { renewal(subscription, &dates, to: &$0) }
        }
    }

    static func body(
        capacity: Int = 0, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        writer.object(members)
        return writer.bytes
    }

    private static func receipt(
        _ payload: ReceiptPayload, now: Timestamp, _ shares: Set<TransactionID>,
        _ written: inout VerifyReceiptPurchases, _ dates: inout ReceiptDates,
        to writer: inout JSONWriter
    ) {
        writer.member("receipt_type", payload.receiptType)
        writer.member("adam_id", payload.appItemID)
        writer.member("app_item_id", payload.appItemID)
        writer.member("bundle_id", payload.bundleID)
        writer.member("application_version", payload.applicationVersion)
        writer.member("download_id", payload.downloadID)
        writer.member("version_external_identifier", payload.versionExternalIdentifier)
        dates.write("receipt_creation_date", payload.createdAt, to: &writer)
        dates.write("request_date", now, to: &writer)
        dates.write("original_purchase_date", payload.originalPurchaseDate, to: &writer)
        writer.member("original_application_version", payload.originalApplicationVersion)
        if let expiry = payload.expiresAt { dates.write("expiration_date", expiry, to: &writer) }
        // The receipt's own order is that of its bytes, which is useless to clients. Their indices
        // are sorted: moving a purchase is costly.
        let purchases = payload.purchases
        let places = purchases.indices.map { (at: purchases[$0].purchasedAt, place: $0) }
        let oldestFirst = places.sorted {
            $0.at == $1.at
                ? purchases[$0.place].transactionID < purchases[$1.place].transactionID
                : $0.at < $1.at
        }
        writer.array("in_app", count: oldestFirst.count) { writer, number in
            let purchase = purchases[oldestFirst[number].place]
            let isShared =
                !shares.isEmpty
                && Int64(purchase.transactionID).map { shares.contains(TransactionID($0)) } == true
            writer.object {
                written.write(
                    purchase, isShared ? .familyShared : .purchased, &dates, to: &$0)
            }
        }
    }

    /// The additional members of `latest_receipt_info`.
    private static func latest(
        _ latest: LatestReceipt.Purchase, _ written: inout VerifyReceiptPurchases,
        _ dates: inout ReceiptDates, to writer: inout JSONWriter
    ) {
        written.write(latest.purchase, latest.transaction.ownership, &dates, to: &writer)
        if let period = latest.transaction.subscription {
            writer.member("subscription_group_identifier", period.group)
            if period.upgradedAt != nil { writer.member("is_upgraded", "true") }
            if period.offer?.kind == .code, let name = period.offer?.id {
                writer.member("offer_code_ref_name", name)
            }
        }
        if let token = latest.transaction.appAccountToken {
            writer.member("app_account_token", token.text)
        }
    }

    private static func renewal(
        _ kept: SubscriptionRecord, _ dates: inout ReceiptDates, to writer: inout JSONWriter
    ) {
        let info = RenewalInfo(kept.state)
        if let intent = info.expirationIntent {
            writer.member("expiration_intent", "\(intent)")
        }
        if let end = kept.state.phase.graceUntil {
            dates.write("grace_period_expires_date", end.roundedDownToSecond, to: &writer)
        }
        writer.member("auto_renew_product_id", info.product.rawValue)
        if let isRetrying = info.isInBillingRetry {
            writer.member("is_in_billing_retry_period", isRetrying ? "1" : "0")
        }
        writer.member("product_id", kept.state.product.rawValue)
        writer.member("original_transaction_id", "\(kept.original)")
        writer.member("auto_renew_status", kept.state.isAutoRenewing ? "1" : "0")
        if let consent = info.consent { writer.member("price_consent_status", consent ? "1" : "0") }
        if let increase = info.increase {
            writer.member("price_increase_status", increase ? "1" : "0")
        }
        guard let offer = info.offer, let id = offer.id else { return }
        switch offer.kind {
        case .code: writer.member("offer_code_ref_name", id)
        case .promotional, .winBack: writer.member("promotional_offer_id", id)
        case .introductory: break
        }
    }
}

/// The answer to a valid receipt, with its status.
struct VerifiedAnswer: Sendable {
    /// 0 or 21006: the others come without a receipt.
    let status: VerifyReceiptStatus
    let body: [UInt8]
}
