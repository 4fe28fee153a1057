import StoreModel
import StoreVerification

/// Walks the attributes of one SET and refuses duplicates.
struct AttributeReader {
    /// Attribute 17 occurs once per purchase; every other one once.
    static let repeatable = ReceiptAttribute.purchase

    private var elements: DERReader
    private let firstType: Int64
    private var seen: UInt64 = 0

    /// Reads the SET that fills `outer`; types from `firstType` on are distinguished.
    init(_ outer: DERReader, firstType: Int64) throws(DERError) {
        var outer = outer
        elements = try outer.enter(.set)
        try outer.finish()
        self.firstType = firstType
    }

    var position: Int { elements.position }

    /// The next attribute's type and the position of its value; nil at the end.
    mutating func next() throws(DERError) -> (type: Int64, value: Range<Int>)? {
        guard !elements.isAtEnd else { return nil }
        let place = elements.position
        let found: (type: Int64, value: Range<Int>)
        if let usual = elements.usualAttribute() {
            found = usual
        } else {
            found = try readAttribute()
        }
        try note(found.type, at: place)
        return found
    }

    /// A reader of a value; most attributes of a purchase are ignored and need none.
    func reader(_ value: Range<Int>) -> DERReader { elements.attributeValue(value) }

    func text(_ value: Range<Int>) throws(DERError) -> String { try reader(value).wholeText() }

    func number(_ value: Range<Int>) throws(DERError) -> Int64 { try reader(value).wholeNumber() }

    func flag(_ value: Range<Int>) throws(DERError) -> Bool { try reader(value).wholeFlag() }

    func date(_ value: Range<Int>) throws(DERError) -> Timestamp? { try reader(value).wholeDate() }

    func bytes(_ value: Range<Int>) -> [UInt8] { reader(value).rest() }

    /// An attribute in any form that DER allows, or what is wrong with it.
    private mutating func readAttribute() throws(DERError) -> (type: Int64, value: Range<Int>) {
        var attribute = try elements.enter(.sequence)
        let type = try attribute.integer()
        _ = try attribute.integer()
        let value = try attribute.enter(.octetString)
        try attribute.finish()
        return (type, value.remaining)
    }

    private mutating func note(_ type: Int64, at place: Int) throws(DERError) {
        let (offset, overflow) = type.subtractingReportingOverflow(firstType)
        if !overflow, (0..<64).contains(offset), type != Self.repeatable {
            let bit = UInt64(1) << UInt64(offset)
            guard seen & bit == 0 else {
                throw DERError("attribute \(type) comes twice", byte: place)
            }
            seen |= bit
        }
    }
}

extension DERReader {
    /// The contents as one UTF8String.
    func wholeText() throws(DERError) -> String {
        if let usual = usualContents(.utf8String), let text = text(in: usual) { return text }
        var reader = self
        let text = try reader.utf8String()
        try reader.finish()
        return text
    }

    /// The contents as one INTEGER.
    func wholeNumber() throws(DERError) -> Int64 {
        if let usual = usualInteger(at: position, before: end), usual.end == end {
            return usual.value
        }
        var reader = self
        let number = try reader.integer()
        try reader.finish()
        return number
    }

    /// The contents as one INTEGER, which is 0 or 1.
    func wholeFlag() throws(DERError) -> Bool {
        switch try wholeNumber() {
        case 0: return false
        case 1: return true
        default: throw DERError("a flag is neither 0 nor 1", byte: position)
        }
    }

    /// The contents as one date; nil for an empty text.
    func wholeDate() throws(DERError) -> Timestamp? {
        if let usual = usualContents(.ia5String) {
            if usual.isEmpty { return nil }
            if usual.count == 20, let date = Timestamp(rfc3339: bytes[usual]) { return date }
        }
        var reader = self
        let text = try reader.ia5String()
        try reader.finish()
        if text.isEmpty { return nil }
        // Twenty characters exclude the short form, which only catalogues use.
        guard text.utf8.count == 20, let date = Timestamp(rfc3339: text) else {
            throw DERError("a date does not have the form 2024-05-01T10:20:30Z", byte: position)
        }
        return date
    }

    /// All remaining bytes.
    func rest() -> [UInt8] { Array(slice(remaining)) }
}
