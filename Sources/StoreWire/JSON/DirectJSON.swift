/// A body that writes itself byte by byte, exactly as `JSONEncoder` would.
///
/// Only for answers that a benchmark showed to be hot: encoding a purchase's answer with
/// `JSONEncoder` took a tenth of the whole purchase. A test compares both.
package protocol DirectJSON: Encodable {
    func write(to writer: inout JSONWriter)
}

extension WireJSON {
    package static func encode(_ value: some DirectJSON) throws -> [UInt8] {
        var writer = JSONWriter()
        value.write(to: &writer)
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes an object; its body adds the members in the order of their keys.
    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        bytes.append(UInt8(ascii: "{"))
        try body(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func member(_ key: String, _ text: String) {
        write(key: key)
        write(string: text)
    }

    package mutating func member(_ key: String, _ number: Int64) {
        write(key: key)
        bytes.append(contentsOf: String(number).utf8)
    }

    package mutating func member(_ key: String, _ flag: Bool) {
        write(key: key)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// A member that is an object.
    package mutating func object<Failure: Error>(
        _ key: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        write(key: key)
        try object(body)
    }

    /// A member whose value is already JSON.
    package mutating func member(_ key: String, json: String) {
        write(key: key)
        bytes.append(contentsOf: json.utf8)
    }

    /// A member whose text is our own and needs no escaping; `ending` completes its key.
    package mutating func member(_ key: String, _ ending: String = "", plain text: String) {
        write(key: key, ending)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Repeats the members that were written there.
    package mutating func members(at place: Range<Int>) {
        writeComma()
        // Copied first: a growing array moves.
        bytes.append(contentsOf: Array(bytes[place]))
    }

    /// A member that is an array; the body writes each element.
    package mutating func array<Element, Failure: Error>(
        _ key: String, _ elements: [Element],
        _ body: (inout JSONWriter, Element) throws(Failure) -> Void
    ) throws(Failure) {
        try array(key, count: elements.count) { writer, index throws(Failure) in
            try body(&writer, elements[index])
        }
    }

    /// A member that is an array of `count` elements; the body writes the element of each index.
    package mutating func array<Failure: Error>(
        _ key: String, count: Int, _ body: (inout JSONWriter, Int) throws(Failure) -> Void
    ) throws(Failure) {
        write(key: key)
        bytes.append(UInt8(ascii: "["))
        for number in 0..<count {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            try body(&self, number)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// An element of an array that is a text.
    package mutating func element(_ text: String) { write(string: text) }

    mutating func member(_ key: String, _ value: some DirectJSON) {
        write(key: key)
        value.write(to: &self)
    }

    mutating func member(_ key: String, _ values: [some DirectJSON]) {
        array(key, values) { $1.write(to: &$0) }
    }

    /// The key of a member, one of our names, which needs no escaping.
    private mutating func write(key: String, _ ending: String = "") {
        writeComma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: key.utf8)
        if !ending.isEmpty { bytes.append(contentsOf: ending.utf8) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes the comma before a member, unless it is the object's first.
    private mutating func writeComma() {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    }
}
