/// A request line's target, split into its path, the decoded parts of the path, and the query's
/// items.
///
/// Targets that two readers could understand differently are refused: encodings that are broken or
/// hide a `/`, control characters, empty parts except the last, `.` and `..`. Where a server reads
/// the rest of a path as one part, that part may be anything but control characters.
struct RequestTarget {
    /// As sent, without the query.
    let path: String
    let segments: [String]
    let query: [(name: String, value: String)]

    /// `partsMax` gives the number of parts that a path may be split into, by the path as sent; nil
    /// for any.
    init(
        _ bytes: [UInt8], partsMax: (_ path: String) -> Int? = { _ in nil }
    ) throws(RequestRefusal) {
        guard bytes.first == UInt8(ascii: "/") else {
            throw .badRequest("The path does not begin with \"/\".")
        }
        guard bytes.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw .badRequest(
                "The path has a byte that must be percent-encoded, such as a space.")
        }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        let pathBytes = bytes[..<(mark ?? bytes.endIndex)]
        path = String(decoding: pathBytes, as: UTF8.self)
        segments = try Self.segments(of: pathBytes.dropFirst(), partsMax: partsMax(path))
        query = if let mark { try Self.items(of: bytes[(mark + 1)...]) } else { [] }
    }

    private static func segments(
        of path: ArraySlice<UInt8>, partsMax: Int?
    ) throws(RequestRefusal) -> [String] {
        guard !path.isEmpty else { return [] }
        let parts = path.split(
            separator: UInt8(ascii: "/"), maxSplits: partsMax.map { $0 - 1 } ?? .max,
            omittingEmptySubsequences: false)
        var segments: [String] = []
        segments.reserveCapacity(parts.count)
        for (index, part) in parts.enumerated() {
            guard let segment = percentDecoded(part) else {
                throw .badRequest("The path's percent-encoding is broken or hides a control byte.")
            }
            if index + 1 == partsMax {
                segments.append(segment)
                continue
            }
            guard !segment.isEmpty || index == parts.count - 1 else {
                throw .badRequest("The path has an empty part (\"//\").")
            }
            guard segment != ".", segment != "..", !segment.utf8.contains(UInt8(ascii: "/"))
            else {
                throw .badRequest("The path has a part that is \".\", \"..\" or hides a \"/\".")
            }
            segments.append(segment)
        }
        return segments
    }

    private static func items(
        of query: ArraySlice<UInt8>
    ) throws(RequestRefusal) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = sides.count > 1 ? sides[1] : []
            guard let name = percentDecoded(sides[0], isPlusSpace: true),
                let decoded = percentDecoded(value, isPlusSpace: true)
            else {
                throw .badRequest("The query's percent-encoding is broken or hides a control byte.")
            }
            items.append((name, decoded))
        }
        return items
    }
}
