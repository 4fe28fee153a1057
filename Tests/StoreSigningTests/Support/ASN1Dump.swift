@testable import StoreSigning
@testable import StoreVerification

/// ASN.1 as indented text, an element per line.
struct ASN1Dump {
    /// Leaves out what differs between keys: long integers, bits, and hashes and signatures.
    var hidesKeys = false
    /// The offset of an element to name instead of printing it.
    var omitted: Int?

    private(set) var text = ""

    init(hidesKeys: Bool = false, omitted: Int? = nil) {
        self.hidesKeys = hidesKeys
        self.omitted = omitted
    }

    mutating func add(_ reader: DERReader, depth: Int = 0) throws {
        var reader = reader
        while !reader.isAtEnd {
            let element = try reader.next()
            let value =
                element.start == omitted
                ? "<the payload>" : try describe(element, reader)
            let line = String(repeating: "  ", count: depth) + element.tag.description
            text += value.isEmpty ? line + "\n" : line + " " + value + "\n"
            if element.tag.isConstructed {
                try add(try reader.inside(element), depth: depth + 1)
            } else if element.tag == .octetString, element.start != omitted,
                let inner = inner(element, reader)
            {
                try add(inner, depth: depth + 1)
            }
        }
    }

    /// What lies in an OCTET STRING when that is DER again.
    private func inner(_ element: DERElement, _ reader: DERReader) -> DERReader? {
        // By chance a hash may look like an element; its length gives it away.
        if hidesKeys, [20, 256].contains(element.contents.count) { return nil }
        guard let inner = try? reader.inside(element), !inner.isAtEnd,
            (try? DERReaderTests.walk(inner)) != nil
        else { return nil }
        return inner
    }

    private func describe(_ element: DERElement, _ reader: DERReader) throws -> String {
        let bytes = reader.contents(of: element)
        var copy = DERReader(Array(reader.slice(element.whole)))
        switch element.tag {
        case .integer where bytes.count <= 8: return String(try copy.integer())
        case .objectIdentifier: return try copy.objectIdentifier().description
        case .boolean: return String(try copy.boolean())
        case .utf8String, .ia5String, .printableString, .utcTime, .generalizedTime:
            return "\"\(try copy.text(of: element.movedToStart))\""
        case .bitString where bytes.count <= 2: return hexText(bytes)
        case .null: return ""
        case .octetString where inner(element, reader) != nil: return ""
        default:
            if element.tag.isConstructed { return "" }
            return hidesKeys && bytes.count > 8 ? "<\(bytes.count) bytes>" : hexText(bytes)
        }
    }
}

extension DERElement {
    fileprivate var movedToStart: DERElement {
        DERElement(
            tag: tag, start: 0,
            contents: (contents.lowerBound - start)..<(contents.upperBound - start))
    }
}
