/// Shortcuts for the forms that nearly every attribute of a receipt has.
///
/// A receipt of five purchases has 130 attributes, and reading them took more time than checking
/// the signature. Each shortcut gives nil for anything unusual, including errors: the strict reader
/// then reads the same bytes again, and it alone reports what is wrong.
extension DERReader {
    /// The contents of an element with this tag that fills the rest.
    package func usualContents(_ tag: DERTag) -> Range<Int>? {
        guard let contents = usualElement(tag, at: position, before: end),
            contents.upperBound == end
        else { return nil }
        return contents
    }

    /// A number from 0 to 32,767 and where it ends.
    package func usualInteger(at place: Int, before limit: Int) -> (value: Int64, end: Int)? {
        guard limit - place >= 3, bytes[place] == DERTag.integer.rawValue else { return nil }
        let first = bytes[place + 2]
        switch bytes[place + 1] {
        case 1 where first < 0x80: return (Int64(first), place + 3)
        case 2 where limit - place >= 4 && first < 0x80:
            let second = bytes[place + 3]
            guard first > 0 || second >= 0x80 else { return nil }
            return (Int64(first) << 8 | Int64(second), place + 4)
        default: return nil
        }
    }

    /// The next `SEQUENCE { type, version, OCTET STRING }`: its type and the place of its value.
    package mutating func usualAttribute() -> (type: Int64, value: Range<Int>)? {
        guard depth + 2 <= Self.nestingDepthMax,
            let whole = usualElement(.sequence, at: position, before: end),
            let type = usualInteger(at: whole.lowerBound, before: whole.upperBound),
            let version = usualInteger(at: type.end, before: whole.upperBound),
            let value = usualElement(.octetString, at: version.end, before: whole.upperBound),
            value.upperBound == whole.upperBound
        else { return nil }
        skip(to: whole.upperBound)
        return (type.value, value)
    }

    /// A reader of an attribute's value, which lies two elements deeper.
    package func attributeValue(_ value: Range<Int>) -> DERReader {
        DERReader(bytes, value, depth: depth + 2)
    }

    /// The contents of an element whose length takes one, two or three bytes, as few as possible.
    private func usualElement(_ tag: DERTag, at place: Int, before limit: Int) -> Range<Int>? {
        guard limit - place >= 2, bytes[place] == tag.rawValue else { return nil }
        var length = Int(bytes[place + 1])
        var start = place + 2
        switch length {
        case 0..<0x80: break
        case 0x81 where limit - start >= 1:
            length = Int(bytes[start])
            start += 1
            guard length >= 0x80 else { return nil }
        case 0x82 where limit - start >= 2:
            length = Int(bytes[start]) << 8 | Int(bytes[start + 1])
            start += 2
            guard length >= 0x100 else { return nil }
        default: return nil
        }
        return length <= limit - start ? start..<start + length : nil
    }
}
