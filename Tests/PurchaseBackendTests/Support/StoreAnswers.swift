import StoreModel

/// Answers of `/verifyReceipt` as Apple's unified style writes them.
enum StoreAnswers {
    static func status(_ status: Int) -> String { "{\"status\":\(status)}" }

    struct Purchase: Sendable {
        var product = "coins"
        var transaction = "1000000000000001"
        var original: String?
        var quantity = 1
        var isCancelled = false
        var cancelledAt: Int64 = 1_714_645_230_000
        var purchasedAt: Int64 = 1_714_558_830_000

        var json: String {
            let cancellation =
                isCancelled
                ? #""cancellation_date":"2024-05-02 10:20:30 Etc/GMT","#
                    + #""cancellation_date_ms":"\#(cancelledAt)","cancellation_reason":"0","#
                : ""
            return """
                {"quantity":"\(quantity)","product_id":"\(product)","transaction_id":"\(transaction)",\
                "original_transaction_id":"\(original ?? transaction)",\
                "purchase_date":"2024-05-01 10:20:30 Etc/GMT",\
                "purchase_date_ms":"\(purchasedAt)",\
                "purchase_date_pst":"2024-05-01 03:20:30 America/Los_Angeles",\(cancellation)\
                "is_trial_period":"false","in_app_ownership_type":"PURCHASED"}
                """
        }
    }

    static func verified(
        _ purchases: [Purchase], environment: StoreEnvironment = .production,
        bundle: String = "com.example.rocketcar", version: String = "1.2", madeAt: Int64? = nil
    ) -> String {
        let inApp = purchases.map(\.json).joined(separator: ",")
        let made = madeAt.map { #""receipt_creation_date_ms":"\#($0)", "# } ?? ""
        return """
            {"status":0, "environment":"\(environment.wireName)",
            "receipt":{"receipt_type":"Production", "adam_id":1, "app_item_id":1, \
            "bundle_id":"\(bundle)", "application_version":"\(version)", "download_id":1, \
            "version_external_identifier":1, \(made)\
            "receipt_creation_date":"2024-05-01 10:20:30 Etc/GMT", "in_app":[\(inApp)]}}
            """
    }
}
