/// The number of an order, as on the customer's invoice: `M` and eleven letters or digits.
///
/// An order in production has one purchase, from whose number it follows, so that every sale has
/// one, whenever it was made. The sandbox has no orders. Source: Apple, *orderId*, for its use;
/// its form is our own.
package struct OrderNumber: Hashable, Sendable {
    package let text: String
    package let transaction: TransactionID

    /// Without letters that look like digits, as in Douglas Crockford's base 32.
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let letterCount = 11
    private static let prefix = UInt8(ascii: "M")

    /// Nil in the sandbox.
    package init?(of purchase: TransactionID, in environment: StoreEnvironment) {
        guard environment == .production else { return nil }
        self.init(purchase)
    }

    /// Reads a number that this store may have given; nil for any other text.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 1 + Self.letterCount, bytes[0] == Self.prefix else { return nil }
        var number: Int64 = 0
        for byte in bytes.dropFirst() {
            guard let digit = Self.letters.firstIndex(of: byte) else { return nil }
            number = number << 5 | Int64(digit)
        }
        let first = StoreEnvironment.production.transactionNumbers.lowerBound
        self.init(TransactionID(first + number))
    }

    private init?(_ transaction: TransactionID) {
        let range = StoreEnvironment.production.transactionNumbers
        var rest = transaction.rawValue - range.lowerBound
        guard range.contains(transaction.rawValue), rest < 1 << (5 * Self.letterCount) else {
            return nil
        }
        var reversed: [UInt8] = []
        for _ in 0..<Self.letterCount {
            reversed.append(Self.letters[Int(rest & 31)])
            rest >>= 5
        }
        text = String(decoding: [Self.prefix] + reversed.reversed(), as: UTF8.self)
        self.transaction = transaction
    }
}
