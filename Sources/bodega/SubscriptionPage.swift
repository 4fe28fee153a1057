import StoreWire

/// Subscriptions as printed for the operator of a backend.
enum SubscriptionPage {
    static func table(_ subscriptions: [OperatorSubscriptionBody]) -> String {
        Terminal.table(
            [
                "ORIGINAL", "USER", "PRODUCT", "STATE", "EXPIRES", "RENEWS", "CHECKED",
                "NEXT CHECK", "TROUBLE",
            ],
            subscriptions.map { row in
                let subscription = row.subscription
                return [
                    OperatorPage.clean(subscription.originalTransactionId ?? ""),
                    OperatorPage.clean(row.userName), OperatorPage.clean(subscription.productId),
                    state(subscription), OperatorPage.time(subscription.expires),
                    subscription.autoRenews.map { $0 ? "yes" : "no" } ?? "",
                    OperatorPage.time(row.checkedAt), OperatorPage.time(row.nextCheckAt),
                    OperatorPage.clean(row.trouble ?? ""),
                ]
            })
    }

    /// Each subscription, a line for each known fact, and its history; an empty table for none.
    static func text(_ subscriptions: [OperatorSubscriptionBody]) -> String {
        subscriptions.isEmpty
            ? table([] as [OperatorSubscriptionBody])
            : subscriptions.map(text).joined(separator: "\n\n")
    }

    private static func text(_ row: OperatorSubscriptionBody) -> String {
        var parts = [OperatorPage.lines(facts(row))]
        if let left = row.historyLeftOut { parts.append("\(left) older entries are not shown") }
        if let history = row.history { parts.append(table(history)) }
        return parts.joined(separator: "\n\n")
    }

    private static func facts(_ row: OperatorSubscriptionBody) -> [(String, String)] {
        let subscription = row.subscription
        let receipt = row.receipt
        return [
            ("original", subscription.originalTransactionId ?? ""),
            ("transaction", subscription.transactionId ?? ""),
            ("user", "\(row.userName) (\(row.userId))"),
            ("product", subscription.productId), ("service", subscription.service),
            ("environment", subscription.environment), ("state", state(subscription)),
            ("served", subscription.isServed ? "yes" : "no"),
            ("began", OperatorPage.time(row.periodBegan)),
            ("expires", OperatorPage.time(subscription.expires)),
            ("grace ends", OperatorPage.time(subscription.gracePeriodEnds)),
            ("revoked", OperatorPage.time(subscription.revokedAt)),
            ("renews", subscription.autoRenews.map { $0 ? "yes" : "no" } ?? ""),
            ("renews as", subscription.renewsAs ?? ""),
            ("receipt", "\(receipt.sha256), \(receipt.byteCount) bytes, \(receipt.style)"),
            ("store's clock", OperatorPage.time(row.answeredAt)),
            ("checked", OperatorPage.time(row.checkedAt)),
            ("next check", OperatorPage.time(row.nextCheckAt)),
            ("failures", row.failures == 0 ? "" : "\(row.failures)"),
            ("trouble", row.trouble ?? ""),
        ]
    }

    private static func state(_ subscription: UserSubscriptionBody) -> String {
        subscription.state.rawValue + (subscription.reason.map { " (\($0))" } ?? "")
    }

    private static func table(_ history: [OperatorSubscriptionBody.Event]) -> String {
        Terminal.table(
            ["AT", "STORE'S CLOCK", "EVENT", "PRODUCT", "TRANSACTION", "EXPIRES", "REQUEST"],
            history.map { event in
                [
                    OperatorPage.time(event.at), OperatorPage.time(event.storeAt), event.event,
                    OperatorPage.clean(event.productId), OperatorPage.clean(event.transactionId),
                    OperatorPage.time(event.expires), OperatorPage.clean(event.requestId),
                ]
            })
    }
}
