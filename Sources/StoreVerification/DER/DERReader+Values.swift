/// Values of elements; each is as strict as DER is.
extension DERReader {
    package func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    package func contents(of element: DERElement) -> [UInt8] { Array(bytes[element.contents]) }

    /// The contents of the next OCTET STRING.
    package mutating func octets() throws(DERError) -> [UInt8] {
        contents(of: try next(.octetString))
    }

    package mutating func null() throws(DERError) {
        let element = try next(.null)
        guard element.contents.isEmpty else {
            throw DERError("a NULL is not empty", byte: element.contents.lowerBound)
        }
    }

    package mutating func boolean() throws(DERError) -> Bool {
        let element = try next(.boolean)
        guard element.contents.count == 1 else {
            throw DERError("a BOOLEAN is not one byte", byte: element.start)
        }
        switch bytes[element.contents.lowerBound] {
        case 0x00: return false
        case 0xFF: return true
        default:
            throw DERError("a BOOLEAN is neither 00 nor FF", byte: element.contents.lowerBound)
        }
    }

    /// An INTEGER of at most 64 bits.
    package mutating func integer() throws(DERError) -> Int64 {
        let element = try integerElement()
        guard element.contents.count <= 8 else {
            throw DERError("an INTEGER has more than 64 bits", byte: element.start)
        }
        let isNegative = bytes[element.contents.lowerBound] >= 0x80
        var value: UInt64 = isNegative ? .max : 0
        for byte in bytes[element.contents] { value = value << 8 | UInt64(byte) }
        return Int64(bitPattern: value)
    }

    /// An INTEGER of any size in its shortest form.
    package mutating func integerElement() throws(DERError) -> DERElement {
        let element = try next(.integer)
        let start = element.contents.lowerBound
        guard !element.contents.isEmpty else {
            throw DERError("an INTEGER is empty", byte: element.start)
        }
        if element.contents.count > 1 {
            let isPadded =
                bytes[start] == 0x00 && bytes[start + 1] < 0x80
                || bytes[start] == 0xFF && bytes[start + 1] >= 0x80
            guard !isPadded else {
                throw DERError("an INTEGER is not in its shortest form", byte: start)
            }
        }
        return element
    }

    package mutating func objectIdentifier() throws(DERError) -> OID {
        OID(contents: Array(try objectIdentifierContents()))
    }

    /// The contents of an OBJECT IDENTIFIER whose arcs are all in their shortest form.
    package mutating func objectIdentifierContents() throws(DERError) -> ArraySlice<UInt8> {
        let element = try next(.objectIdentifier)
        let contents = bytes[element.contents]
        guard let last = contents.last, last < 0x80 else {
            throw DERError("an OBJECT IDENTIFIER ends inside an arc", byte: element.start)
        }
        var startsArc = true
        for index in contents.indices {
            guard !(startsArc && contents[index] == 0x80) else {
                throw DERError("an arc is not in its shortest form", byte: index)
            }
            startsArc = contents[index] < 0x80
        }
        return contents
    }

    package mutating func utf8String() throws(DERError) -> String {
        try text(of: try next(.utf8String))
    }

    package mutating func ia5String() throws(DERError) -> String {
        try text(of: try next(.ia5String))
    }

    /// The text of a UTF8String, PrintableString or IA5String.
    package func text(of element: DERElement) throws(DERError) -> String {
        if element.tag != .utf8String,
            let index = bytes[element.contents].firstIndex(where: { $0 >= 0x80 })
        {
            throw DERError("\(element.tag) holds a byte that is not ASCII", byte: index)
        }
        guard let text = text(in: element.contents) else {
            throw DERError("a UTF8String is not UTF-8", byte: element.contents.lowerBound)
        }
        return text
    }

    /// The text of these bytes; nil when they are not UTF-8.
    package func text(in range: Range<Int>) -> String? {
        // `String(validating:as:)` looks up its generic types at every call.
        guard let text = try? UTF8Span(validating: bytes.span.extracting(range)) else { return nil }
        return String(copying: text)
    }

    /// A BIT STRING of whole bytes.
    package mutating func wholeByteBitString() throws(DERError) -> ArraySlice<UInt8> {
        let element = try next(.bitString)
        guard let unused = bytes[element.contents].first, unused == 0 else {
            throw DERError("a BIT STRING does not end on a byte", byte: element.start)
        }
        return bytes[element.contents].dropFirst()
    }
}
