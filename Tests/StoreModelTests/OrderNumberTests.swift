import StoreModel
import Testing

struct OrderNumberTests {
    private static let first = StoreEnvironment.production.transactionNumbers.lowerBound

    @Test(arguments: [
        (0, "M00000000000"), (1, "M00000000001"), (31, "M0000000000Z"), (32, "M00000000010"),
        (1_899_999_999_999_999, "M1P018WH5FZZ"),
    ])
    func `a purchase of production has an order number that leads back to it`(
        place: Int64, text: String
    ) throws {
        let purchase = TransactionID(Self.first + place)
        let number = try #require(OrderNumber(of: purchase, in: .production))
        #expect(number.text == text)
        #expect(OrderNumber(number.text)?.transaction == purchase)
    }

    @Test func `a purchase of the sandbox has no order number`() {
        #expect(OrderNumber(of: TransactionID(2_000_000_000_000_000), in: .sandbox) == nil)
    }

    @Test(arguments: [
        "", "M", "M0000000000", "M000000000000", "X00000000000", "m00000000000", "M0000000000I",
        "M0000000000u", "MZZZZZZZZZZZ", "M00000000 00", "M0000000000é",
    ])
    func `a text that no order has is not an order number`(text: String) {
        #expect(OrderNumber(text) == nil)
    }
}
