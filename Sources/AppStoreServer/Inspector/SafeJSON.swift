import StoreLog
import StoreModel
import StoreVerification
import StoreWire

/// A copy of a JSON text without its secrets.
///
/// It is read strictly and in order, up to a size, since a body may be much longer than what is kept
/// of it. Secrets are found by the names of members, and receipts and signed data by their looks, too.
/// Of anything else than JSON nothing is copied: nobody knows where its secrets are.
struct SafeJSON: Sendable {
    /// JSON, unless it is cut; hidden characters are escaped.
    let text: String
    let isCut: Bool
    /// Members of the outermost object that name the sender of a request.
    let names: [String: String]
    /// Whether something was counted: a digest of the whole would let a short secret be guessed.
    let hasSecrets: Bool

    static let namesRead: Set = ["account", "name", "bundleId"]

    /// Nil for bytes that are not JSON as far as they are read.
    init?(_ body: [UInt8], bytesMax: Int) {
        var copier = JSONCopier(input: body, outputMax: bytesMax)
        var isCut = false
        do throws(JSONCopier.Stop) {
            try copier.copyText()
        } catch {
            guard error == .full else { return nil }
            isCut = true
        }
        guard let copied = Self.text(copier.output, isCut: isCut) else { return nil }
        let shown = VisibleText.of(copied, as: .json)
        text = shown.utf8.count > bytesMax ? Self.prefix(of: shown, bytesMax: bytesMax) : shown
        self.isCut = isCut || shown.utf8.count > bytesMax
        names = copier.names
        hasSecrets = copier.hasSecrets
    }

    /// The beginning of a text that has at most a number of bytes, without half a character.
    static func prefix(of text: String, bytesMax: Int) -> String {
        guard text.utf8.count > bytesMax else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: bytesMax)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end])
    }

    /// UTF-8 as text; a cut may have left a part of the last character.
    private static func text(_ bytes: [UInt8], isCut: Bool) -> String? {
        for dropped in 0...(isCut ? min(3, bytes.count) : 0) {
            if let text = String(validating: bytes.dropLast(dropped), as: UTF8.self) { return text }
        }
        return nil
    }
}

/// Reads JSON and copies what may be kept.
private struct JSONCopier {
    enum Stop: Error, Equatable {
        case malformed
        /// As much is copied as is kept.
        case full
    }

    private static let depthMax = JSONLimits.depthMax
    /// Text without blanks of this size is a receipt, a certificate or other encoded bytes.
    private static let blobBytesMin = 512
    private static let signedBytesMin = 40

    private let input: [UInt8]
    private let outputMax: Int
    private(set) var output: [UInt8] = []
    private(set) var names: [String: String] = [:]
    private(set) var hasSecrets = false
    private var position = 0

    init(input: [UInt8], outputMax: Int) {
        self.input = input
        self.outputMax = outputMax
        output.reserveCapacity(min(input.count, outputMax))
    }

    mutating func copyText() throws(Stop) {
        skipBlanks()
        try value(.shown, in: "", depth: 0)
        skipBlanks()
        guard position == input.count else { throw .malformed }
    }

    private var current: UInt8? { position < input.count ? input[position] : nil }

    private mutating func value(
        _ verdict: MemberSecrets.Verdict, in name: String, depth: Int
    ) throws(Stop) {
        guard output.count < outputMax else { throw .full }
        guard depth < Self.depthMax else { throw .malformed }
        switch current {
        case UInt8(ascii: "{"): try object(verdict, name, depth)
        case UInt8(ascii: "["): try array(verdict, name, depth)
        case UInt8(ascii: "\""): try put(text: try string(), verdict)
        default: try put(literal: try literal(), verdict)
        }
    }

    private mutating func object(
        _ verdict: MemberSecrets.Verdict, _ name: String, _ depth: Int
    ) throws(Stop) {
        try move()
        if try closes(UInt8(ascii: "}")) { return }
        while true {
            guard current == UInt8(ascii: "\"") else { throw .malformed }
            let keyBytes = try string()
            let key = try decoded(keyBytes)
            try put(input[(keyBytes.lowerBound - 1)..<(keyBytes.upperBound + 1)])
            skipBlanks()
            guard current == UInt8(ascii: ":") else { throw .malformed }
            try move()
            skipBlanks()
            // All that is below a secret is part of it.
            let own = verdict == .counted ? verdict : MemberSecrets.verdict(key, in: name)
            let start = position
            try value(own, in: key, depth: depth + 1)
            if depth == 0, SafeJSON.namesRead.contains(key), own == .shown {
                names[key] = try? JSONValue(parsing: Array(input[start..<position])).string
            }
            if try closes(UInt8(ascii: "}")) { return }
            try comma()
        }
    }

    private mutating func array(
        _ verdict: MemberSecrets.Verdict, _ name: String, _ depth: Int
    ) throws(Stop) {
        try move()
        if try closes(UInt8(ascii: "]")) { return }
        while true {
            try value(verdict, in: name, depth: depth + 1)
            if try closes(UInt8(ascii: "]")) { return }
            try comma()
        }
    }

    /// The closing bracket, after blanks.
    private mutating func closes(_ bracket: UInt8) throws(Stop) -> Bool {
        skipBlanks()
        guard current == bracket else { return false }
        try move()
        return true
    }

    private mutating func comma() throws(Stop) {
        guard current == UInt8(ascii: ",") else { throw .malformed }
        try move()
        skipBlanks()
    }

    /// Copies one byte of the grammar.
    private mutating func move() throws(Stop) {
        try put(input[position...position])
        position += 1
    }

    private mutating func skipBlanks() {
        while let byte = current, byte <= 0x20 {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }
}

// MARK: - Scalars

extension JSONCopier {
    /// Passes a string; gives the bytes between its quotes.
    private mutating func string() throws(Stop) -> Range<Int> {
        let start = position + 1
        position = start
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return start..<(position - 1)
            case UInt8(ascii: "\\"): position += 2
            case 0..<0x20: throw .malformed
            default: position += 1
            }
        }
        throw .malformed
    }

    /// Passes a number or a word.
    private mutating func literal() throws(Stop) -> Range<Int> {
        let start = position
        while let byte = current, Self.isLiteral(byte) { position += 1 }
        let bytes = Array(input[start..<position])
        guard (try? JSONValue(parsing: bytes)) != nil else { throw .malformed }
        return start..<position
    }

    private static func isLiteral(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// A string without its escapes.
    private func decoded(_ range: Range<Int>) throws(Stop) -> String {
        let bytes = input[range]
        guard bytes.contains(UInt8(ascii: "\\")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        guard let text = (try? JSONValue(parsing: quoted))?.string else { throw .malformed }
        return text
    }

    private mutating func put(text range: Range<Int>, _ verdict: MemberSecrets.Verdict) throws(Stop)
    {
        switch verdict {
        case .counted:
            try count(try decoded(range).utf8.count)
        case .address where !isPlainAddress(input[range]):
            try put(address: range)
        case .shown where !looksEncoded(range), .address where !looksEncoded(range):
            // Its escapes are checked.
            _ = try decoded(range)
            try put(input[(range.lowerBound - 1)..<(range.upperBound + 1)])
        case .shown, .address, .digested:
            let bytes = Array(try decoded(range).utf8)
            let text = "<\(bytes.count) bytes, SHA-256 \(hexadecimal(sha256(bytes)))>"
            try mark(text)
        }
    }

    /// Whether an address has neither a query nor a name with a password.
    private func isPlainAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.contains { [UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "\\")].contains($0) }
    }

    /// Shows an address up to its query.
    private mutating func put(address range: Range<Int>) throws(Stop) {
        let bytes = input[range]
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")), isPlainAddress(bytes[..<mark])
        else { return try count(try decoded(range).utf8.count) }
        hasSecrets = true
        let rest = Log.Value.mark(ofSecret: range.upperBound - mark - 1)
        try put((Array("\"".utf8) + bytes[...mark] + Array("\(rest)\"".utf8))[...])
    }

    /// Only flags and null are kept of a secret.
    private mutating func put(
        literal range: Range<Int>, _ verdict: MemberSecrets.Verdict
    ) throws(Stop) {
        let isNumber = !(0x61...0x7A).contains(input[range.lowerBound])
        guard verdict == .counted, isNumber else { return try put(input[range]) }
        try count(range.count)
    }

    /// Whether a string looks like signed data, a receipt, a certificate or a key.
    private func looksEncoded(_ range: Range<Int>) -> Bool {
        guard range.count >= Self.signedBytesMin else { return false }
        let bytes = input[range]
        if bytes.starts(with: "eyJ".utf8) || bytes.starts(with: "-----BEGIN".utf8) { return true }
        return range.count >= Self.blobBytesMin && !bytes.contains(0x20)
    }

    private mutating func count(_ byteCount: Int) throws(Stop) {
        hasSecrets = true
        try mark(Log.Value.mark(ofSecret: byteCount))
    }

    private mutating func mark(_ text: String) throws(Stop) {
        try put(Array("\"\(text)\"".utf8)[...])
    }

    /// Copies bytes as far as they fit.
    private mutating func put(_ bytes: ArraySlice<UInt8>) throws(Stop) {
        let room = outputMax - output.count
        output.append(contentsOf: bytes.prefix(room))
        guard bytes.count <= room else { throw .full }
    }
}
