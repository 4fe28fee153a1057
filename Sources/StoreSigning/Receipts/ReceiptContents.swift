package import StoreVerification

/// Every attribute of a unified receipt as it stands there, whether or not anyone vouches for it.
///
/// Read by the parts that `ReceiptVerifier` reads with, so that both see the same receipt.
package struct ReceiptContents: Hashable, Sendable {
    /// One attribute of a receipt or of a purchase in it.
    package struct Attribute: Hashable, Sendable {
        package let number: Int64
        /// A text or a number as it stands, a date in RFC 3339, or bytes in hexadecimal digits;
        /// empty where the receipt has nothing.
        package let value: String

        /// What the attribute is called, as Apple's "Receipt Fields" does where it is documented.
        package var name: String { ReceiptAttribute.meaning(of: number).name }
        /// What it says, in one sentence.
        package var meaning: String { ReceiptAttribute.meaning(of: number).sentence }
    }

    /// Without the purchases, by number.
    package let attributes: [Attribute]
    /// Each purchase's attributes by number, in the order of the receipt.
    package let purchases: [[Attribute]]

    /// Reads a receipt; throws when it is not one.
    package init(_ receipt: [UInt8]) throws(VerificationRefusal) {
        guard receipt.count <= ReceiptLimits.receiptBytesMax else {
            throw .malformed("The receipt is larger than any receipt.")
        }
        do throws(DERError) {
            let container = try ReceiptContainer(receipt)
            var reader = try AttributeReader(
                try container.reader.inside(container.payload), firstType: 0)
            var attributes: [Attribute] = []
            var purchases: [[Attribute]] = []
            while let (type, value) = try reader.next() {
                guard type == ReceiptAttribute.purchase else {
                    attributes.append(Attribute(type, reader.reader(value)))
                    continue
                }
                guard purchases.count < ReceiptLimits.purchasesMax else {
                    throw DERError("a receipt has too many purchases", byte: reader.position)
                }
                purchases.append(try Self.purchase(reader.reader(value)))
            }
            self.attributes = attributes.sorted { $0.number < $1.number }
            self.purchases = purchases
        } catch {
            throw .malformed("The receipt is malformed: \(error).")
        }
    }

    /// The certificates (DER) in a receipt; none where they cannot be found.
    package static func certificates(of receipt: [UInt8]) -> [[UInt8]] {
        guard let container = try? ReceiptContainer(receipt),
            let (elements, reader) = try? container.certificates(
                countMax: ReceiptLimits.certificateCount)
        else { return [] }
        return elements.map { Array(reader.slice($0.whole)) }
    }

    private static func purchase(_ outer: DERReader) throws(DERError) -> [Attribute] {
        var reader = try AttributeReader(outer, firstType: PurchaseAttribute.quantity)
        var attributes: [Attribute] = []
        while let (type, value) = try reader.next() {
            attributes.append(Attribute(type, reader.reader(value)))
        }
        return attributes.sorted { $0.number < $1.number }
    }
}

extension ReceiptContents.Attribute {
    /// Bytes that could happen to look like a text or a number.
    private static let opaque: Set<Int64> = [
        ReceiptAttribute.opaqueValue, ReceiptAttribute.deviceHash, ReceiptAttribute.filler,
        ReceiptAttribute.worldSeal,
    ]

    fileprivate init(_ number: Int64, _ value: DERReader) {
        self.number = number
        self.value = Self.opaque.contains(number) ? value.hexadecimal : value.readable
    }
}

extension DERReader {
    fileprivate var hexadecimal: String {
        rest().map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }

    /// The one text or number that fills it; otherwise its bytes.
    fileprivate var readable: String {
        if let text = try? wholeText() { return text }
        if let number = try? wholeNumber() { return "\(number)" }
        var reader = self
        if let text = try? reader.ia5String(), (try? reader.finish()) != nil { return text }
        return hexadecimal
    }
}
