import StoreModel
import StoreVerification

/// Collects attributes `SEQUENCE { type, version, value }` and gives them as one sorted SET.
///
/// Each attribute is written straight into its final bytes, since a receipt of ten thousand
/// purchases has two hundred thousand of them.
struct AttributeWriter {
    private(set) var attributes: [[UInt8]] = []

    mutating func add(_ type: Int64, raw value: [UInt8], version: Int64 = 1) {
        add(type, version: version, valueCount: value.count) { $0.append(contentsOf: value) }
    }

    mutating func add(_ type: Int64, _ number: Int64) {
        add(type, valueCount: 2 + DERWriter.integerByteCount(number)) {
            DERWriter.appendInteger(number, to: &$0)
        }
    }

    mutating func add(_ type: Int64, _ text: String) {
        let bytes = Array(text.utf8)
        add(type, .utf8String, bytes)
    }

    /// Adds a date; nil is written as an empty text.
    mutating func add(_ type: Int64, _ date: Timestamp?) {
        add(type, .ia5String, date.map(Self.rfc3339) ?? [])
    }

    var set: [UInt8] { DERWriter.set(of: attributes) }

    private mutating func add(_ type: Int64, _ tag: DERTag, _ contents: [UInt8]) {
        let header = 1 + DERWriter.lengthByteCount(contents.count)
        add(type, valueCount: header + contents.count) {
            DERWriter.appendHeader(tag, contents.count, to: &$0)
            $0.append(contentsOf: contents)
        }
    }

    private mutating func add(
        _ type: Int64, version: Int64 = 1, valueCount: Int, _ write: (inout [UInt8]) -> Void
    ) {
        let numbers =
            4 + DERWriter.integerByteCount(type) + DERWriter.integerByteCount(version)
        let count = numbers + 1 + DERWriter.lengthByteCount(valueCount) + valueCount
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 6)
        DERWriter.appendHeader(.sequence, count, to: &bytes)
        DERWriter.appendInteger(type, to: &bytes)
        DERWriter.appendInteger(version, to: &bytes)
        DERWriter.appendHeader(.octetString, valueCount, to: &bytes)
        write(&bytes)
        attributes.append(bytes)
    }

    /// `2024-05-01T10:20:30Z` in ASCII, for years of four digits.
    static func rfc3339(_ moment: Timestamp) -> [UInt8] {
        let date = CalendarDate(moment)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20)
        func add(_ number: Int, _ end: Unicode.Scalar) {
            bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
            bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
            bytes.append(UInt8(ascii: end))
        }
        bytes.append(UInt8(ascii: "0") + UInt8(date.year / 1_000))
        bytes.append(UInt8(ascii: "0") + UInt8(date.year / 100 % 10))
        add(date.year % 100, "-")
        add(date.month, "-")
        add(date.day, "T")
        add(date.hour, ":")
        add(date.minute, ":")
        add(date.second, "Z")
        return bytes
    }
}
