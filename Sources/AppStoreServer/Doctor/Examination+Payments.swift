import StoreDatabase
import StoreModel

// The payments of a provider: whether the ledger agrees, and what is left to settle.
extension Examination {
    /// Each question finds a fault and returns one column, its place.
    static let paymentQuestions: [(fault: String, sql: String)] = [
        (
            "payment of a sale does not match the ledger",
            """
            SELECT payment.id FROM payment
            LEFT JOIN ledger_entry ON ledger_entry.reference = 'payment/' || payment.id
            LEFT JOIN ledger_posting
                ON entry_number = ledger_entry.number AND account_kind = 'customer'
            WHERE coalesce(captured_milliunits, 0) <> coalesce(ledger_posting.milliunits, 0)
                OR (captured_milliunits IS NOT NULL AND (
                    ledger_posting.account_id <> payment.account_id
                    OR ledger_posting.currency <> payment.currency
                    OR payment.state NOT IN ('capturing', 'captured', 'failed')))
            """
        ),
        (
            "payment in the ledger that no provider was asked for",
            """
            SELECT reference FROM ledger_entry
            WHERE (kind = 'payment' AND reference LIKE 'payment/%' AND NOT EXISTS (
                    SELECT 1 FROM payment WHERE payment.id = substr(ledger_entry.reference, 9)))
                OR (kind = 'payment' AND reference LIKE 'returned/%' AND NOT EXISTS (
                    SELECT 1 FROM payment_refund
                    WHERE payment_refund.id = substr(ledger_entry.reference, 10)
                        AND state = 'failed'))
                OR (kind = 'payment' AND reference NOT LIKE 'payment/%'
                    AND reference NOT LIKE 'returned/%')
                OR (kind = 'payout' AND NOT EXISTS (
                    SELECT 1 FROM payment_refund
                    WHERE 'payout/' || payment_refund.id = ledger_entry.reference))
            """
        ),
        (
            "refund of a payment is missing from the ledger, or exceeds the payment",
            """
            SELECT payment_refund.id FROM payment_refund
            JOIN payment ON payment.id = payment_id
            LEFT JOIN ledger_entry ON ledger_entry.reference = 'payout/' || payment_refund.id
            LEFT JOIN ledger_posting
                ON entry_number = ledger_entry.number AND account_kind = 'customer'
            WHERE payment_refund.milliunits <> coalesce(-ledger_posting.milliunits, 0)
                OR (SELECT sum(milliunits) FROM payment_refund AS other
                    WHERE other.payment_id = payment.id) > captured_milliunits
            """
        ),
        (
            "attempt waits for a payment that is not being asked for",
            """
            SELECT attempt.attempt_id FROM attempt
            WHERE attempt.state IN ('charging', 'unknown') AND NOT EXISTS (
                SELECT 1 FROM waiting_purchase
                JOIN payment ON waiting_number = waiting_purchase.number
                WHERE waiting_purchase.device_id = attempt.device_id
                    AND waiting_purchase.attempt_id = attempt.attempt_id
                    AND payment.state = 'authorizing')
            """
        ),
        (
            "subscription waits for a payment that is not being asked for",
            """
            SELECT original_id FROM subscription WHERE payment_id IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM payment WHERE payment.id = payment_id AND state = 'authorizing'
                    AND payment.subscription_id = original_id)
            """
        ),
    ]

    /// Payments of the default world that someone must look into, or that remain unsettled.
    func payments() -> Finding {
        let check = "payments"
        let path = files.path(.default)
        do {
            let reader = try self.reader(path)
            let since = wall.now().milliseconds - Self.failedVoidMilliseconds
            let payments = try reader.rows(
                """
                SELECT count(*), count(*) FILTER (WHERE next_real_ms IS NOT NULL),
                    count(*) FILTER (WHERE \(Self.isUnpaid)),
                    count(*) FILTER (WHERE state = 'failed' AND transaction_id IS NULL
                        AND asked_real_ms > \(since))
                FROM payment
                """
            ).first
            let refunds = try reader.rows(
                """
                SELECT count(*) FILTER (WHERE next_real_ms IS NOT NULL),
                    count(*) FILTER (WHERE payment_refund.state = 'failed' AND EXISTS (
                        SELECT 1 FROM payment WHERE payment.id = payment_id
                            AND payment.state = 'captured'))
                FROM payment_refund
                """
            ).first
            return finding(
                check, all: payments?.integer(0) ?? 0,
                open: (payments?.integer(1) ?? 0) + (refunds?.integer(0) ?? 0),
                unpaid: payments?.integer(2) ?? 0, held: payments?.integer(3) ?? 0,
                credited: refunds?.integer(1) ?? 0)
        } catch {
            return .bad(
                check, "cannot read the payments: \(error)",
                "follow the advice of the findings above")
        }
    }

    /// A sale whose capture was declined: nobody paid for it, and it was not taken back.
    private static let isUnpaid = """
        state = 'failed' AND transaction_id IS NOT NULL AND captured_milliunits > (
            SELECT coalesce(sum(milliunits), 0) FROM payment_refund WHERE payment_id = payment.id)
            AND NOT EXISTS (
                SELECT 1 FROM revocation WHERE revocation.transaction_id = payment.transaction_id)
        """

    /// How long a declined void is reported, by the real clock: only the provider's own books show
    /// when it has been resolved.
    private static let failedVoidMilliseconds: Int64 = 30 * 86_400_000

    private func finding(
        _ check: String, all: Int64, open: Int64, unpaid: Int64, held: Int64, credited: Int64
    ) -> Finding {
        if unpaid > 0 {
            return .warning(
                check, "the provider declined to capture \(unpaid) of \(all)",
                "list them with: bodega payment list --state failed; take back unpaid purchases "
                    + "with: bodega transaction revoke")
        }
        if held > 0 {
            return .warning(
                check,
                "the provider declined to void \(held) of \(all), for which nothing was sold",
                "list them with: bodega payment list --state failed; check in the provider's own "
                    + "books whether money was taken, and refund it there")
        }
        if open > 0, !isInUse {
            return .warning(
                check, "\(open) requests to the provider have not been answered yet",
                "start the store with its former --payment-gateway, and it will ask again")
        }
        let declined = credited > 0 ? "; \(credited) refunds were declined and are credit" : ""
        return .good(check, "\(all) asked of a provider, \(open) of them on their way\(declined)")
    }
}
