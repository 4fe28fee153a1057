/// Walks DER strictly: definite, minimal lengths, low tag numbers, bounded nesting.
///
/// No input can make it trap; anything invalid is a `DERError` with its position. Readers of inner
/// elements share the same bytes, so positions count from the outermost start.
package struct DERReader: Sendable {
    /// The maximum nesting of elements; a receipt needs twelve levels.
    package static let nestingDepthMax = 16
    /// The maximum number of bytes of a long length.
    package static let lengthBytesMax = 4

    package let bytes: [UInt8]
    package private(set) var position: Int
    package let end: Int
    package let depth: Int

    package init(_ bytes: [UInt8]) {
        self.init(bytes, 0..<bytes.count, depth: 0)
    }

    package init(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
        self.depth = depth
    }

    package var isAtEnd: Bool { position == end }

    /// The bytes not yet read.
    package var remaining: Range<Int> { position..<end }

    /// The tag of the next element, or nil at the end.
    package var nextTag: DERTag? { position < end ? DERTag(rawValue: bytes[position]) : nil }

    /// Continues after an element that was read in another way.
    package mutating func skip(to position: Int) {
        self.position = position
    }

    /// The next element, of any kind.
    package mutating func next() throws(DERError) -> DERElement {
        let start = position
        guard start < end else {
            throw DERError("the data ends where an element starts", byte: end)
        }
        let tag = DERTag(rawValue: bytes[start])
        guard tag.rawValue & 0x1F != 0x1F else {
            throw DERError("a tag number above 30 is not allowed", byte: start)
        }
        let (length, contentStart) = try readLength(at: start + 1)
        guard length <= end - contentStart else {
            throw DERError(
                "\(tag) of \(length) bytes is longer than the \(end - contentStart) left",
                byte: start)
        }
        position = contentStart + length
        return DERElement(tag: tag, start: start, contents: contentStart..<position)
    }

    /// The next element, which must have this tag.
    package mutating func next(_ tag: DERTag) throws(DERError) -> DERElement {
        guard let found = nextTag else {
            throw DERError("\(tag) is missing at the end of the data", byte: end)
        }
        guard found == tag else {
            throw DERError("\(tag) was expected here, not \(found)", byte: position)
        }
        return try next()
    }

    /// The next element when it has this tag; nil otherwise.
    package mutating func nextIfPresent(_ tag: DERTag) throws(DERError) -> DERElement? {
        nextTag == tag ? try next() : nil
    }

    /// A reader of the contents of an element of these bytes.
    package func inside(_ element: DERElement) throws(DERError) -> DERReader {
        guard depth < Self.nestingDepthMax else {
            throw DERError(
                "elements nest deeper than \(Self.nestingDepthMax) levels", byte: element.start)
        }
        return DERReader(bytes, element.contents, depth: depth + 1)
    }

    /// A reader of the contents of the next element, which must have this tag.
    package mutating func enter(_ tag: DERTag) throws(DERError) -> DERReader {
        try inside(try next(tag))
    }

    /// Refuses bytes after the last element.
    package func finish() throws(DERError) {
        guard isAtEnd else {
            throw DERError("\(end - position) bytes too many", byte: position)
        }
    }

    private func readLength(at place: Int) throws(DERError) -> (length: Int, next: Int) {
        guard place < end else { throw DERError("the data ends before a length", byte: end) }
        let first = bytes[place]
        if first < 0x80 { return (Int(first), place + 1) }
        guard first != 0x80 else {
            throw DERError("an indefinite length is BER, not DER", byte: place)
        }
        let count = Int(first & 0x7F)
        guard count <= Self.lengthBytesMax else {
            throw DERError("a length of \(count) bytes is too long", byte: place)
        }
        guard count < end - place else {
            throw DERError("the data ends inside a length", byte: end)
        }
        var length = 0
        for offset in 1...count { length = length << 8 | Int(bytes[place + offset]) }
        guard length >= 0x80, bytes[place + 1] != 0 else {
            throw DERError("a length is not in its shortest form", byte: place)
        }
        return (length, place + 1 + count)
    }
}

/// The location of one element in the bytes that a `DERReader` walks.
package struct DERElement: Hashable, Sendable {
    package let tag: DERTag
    /// The offset of its identifier byte.
    package let start: Int
    package let contents: Range<Int>

    /// Header and contents.
    package var whole: Range<Int> { start..<contents.upperBound }
}

/// What is wrong in bytes that should be DER, and at which byte.
package struct DERError: Error, Hashable, Sendable, CustomStringConvertible {
    package let problem: String
    /// The offset of the first invalid byte, from the start of the whole input.
    package let byte: Int

    package init(_ problem: String, byte: Int) {
        self.problem = problem
        self.byte = byte
    }

    package var description: String { "\(problem) (byte \(byte))" }
}
