/// Swift text without its comments and the contents of its strings, line for line; what stands in
/// an interpolation is code and stays.
struct SwiftText {
    private let text: [UInt8]
    private var place = 0
    private var kept: [UInt8] = []

    init(_ text: String) {
        self.text = Array(text.utf8)
        keepCode(endsWithParenthesis: false)
    }

    var code: String { String(decoding: kept, as: UTF8.self) }

    var lines: [Substring] {
        kept.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Substring(decoding: $0, as: UTF8.self) }
    }

    private var isAtEnd: Bool { place >= text.count }

    private func isAt(_ word: [UInt8]) -> Bool {
        text[place...].starts(with: word)
    }

    private func isAt(_ word: StaticString) -> Bool {
        isAt(Array("\(word)".utf8))
    }

    /// Goes over a character; line breaks stay, so that lines keep their numbers.
    private mutating func drop() {
        if text[place] == UInt8(ascii: "\n") { kept.append(text[place]) }
        place += 1
    }

    private mutating func keepCode(endsWithParenthesis: Bool) {
        var depth = 0
        while !isAtEnd {
            switch text[place] {
            case UInt8(ascii: "/") where isAt("//"):
                while !isAtEnd, text[place] != UInt8(ascii: "\n") { place += 1 }
                continue
            case UInt8(ascii: "/") where isAt("/*"):
                dropBlockComment()
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                if dropString() { continue }
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            kept.append(text[place])
            place += 1
            if endsWithParenthesis, depth == 0 { return }
        }
    }

    private mutating func dropBlockComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                place += 2
            } else if isAt("*/") {
                depth -= 1
                place += 2
            } else {
                drop()
            }
        } while depth > 0 && !isAtEnd
    }

    /// Leaves two quotation marks of a string, also of a raw or a long one; false when there is
    /// none here.
    private mutating func dropString() -> Bool {
        let hashes = Array(text[place...].prefix { $0 == UInt8(ascii: "#") })
        let start = place + hashes.count
        guard start < text.count, text[start] == UInt8(ascii: "\"") else { return false }
        place = start
        let quote = UInt8(ascii: "\"")
        let quotes = isAt([quote, quote, quote]) ? [quote, quote, quote] : [quote]
        place += quotes.count
        kept += [quote, quote]
        let end = quotes + hashes
        let escape = [UInt8(ascii: "\\")] + hashes
        while !isAtEnd, text[place] != quote || !isAt(end) {
            // The first byte is looked at by itself: most of a text is neither.
            guard text[place] == escape[0], isAt(escape) else {
                drop()
                continue
            }
            place = min(text.count - 1, place + escape.count)
            if text[place] == UInt8(ascii: "(") {
                keepCode(endsWithParenthesis: true)
            } else {
                drop()
            }
        }
        place = min(text.count, place + end.count)
        return true
    }
}
