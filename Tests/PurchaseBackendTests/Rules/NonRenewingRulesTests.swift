import StoreModel
import Testing

@testable import PurchaseBackend

struct NonRenewingRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let purchases: [NonRenewingPurchase]
        let end: String?

        init(_ name: String, _ purchases: [NonRenewingPurchase], _ end: String?) {
            testDescription = name
            self.purchases = purchases
            self.end = end
        }
    }

    private static func bought(
        _ day: String, _ length: CalendarSpan, quantity: Int64 = 1
    ) -> NonRenewingPurchase {
        NonRenewingPurchase(
            purchasedAt: Timestamp(rfc3339: day) ?? Timestamp(seconds: 0), quantity: quantity,
            length: length)
    }

    @Test(arguments: [
        Row("nothing", [], nil),
        Row("a week", [bought("2024-05-01", .days(7))], "2024-05-08T00:00:00Z"),
        Row("a month of 29 days", [bought("2024-01-31", .months(1))], "2024-02-29T00:00:00Z"),
        Row("a year", [bought("2024-02-29", .months(12))], "2025-02-28T00:00:00Z"),
        Row(
            "two that follow each other",
            [bought("2024-05-01", .days(7)), bought("2024-05-03", .days(7))],
            "2024-05-15T00:00:00Z"),
        Row(
            "in whatever order",
            [bought("2024-05-03", .days(7)), bought("2024-05-01", .months(1))],
            "2024-06-08T00:00:00Z"),
        Row(
            "after a gap",
            [bought("2024-05-01", .days(7)), bought("2024-06-01", .days(7))],
            "2024-06-08T00:00:00Z"),
        Row(
            "two months that follow each other, from the last of a month",
            [bought("2025-01-31", .months(1)), bought("2025-02-01", .months(1))],
            "2025-03-31T00:00:00Z"),
        Row(
            "the same as two at once", [bought("2025-01-31", .months(1), quantity: 2)],
            "2025-03-31T00:00:00Z"),
        Row(
            "a week between them",
            [
                bought("2025-01-31", .months(1)), bought("2025-02-01", .days(7)),
                bought("2025-02-02", .months(1)),
            ], "2025-04-07T00:00:00Z"),
        Row(
            "bought at the very end",
            [bought("2025-01-31", .months(1)), bought("2025-02-28", .months(1))],
            "2025-03-31T00:00:00Z"),
        Row("three at once", [bought("2024-05-01", .days(7), quantity: 3)], "2024-05-22T00:00:00Z"),
        Row(
            "more than there are years",
            Array(repeating: bought("2024-05-01", .months(12), quantity: .max), count: 9),
            "9999-12-31T23:59:59Z"),
    ])
    func `several non-renewing purchases add up`(row: Row) {
        let end = NonRenewingRules.end(of: row.purchases)
        #expect(end.map { CalendarDate($0).rfc3339 } == row.end)
    }
}
