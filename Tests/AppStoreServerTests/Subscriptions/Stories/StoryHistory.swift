import StoreDatabase
import StoreModel
import Testing

@testable import AppStoreServer

/// What a world's database has that was not told yet: events, transactions, money.
struct StoryHistory {
    private let shop: SubscriptionFixture
    private var eventsTold: Int64 = 0
    private var transactionsTold: Int64 = 0
    private var entriesTold: Int64 = 0
    private var refundsTold: Set<String> = []
    private var credit: Int64 = 0

    init(_ shop: SubscriptionFixture) {
        self.shop = shop
    }

    /// A line for each, oldest first.
    mutating func next() throws -> [String] {
        let numbers = try SaleNumbers(shop)
        return (try events(numbers) + sales(numbers) + refunds(numbers) + entries(numbers)).map {
            "  " + $0
        }
    }

    private func rows(_ sql: String, after number: Int64? = nil) throws -> [Row] {
        try shop.store.registry.defaultWorld.database.read {
            try $0.rows(sql, number.map { [.integer($0)] } ?? [])
        }
    }

    private mutating func events(_ numbers: SaleNumbers) throws -> [String] {
        let found = try rows(
            """
            SELECT event.number, event.kind, coalesce(restored_id, transaction_id), event.subject
            FROM event LEFT JOIN store_transaction AS sold ON sold.id = event.transaction_id
            WHERE event.number > ?1 ORDER BY event.number
            """, after: eventsTold)
        eventsTold = found.last?.integer(0) ?? eventsTold
        return found.map { row in
            let subject = row.textOrNil(3)
            return [
                row.text(1), row.integerOrNil(2).map { numbers[$0] },
                row.text(1) == "renewalFailed"
                    ? subject.map { "until \($0.prefix(10))" } : subject?.productName,
            ].compactMap { $0 }.joined(separator: " ")
        }
    }

    private mutating func sales(_ numbers: SaleNumbers) throws -> [String] {
        let found = try rows(
            """
            SELECT id, product_id, charged_milliunits, is_renewal, shared_id, offer_kind, offer_id,
                offer_mode FROM store_transaction
            WHERE id > ?1 AND restore_id IS NULL ORDER BY id
            """, after: transactionsTold)
        transactionsTold = found.last?.integer(0) ?? transactionsTold
        return found.map { row in
            let name = "\(numbers[row.integer(0)]) \(row.text(1).productName)"
            let price = row.integer(2).money
            if let purchase = row.integerOrNil(4) {
                return "shared \(name) of \(numbers[purchase]) for \(price)"
            }
            let offer = [5, 6, 7].compactMap { row.textOrNil($0) }.joined(separator: " ")
            return "sold \(name) for \(price)" + (row.integerOrNil(3) == 1 ? ", renewal" : "")
                + (offer.isEmpty ? "" : ", \(offer)")
        }
    }

    /// What upgrades gave back, and what was granted on request, also where nobody was charged.
    private mutating func refunds(_ numbers: SaleNumbers) throws -> [String] {
        let found = try rows(
            """
            SELECT transaction_id, milliunits, at_ms FROM refund
            UNION ALL SELECT transaction_id, grant_milliunits, granted_ms FROM refund_request
            WHERE granted_ms IS NOT NULL ORDER BY 3, 1
            """
        ).map { "back \($0.integer(1).money) of \(numbers[$0.integer(0)])" }
        return found.filter { refundsTold.insert($0).inserted }
    }

    /// The customer's side of the ledger, with what is left after each entry.
    private mutating func entries(_ numbers: SaleNumbers) throws -> [String] {
        let found = try rows(
            """
            SELECT number, kind, milliunits, transaction_id FROM ledger_entry
            JOIN ledger_posting ON entry_number = number
            WHERE account_kind = 'customer' AND number > ?1 ORDER BY number
            """, after: entriesTold)
        guard let last = found.last else { return [] }
        entriesTold = last.integer(0)
        let lines = found.map { row in
            credit += row.integer(2)
            let purchase = row.integerOrNil(3).map { " of \(numbers[$0])" } ?? ""
            return "\(row.text(1)) \(row.integer(2).money)\(purchase), \(credit.money) left"
        }
        #expect(try shop.store.credit() == credit)
        return lines
    }
}

extension Int64 {
    /// Thousandths as an amount: `9.99`, `4.995`, `10`.
    var money: String {
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000)
        var digits = String("\(1_000 + rest)".dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return (self < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
    }
}

extension String {
    /// Without what all products of the shop begin with.
    var productName: String {
        let start = TestStore.bundleID + "."
        return hasPrefix(start) ? String(dropFirst(start.count)) : self
    }
}
