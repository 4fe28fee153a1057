/// Finds a key that appears twice in an object of a JSON text.
///
/// Decoders take one of the two values without saying which, and whatever inspected the text on its
/// way may have taken the other. The text was decoded before, so it is valid, and every body passes
/// through here: this only compares keys, which takes a tenth of the decoding.
struct RepeatedKeySearch {
    private let bytes: [UInt8]
    private var position = 0
    /// The keys of the objects that are open; nil for an array.
    private var open: [Keys?] = []
    private var isKeyNext = false

    /// The error of the first key that repeats another of its object; nil when there is none.
    static func error(in bytes: [UInt8]) -> JSONParseError? {
        var search = RepeatedKeySearch(bytes)
        return search.run()
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func run() -> JSONParseError? {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                if let error = takeString() { return error }
                continue
            case UInt8(ascii: "{"):
                open.append(Keys())
                isKeyNext = true
            case UInt8(ascii: "["):
                open.append(nil)
                isKeyNext = false
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                isKeyNext = false
            case UInt8(ascii: ","): isKeyNext = open.last.map { $0 != nil } ?? false
            default: break
            }
            position += 1
        }
        return nil
    }

    /// Goes beyond the string at the position; an error if it is a key that its object has.
    private mutating func takeString() -> JSONParseError? {
        let start = position
        var isEscaped = false
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        let text = min(start + 1, bytes.count)..<min(position, bytes.count)
        position += 1
        guard isKeyNext, !open.isEmpty else { return nil }
        isKeyNext = false
        let key = isEscaped ? unescaped(from: start) : nil
        guard open[open.count - 1]?.add(text, unescaped: key, of: bytes) == false else {
            return nil
        }
        let name = String(decoding: key ?? Array(bytes[text]), as: UTF8.self)
        return JSONParser(bytes: bytes, limits: JSONLimits()).failure(
            "the key \(quoted(name)) appears twice in one object", at: start)
    }

    private func unescaped(from start: Int) -> [UInt8]? {
        var parser = JSONParser(bytes: bytes, limits: JSONLimits())
        parser.position = start
        return (try? parser.parseString()).map { Array($0.utf8) }
    }
}

/// The keys of one object: the places of the first few, which are compared with each other, or all
/// of them in a set.
private struct Keys {
    private static let placesMax = 16

    private var places: [Range<Int>] = []
    private var all: Set<[UInt8]> = []

    /// False when it has the key already.
    mutating func add(_ place: Range<Int>, unescaped: [UInt8]?, of bytes: [UInt8]) -> Bool {
        if all.isEmpty, unescaped == nil, places.count < Self.placesMax {
            let isNew = !places.contains {
                $0.count == place.count && bytes[$0].elementsEqual(bytes[place])
            }
            places.append(place)
            return isNew
        }
        if all.isEmpty { all = Set(places.map { Array(bytes[$0]) }) }
        return all.insert(unescaped ?? Array(bytes[place])).inserted
    }
}
