import StoreModel

extension JSONValue {
    /// The text without blanks, members in their order, slashes unescaped.
    package var compactBytes: [UInt8] {
        var writer = JSONWriter()
        writer.writeCompact(self)
        return writer.bytes
    }

    /// The text over several lines, two blanks per level, members in their order, with a trailing
    /// line break.
    package var indentedBytes: [UInt8] {
        var writer = JSONWriter()
        writer.writeIndented(self, level: 0)
        return writer.bytes + [0x0A]
    }

    /// The text as Xcode writes its files: keys sorted, two blanks per level, `"key" : value`, an
    /// empty array or object over three lines, slashes unescaped, with a trailing line break.
    package var xcodeBytes: [UInt8] {
        var writer = JSONWriter()
        writer.writeXcode(self, level: 0)
        writer.bytes.append(0x0A)
        return writer.bytes
    }
}

/// Appends JSON to bytes.
package struct JSONWriter {
    package internal(set) var bytes: [UInt8] = []

    /// `capacity` is the approximate number of bytes to come.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    mutating func writeCompact(_ value: JSONValue) {
        switch value {
        case .array(let elements):
            write("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { write(",") }
                writeCompact(element)
            }
            write("]")
        case .object(let members):
            write("{")
            for (index, member) in members.enumerated() {
                if index > 0 { write(",") }
                write(string: member.key)
                write(":")
                writeCompact(member.value)
            }
            write("}")
        default: write(scalar: value)
        }
    }

    mutating func writeXcode(_ value: JSONValue, level: Int) {
        switch value {
        case .array(let elements):
            writeLines("[", "]", elements, level: level) { $0.writeXcode($1, level: level + 1) }
        case .object(let members):
            let sorted = members.sorted { comesBeforeInXcode($0.key, $1.key) }
            writeLines("{", "}", sorted, level: level) { writer, member in
                writer.write(string: member.key)
                writer.write(" : ")
                writer.writeXcode(member.value, level: level + 1)
            }
        default: write(scalar: value)
        }
    }

    mutating func writeIndented(_ value: JSONValue, level: Int) {
        switch value {
        case .array(let elements) where elements.contains { $0.object != nil }:
            writeLines("[", "]", elements, level: level) {
                $0.writeIndented($1, level: level + 1)
            }
        case .object(let members) where members.count > 1 || members.first?.value.object != nil:
            writeLines("{", "}", members, level: level) { writer, member in
                writer.write(string: member.key)
                writer.write(": ")
                writer.writeIndented(member.value, level: level + 1)
            }
        default: writeCompact(value)
        }
    }

    /// Writes parts between brackets, a line each; for none, one empty line, like Xcode.
    private mutating func writeLines<Part>(
        _ opening: String, _ closing: String, _ parts: [Part], level: Int,
        _ writePart: (inout JSONWriter, Part) -> Void
    ) {
        write(opening)
        write("\n")
        for (index, part) in parts.enumerated() {
            if index > 0 { write(",\n") }
            write(String(repeating: "  ", count: level + 1))
            writePart(&self, part)
        }
        write("\n")
        write(String(repeating: "  ", count: level))
        write(closing)
    }

    private mutating func write(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func write(scalar value: JSONValue) {
        switch value {
        case .null: write("null")
        case .bool(let flag): write(flag ? "true" : "false")
        case .number(let literal): write(literal)
        case .string(let text): write(string: text)
        case .array, .object: writeCompact(value)
        }
    }

    mutating func write(string text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        let isWritten = text.withUTF8 { utf8 in
            // All bytes are checked, so that the processor can handle many at once.
            let specials = utf8.reduce(0) { found, byte in
                found | (byte < 0x20 || byte == 0x22 || byte == 0x5C ? 1 : 0)
            }
            if specials == 0 { bytes.append(contentsOf: utf8) }
            return specials == 0
        }
        if !isWritten { writeEscaped(text) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): write("\\\"")
            case UInt8(ascii: "\\"): write("\\\\")
            case 0x08: write("\\b")
            case 0x09: write("\\t")
            case 0x0A: write("\\n")
            case 0x0C: write("\\f")
            case 0x0D: write("\\r")
            case 0..<0x20: write("\\u00\(hexadecimal([byte]))")
            default: bytes.append(byte)
            }
        }
    }
}
