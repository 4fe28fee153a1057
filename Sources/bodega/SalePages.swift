import StoreModel
import StoreWire

/// Sales as printed.
enum SalePages {
    static func table(_ sales: [SaleBody]) -> String {
        Terminal.table(
            [
                "TRANSACTION", "BOUGHT", "ACCOUNT", "APP", "PRODUCT", "QUANTITY", "PRICE",
                "CHARGED", "REFUNDED", "STATE",
            ],
            sales.map { sale in
                let sold = sale.sold
                func amount(_ milliunits: Int64) -> String {
                    milliunits == 0 ? "-" : AmountWords.text(milliunits, sold.currency)
                }
                return [
                    sold.transactionId, time(sold.purchasedAt), sale.account, sold.bundleId,
                    sold.productId, "\(sold.quantity)",
                    AmountWords.text(sold.priceMilliunits, sold.currency),
                    amount(sold.chargedMilliunits), amount(sold.refundedMilliunits),
                    state(of: sale),
                ]
            })
    }

    /// A line for each known fact, and tables of the copies and the ledger's entries.
    static func text(_ body: SaleDetailsBody) -> String {
        var parts = [OperatorPage.lines(facts(body.transaction) + facts(body))]
        if !body.familyCopies.isEmpty {
            parts.append(
                "The family's copies:\n"
                    + Terminal.table(
                        ["TRANSACTION", "ACCOUNT", "STATE"],
                        body.familyCopies.map {
                            [$0.sold.transactionId, $0.account, state(of: $0)]
                        }))
        }
        if !body.ledger.isEmpty {
            parts.append("In the ledger:\n" + LedgerCommand.table(body.ledger))
        }
        return parts.joined(separator: "\n\n")
    }

    static func facts(_ sale: SaleBody) -> [(String, String)] {
        let sold = sale.sold
        func amount(_ milliunits: Int64) -> String {
            milliunits == 0 ? "" : AmountWords.text(milliunits, sold.currency)
        }
        return [
            ("transaction", sold.transactionId),
            (
                "original",
                sold.originalTransactionId == sold.transactionId ? "" : sold.originalTransactionId
            ),
            ("environment", sold.environment), ("account", sale.account), ("app", sold.bundleId),
            ("product", "\(sold.productId) (\(sold.kind))"),
            ("quantity", sold.quantity == 1 ? "" : "\(sold.quantity)"),
            ("bought", "\(time(sold.purchasedAt)), \(sold.storefront)"),
            ("expires", time(sale.expiresAt)), ("offer", sold.offer ?? ""),
            ("price", AmountWords.text(sold.priceMilliunits, sold.currency)),
            ("charged", amount(sold.chargedMilliunits)),
            ("refunded", amount(sold.refundedMilliunits)), ("order", sold.orderId ?? ""),
            ("state", state(of: sale)), ("finished", time(sale.finishedAt)),
            ("replaced", time(sale.replacedAt)),
            (
                "revoked",
                sold.revokedAt.map { "\(time($0)) (\(sale.revocationReason?.rawValue ?? ""))" }
                    ?? ""
            ),
        ]
    }

    private static func facts(_ body: SaleDetailsBody) -> [(String, String)] {
        let sold = body.transaction.sold
        func amount(_ milliunits: Int64) -> String { AmountWords.text(milliunits, sold.currency) }
        let payment = body.payment.map {
            "\($0.state.rawValue), \(amount($0.capturedMilliunits ?? $0.amountMilliunits)), "
                + $0.paymentId
        }
        return [
            ("group", body.subscriptionGroup ?? ""),
            ("device", "\(body.deviceId)"), ("attempt", body.attemptId),
            ("user name", body.applicationUsername ?? ""),
            ("restores", body.restoredTransactionId ?? ""),
            ("copy of", body.sharedTransactionId ?? ""),
            ("refund", body.refund.map { "\($0.state.rawValue) (\($0.reason.rawValue))" } ?? ""),
            ("upgrade refund", body.upgradeRefundMilliunits.map(amount) ?? ""),
            ("payment", payment ?? ""),
        ]
    }

    static func state(of sale: SaleBody) -> String {
        sale.state.rawValue + (sale.sold.isShared ? ", shared" : "")
    }

    private static func time(_ milliseconds: Int64) -> String {
        TimeWords.text(Timestamp(milliseconds: milliseconds))
    }

    private static func time(_ time: Timestamp?) -> String { time.map { TimeWords.text($0) } ?? "" }
}
