import StoreWire
import Testing

/// Comma-separated values, written and read.
struct CSVTests {
    @Test(arguments: [
        ["a", "b"], [""], ["", ""], ["a,b", "say \"hi\"", "two\r\nlines", "é\u{301}"], ["\""],
        ["\n", "\r"],
    ])
    func `what is written reads the same`(row: [String]) throws {
        #expect(try CSV.rows(CSV.line(row) + CSV.line(["end"])) == [row, ["end"]])
    }

    @Test func `lines may end in any way, and the last need not end`() throws {
        #expect(
            try CSV.rows("a,b\nc,d\re,f\r\ng,\"h\"") == [
                ["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"],
            ])
        #expect(try CSV.rows("") == [])
    }

    @Test(arguments: [
        ("a\nb,\"c", 2, "does not end"), ("a\"b", 1, "inside a field"),
        ("x\n\"a\"b", 2, "inside a field"), ("\"a\"\"", 1, "does not end"),
        ("\"a\" \"b\"", 1, "inside a field"),
    ])
    func `a malformed line is refused with its number`(
        text: String, line: Int, sentence: String
    ) {
        let trouble = #expect(throws: CSV.Trouble.self) { try CSV.rows(text) }
        #expect(trouble?.line == line)
        #expect(trouble?.sentence.contains(sentence) == true)
    }

    @Test func `an exported sale reads the same from its line`() throws {
        for sale in [
            SoldTransactionBody(
                transactionId: "1", originalTransactionId: "1", environment: "Production",
                bundleId: "b", productId: "fuel, \"super\"", kind: "consumable", quantity: 2,
                purchasedAt: 5, storefront: "USA", currency: "USD", priceMilliunits: 1_980,
                chargedMilliunits: 1_980, refundedMilliunits: 990, revokedAt: 7,
                offer: "promotional", isShared: true),
            SoldTransactionBody(
                transactionId: "2", originalTransactionId: "1", environment: "Sandbox",
                bundleId: "b", productId: "p", kind: "autoRenewable", quantity: 1, purchasedAt: 5,
                storefront: "JPN", currency: "JPY", priceMilliunits: 0, chargedMilliunits: 0,
                refundedMilliunits: 0),
        ] {
            let row = try #require(try CSV.rows(CSV.line(sale.csvFields)).first)
            #expect(SoldTransactionBody(csvFields: row) == sale)
            for place in [6, 7, 10, 11, 12, 13, 15] {
                var damaged = row
                damaged[place] = "x"
                #expect(SoldTransactionBody(csvFields: damaged) == nil)
            }
            #expect(SoldTransactionBody(csvFields: row.dropLast()) == nil)
        }
    }
}
