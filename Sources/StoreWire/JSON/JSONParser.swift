/// Reads one JSON text by RFC 8259, strictly, and never traps on any bytes.
///
/// Refused in addition to grammar errors: duplicate keys in an object, invalid UTF-8, surrogates
/// without their other half, a byte order mark, and text after the value.
struct JSONParser {
    let bytes: [UInt8]
    let limits: JSONLimits
    var position = 0
    private var depth = 0
    private var values = 0

    init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The byte at the position, or nil at the end.
    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func parseText() throws(JSONParseError) -> (value: JSONValue, span: JSONSpan) {
        guard bytes.count <= limits.bytesMax else {
            throw failure("the text is longer than \(limits.bytesMax) bytes", at: 0)
        }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw failure("the text begins with a byte order mark; save it without one", at: 0)
        }
        skipBlanks()
        let parsed = try parseValue()
        skipBlanks()
        guard current == nil else {
            throw failure("expected the end of the text, found \(found)")
        }
        return parsed
    }

    private mutating func parseValue() throws(JSONParseError) -> (JSONValue, JSONSpan) {
        let start = position
        values += 1
        guard values <= limits.valuesMax else {
            throw failure("the text has more than \(limits.valuesMax) values")
        }
        switch current {
        case UInt8(ascii: "{"): return try parseObject()
        case UInt8(ascii: "["): return try parseArray()
        default:
            let value = try parseScalar()
            return (value, JSONSpan(range: start..<position, parts: []))
        }
    }

    private mutating func parseScalar() throws(JSONParseError) -> JSONValue {
        switch current {
        case UInt8(ascii: "\""): .string(try parseString())
        case let byte? where byte == UInt8(ascii: "-") || isDigit(byte):
            .number(try parseNumber())
        case UInt8(ascii: "t"): try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): try parseWord("null", .null)
        default: throw failure("expected a value, found \(found)")
        }
    }

    private mutating func parseWord(
        _ word: String, _ value: JSONValue
    ) throws(JSONParseError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else {
            throw failure("expected a value, found \(found)")
        }
        position += word.utf8.count
        return value
    }

    private mutating func enter() throws(JSONParseError) {
        guard depth < limits.depthMax else {
            throw failure("arrays and objects are nested more than \(limits.depthMax) deep")
        }
        depth += 1
        position += 1
        skipBlanks()
    }

    private mutating func parseArray() throws(JSONParseError) -> (JSONValue, JSONSpan) {
        let start = position
        try enter()
        var elements: [JSONValue] = []
        var parts: [JSONSpan] = []
        if !take(UInt8(ascii: "]")) {
            repeat {
                skipBlanks()
                let (element, part) = try parseValue()
                elements.append(element)
                parts.append(part)
                skipBlanks()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else {
                throw failure("expected \",\" or \"]\" in an array, found \(found)")
            }
        }
        depth -= 1
        return (.array(elements), JSONSpan(range: start..<position, parts: parts))
    }

    private mutating func parseObject() throws(JSONParseError) -> (JSONValue, JSONSpan) {
        let start = position
        try enter()
        var members: [JSONValue.Member] = []
        var parts: [JSONSpan] = []
        var keys = SeenKeys()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipBlanks()
                let key = try parseKey(besides: &keys)
                let (value, part) = try parseValue()
                members.append(JSONValue.Member(key, value))
                parts.append(part)
                skipBlanks()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else {
                throw failure("expected \",\" or \"}\" in an object, found \(found)")
            }
        }
        depth -= 1
        return (.object(members), JSONSpan(range: start..<position, parts: parts))
    }

    /// The key of a member, including its colon and the blanks after it.
    private mutating func parseKey(besides keys: inout SeenKeys) throws(JSONParseError) -> String {
        guard current == UInt8(ascii: "\"") else {
            throw failure("expected a key in double quotes, found \(found)")
        }
        let start = position
        let key = try parseString()
        // By bytes: two spellings of one accented letter are equal strings but different keys.
        guard keys.insert(key) else {
            throw failure("the key \(quoted(key)) appears twice in one object", at: start)
        }
        skipBlanks()
        guard take(UInt8(ascii: ":")) else {
            throw failure("expected \":\" after the key \(quoted(key))")
        }
        skipBlanks()
        return key
    }
}

/// The keys of an object so far. Comparing a few is faster than hashing them.
private struct SeenKeys {
    private static let comparedMax = 48

    private var few: [String] = []
    private var many: Set<[UInt8]> = []

    /// False when it was seen.
    mutating func insert(_ key: String) -> Bool {
        if few.count < Self.comparedMax {
            let length = key.utf8.count
            for seen in few where seen.utf8.count == length && seen.utf8.elementsEqual(key.utf8) {
                return false
            }
            few.append(key)
            return true
        }
        if many.isEmpty { many = Set(few.map { Array($0.utf8) }) }
        return many.insert(Array(key.utf8)).inserted
    }
}
