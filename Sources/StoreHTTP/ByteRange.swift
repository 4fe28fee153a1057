/// The bytes of a file that a request asks for (RFC 9110, section 14).
package enum ByteRange: Hashable, Sendable {
    case whole
    case part(Range<Int64>)
    /// It begins after the end; answered 416.
    case unsatisfiable

    /// Anything unreadable as one range of bytes means the whole file, as the section requires; so
    /// does a request for several ranges, and one whose `If-Range` differs from `entityTag`.
    package init(
        method: String, _ headers: HTTPHeaders, byteCount: Int64, entityTag: String
    ) {
        self = .whole
        guard method == "GET", headers.count(of: "Range") == 1, let value = headers["Range"],
            headers["If-Range"].map({ $0 == entityTag }) ?? true,
            let asked = Self.bounds(value)
        else { return }
        switch asked {
        case (let first?, let last):
            if let last, last < first { return }
            if first >= byteCount {
                self = .unsatisfiable
            } else {
                self = .part(first..<min(last ?? byteCount, byteCount - 1) + 1)
            }
        case (nil, let count?):
            if count == 0 {
                self = .unsatisfiable
            } else if byteCount > 0 {
                self = .part(max(0, byteCount - count)..<byteCount)
            }
        case (nil, nil): return
        }
    }

    /// `bytes=first-last`, `bytes=first-` or `bytes=-count`.
    private static func bounds(_ value: String) -> (first: Int64?, last: Int64?)? {
        let sides = value.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, sides[0].lowercased() == "bytes" else { return nil }
        let ends = sides[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]) else {
            return nil
        }
        return (first, last)
    }

    /// A number, or its absence; nil for anything else. A number that is too large becomes the
    /// largest.
    private static func number(_ digits: Substring) -> Int64?? {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .some(digits.isEmpty ? nil : Int64(digits) ?? .max - 1)
    }
}
