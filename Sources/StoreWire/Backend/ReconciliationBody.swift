/// What was delivered, compared with what the store charged and with the backend's price records.
/// Amounts are in thousandths of the currency's unit.
package struct ReconciliationBody: Codable, Hashable, Sendable {
    /// How many, and how much the store charged for them, or refunded.
    package struct Tally: Codable, Hashable, Sendable {
        package var count = 0
        package var milliunits: Int64 = 0

        package init(count: Int = 0, milliunits: Int64 = 0) {
            self.count = count
            self.milliunits = milliunits
        }
    }

    /// A product's sales of a month; each is in one of `sold`, `free`, `differs` and `unknown`, and
    /// one with a refund in `refunded`, too.
    package struct Line: Codable, Hashable, Sendable {
        package let productId: String
        package let currency: String
        /// When they were bought, in UTC: `2026-03`.
        package let month: String
        /// Charged as the records say.
        package var sold = Tally()
        package var refunded = Tally()
        package var free = Tally()
        /// Charged otherwise.
        package var differs = Tally()
        /// Not delivered by this backend, or without a price record.
        package var unknown = Tally()

        package init(productId: String, currency: String, month: String) {
            self.productId = productId
            self.currency = currency
            self.month = month
        }

        /// What the store keeps: all that was charged less what was refunded.
        package var netMilliunits: Int64 {
            sold.milliunits + free.milliunits + differs.milliunits + unknown.milliunits
                - refunded.milliunits
        }
    }

    package struct Difference: Codable, Hashable, Sendable {
        package let transactionId: String
        package let productId: String
        package let currency: String
        package let expectedMilliunits: Int64
        package let chargedMilliunits: Int64
        /// The kind of the offer that it was bought with.
        package let offer: String?

        package init(
            transactionId: String, productId: String, currency: String, expectedMilliunits: Int64,
            chargedMilliunits: Int64, offer: String?
        ) {
            self.transactionId = transactionId
            self.productId = productId
            self.currency = currency
            self.expectedMilliunits = expectedMilliunits
            self.chargedMilliunits = chargedMilliunits
            self.offer = offer
        }
    }

    /// A total of all products and months.
    package struct Total: Codable, Hashable, Sendable {
        package let currency: String
        package let chargedMilliunits: Int64
        package let refundedMilliunits: Int64
        package let netMilliunits: Int64

        package init(currency: String, chargedMilliunits: Int64, refundedMilliunits: Int64) {
            self.currency = currency
            self.chargedMilliunits = chargedMilliunits
            self.refundedMilliunits = refundedMilliunits
            netMilliunits = chargedMilliunits - refundedMilliunits
        }
    }

    /// By product, currency and month.
    package var lines: [Line] = []
    /// By currency.
    package var totals: [Total] = []
    package var differences: [Difference] = []
    /// Sold by the store and not delivered here, by transaction.
    package var notDelivered: [String] = []
    /// Delivered, without a price record.
    package var notPriced: [String] = []
    /// Delivered here, and not in the store's export.
    package var notExported: [String] = []

    package init() {}
}
