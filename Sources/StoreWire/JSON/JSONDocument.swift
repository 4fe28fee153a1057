/// A JSON text with its value and the place of each part in the text.
package struct JSONDocument: Sendable {
    package let bytes: [UInt8]
    package let value: JSONValue
    private let span: JSONSpan

    /// Reads strict RFC 8259; throws at the first byte that is not allowed or beyond a limit.
    package init(bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONParseError) {
        var parser = JSONParser(bytes: bytes, limits: limits)
        (value, span) = try parser.parseText()
        self.bytes = bytes
    }

    /// The bytes of the value at a path, a string with its quotes; nil when nothing is there.
    package func range(of path: JSONPath) -> Range<Int>? {
        var value = value
        var span = span
        for step in path.steps {
            let position: Int? =
                switch step {
                case .key(let key): value.object?.firstIndex { $0.key == key }
                case .index(let index): value.array?.indices.contains(index) == true ? index : nil
                }
            guard let position, span.parts.indices.contains(position) else { return nil }
            span = span.parts[position]
            value = value.object?[position].value ?? value.array?[position] ?? .null
        }
        return span.range
    }

    /// Where the value at a path begins, or else its nearest enclosing value.
    package func place(of path: JSONPath) -> TextPlace {
        var steps = path.steps[...]
        while true {
            if let range = range(of: JSONPath(steps: Array(steps))) {
                return TextPlace(offset: range.lowerBound, in: bytes)
            }
            steps = steps.dropLast()
        }
    }
}

/// The bytes of a value and of its nested values, in the same order.
struct JSONSpan: Sendable {
    let range: Range<Int>
    let parts: [JSONSpan]
}

extension JSONValue {
    /// Reads strict RFC 8259; throws at the first byte that is not allowed or beyond a limit.
    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONParseError) {
        var parser = JSONParser(bytes: bytes, limits: limits)
        self = try parser.parseText().value
    }
}
