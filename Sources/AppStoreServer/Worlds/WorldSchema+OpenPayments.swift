import StoreDatabase

extension WorldSchema {
    /// What purchases and payments are kept with while somebody's answer is open.
    static let openPayments = Migration(
        number: 25, statements: waitingPurchasesHold + paymentLines)

    // The nonce that a purchase used up and gives back when nothing is sold, and the price for which
    // it was approved.
    private static let waitingPurchasesHold = [
        "offer_nonce TEXT", "approved_milliunits BIGINT", "approved_currency TEXT",
    ].map { "ALTER TABLE waiting_purchase ADD COLUMN \($0)" }

    // Each line of what a provider is asked has an index of its own, in the order in which it is
    // due; a payment is in one at most.
    private static let paymentLines = [
        "DROP INDEX payment_due",
        """
        CREATE INDEX payment_purchases_due ON payment (next_real_ms)
            WHERE state = 'authorizing' AND waiting_number IS NOT NULL
        """,
        """
        CREATE INDEX payment_renewals_due ON payment (next_real_ms)
            WHERE state = 'authorizing' AND subscription_id IS NOT NULL
        """,
        """
        CREATE INDEX payment_settlements_due ON payment (next_real_ms)
            WHERE state IN ('capturing', 'voiding')
        """,
        // What is approved, and waits for another payment of its account.
        "ALTER TABLE payment ADD COLUMN is_approved BIGINT NOT NULL DEFAULT 0",
        """
        CREATE INDEX payment_put_off ON payment (account_id)
            WHERE is_approved <> 0 AND state = 'authorizing'
        """,
    ]
}
