import Foundation

/// Walks DER: one element after another, none longer than the remaining bytes.
struct DERReader {
    struct Damaged: Error {}

    struct Element {
        let tag: UInt8
        let content: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() throws -> Element {
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { throw Damaged() }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), rest.count >= count else { throw Damaged() }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard rest.count >= length else { throw Damaged() }
        defer { rest = rest.dropFirst(length) }
        return Element(tag: tag, content: rest.prefix(length))
    }

    /// The next element's content, when it has this tag.
    mutating func next(tag: UInt8) throws -> ArraySlice<UInt8> {
        let element = try next()
        guard element.tag == tag else { throw Damaged() }
        return element.content
    }

    static let integer: UInt8 = 0x02
    static let octets: UInt8 = 0x04
    static let object: UInt8 = 0x06
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    static let explicitZero: UInt8 = 0xA0
}
