import Foundation
import StoreModel

/// Answers of `/verifyReceipt` about auto-renewable subscriptions, in the shapes of Apple's.
enum SubscriptionAnswers {
    /// 2024-05-01 10:20:30 UTC, when the clock of a test begins.
    static let start: Int64 = 1_714_558_830_000
    static let day: Int64 = 86_400_000
    static let month: Int64 = 31 * day

    /// One period, as an item of `latest_receipt_info`.
    struct Period: Sendable {
        var product = "gold.month"
        var transaction = "1000000000000001"
        var original = "1000000000000001"
        var begins = start
        var ends = start + month
        var cancelledAt: Int64?
        var isUpgraded = false
        var offer: String?
        var account: String?
        var isShared = false

        /// The next period after this one, under a new transaction.
        func renewed(_ transaction: String, product: String? = nil) -> Period {
            var next = self
            next.transaction = transaction
            next.product = product ?? self.product
            next.begins = ends
            next.ends = ends + (ends - begins)
            next.cancelledAt = nil
            return next
        }

        func json(isLatest: Bool) -> String {
            var parts = [
                #""quantity":"1","product_id":"\#(product)","transaction_id":"\#(transaction)""#,
                #""original_transaction_id":"\#(original)""#, dates("purchase_date", begins),
                dates("original_purchase_date", begins), dates("expires_date", ends),
                #""web_order_line_item_id":"2000000012345678","is_trial_period":"false""#,
                #""is_in_intro_offer_period":"false""#,
                #""in_app_ownership_type":"\#(isShared ? "FAMILY_SHARED" : "PURCHASED")""#,
            ]
            if let cancelledAt {
                parts.append(dates("cancellation_date", cancelledAt))
                parts.append(#""cancellation_reason":"0""#)
            }
            if let offer { parts.append(#""promotional_offer_id":"\#(offer)""#) }
            if let account { parts.append(#""app_account_token":"\#(account)""#) }
            if isLatest {
                parts.append(#""subscription_group_identifier":"20970000""#)
                if isUpgraded { parts.append(#""is_upgraded":"true""#) }
            }
            return "{\(parts.joined(separator: ","))}"
        }

        /// The same as the `receipt` of the iOS 6 style; what was restored does not say its end.
        func oldJSON(
            bundle: String = "com.example.rocketcar", isRestored: Bool = false
        ) -> String {
            let end =
                isRestored
                ? ""
                : #""expires_date":"\#(ends)","#
                    + #""expires_date_formatted":"\#(formatted(ends)) Etc/GMT","#
            let cancellation =
                cancelledAt.map { dates("cancellation_date", $0) + #","cancellation_reason":"0","# }
                ?? ""
            return """
                {\(dates("original_purchase_date", begins)),\(dates("purchase_date", begins)),\
                "unique_identifier":"a8b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9",\
                "unique_vendor_identifier":"6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11",\
                "original_transaction_id":"\(original)","transaction_id":"\(transaction)",\
                "quantity":"1","product_id":"\(product)","item_id":"1","bid":"\(bundle)","bvrs":"1.2",\
                "web_order_line_item_id":"2000000012345678",\(end)\(cancellation)\
                "is_trial_period":"false","is_in_intro_offer_period":"false"}
                """
        }
    }

    /// One item of `pending_renewal_info`.
    struct Renewal: Sendable {
        var original = "1000000000000001"
        var product = "gold.month"
        var renewsAs = "gold.month"
        var renews = true
        var isRetried: Bool?
        var graceEnds: Int64?
        var intent: Int?

        var json: String {
            var parts = [
                #""auto_renew_product_id":"\#(renewsAs)","product_id":"\#(product)""#,
                #""original_transaction_id":"\#(original)","auto_renew_status":"\#(renews ? 1 : 0)""#,
            ]
            if let isRetried {
                parts.append(#""is_in_billing_retry_period":"\#(isRetried ? 1 : 0)""#)
            }
            if let graceEnds { parts.append(dates("grace_period_expires_date", graceEnds)) }
            if let intent { parts.append(#""expiration_intent":"\#(intent)""#) }
            return "{\(parts.joined(separator: ","))}"
        }
    }

    /// A unified answer at a moment of the store's clock. `inApp` is what the sent receipt holds;
    /// nil for all of `periods`.
    static func unified(
        _ periods: [Period], _ renewals: [Renewal] = [Renewal()], at now: Int64 = start,
        inApp: [Period]? = nil, others: [StoreAnswers.Purchase] = [], latest: String? = "bGF0ZXN0",
        environment: StoreEnvironment = .production, bundle: String = "com.example.rocketcar"
    ) -> String {
        let held = (inApp ?? periods).map { $0.json(isLatest: false) } + others.map(\.json)
        let newest = periods.map { $0.json(isLatest: true) }
        let receipt = latest.map { "\"latest_receipt\":\"\($0)\", " } ?? ""
        return """
            {"status":0, "environment":"\(environment.wireName)",
            "receipt":{"receipt_type":"Production", "adam_id":1, "app_item_id":1, \
            "bundle_id":"\(bundle)", "application_version":"1.2", "download_id":1, \
            "version_external_identifier":1, \(dates("receipt_creation_date", start)), \
            \(dates("request_date", now)), \(dates("original_purchase_date", 1_375_340_400_000)), \
            "original_application_version":"1.0", "in_app":[\(held.joined(separator: ","))]},
            "latest_receipt_info":[\(newest.joined(separator: ","))],
            \(receipt)"pending_renewal_info":[\(renewals.map(\.json).joined(separator: ","))]}
            """
    }

    /// An answer in the iOS 6 style: `latest` is an object, expired when the status says so.
    static func old(
        _ sent: Period, latest: Period, status: Int = 0, renews: Bool = true,
        isRetried: Bool? = nil, intent: Int? = nil, receipt: String? = "b2xk",
        isRestored: Bool = false, renewsAs: String? = nil
    ) -> String {
        let name = status == 21_006 ? "latest_expired_receipt_info" : "latest_receipt_info"
        let retry = isRetried.map { ",\"is_in_billing_retry_period\":\"\($0 ? 1 : 0)\"" } ?? ""
        let why = intent.map { ",\"expiration_intent\":\"\($0)\"" } ?? ""
        let newest = status == 21_006 ? nil : receipt
        let held = sent.oldJSON(isRestored: isRestored)
        let latestReceipt = newest.map { ",\"latest_receipt\":\"\($0)\"" } ?? ""
        return """
            {"auto_renew_status":\(renews ? 1 : 0),"status":\(status),\
            "auto_renew_product_id":"\(renewsAs ?? latest.product)","receipt":\(held),\
            "\(name)":\(latest.oldJSON())\(latestReceipt)\(retry)\(why)}
            """
    }

    static func dates(_ name: String, _ milliseconds: Int64) -> String {
        """
        "\(name)":"\(formatted(milliseconds)) Etc/GMT","\(name)_ms":"\(milliseconds)",\
        "\(name)_pst":"\(formatted(milliseconds)) America/Los_Angeles"
        """
    }

    private static func formatted(_ milliseconds: Int64) -> String {
        CalendarDate(Timestamp(milliseconds: milliseconds)).spaced
    }
}
