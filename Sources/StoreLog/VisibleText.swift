/// Text without characters that a terminal obeys, hides, or lets reorder the others.
///
/// Names and reasons come from clients: printed as they are, they could move the cursor, forge a
/// line, or make two names look the same.
package enum VisibleText {
    package enum Form: Sendable {
        /// `\u{202E}`, for people.
        case text
        /// `\u202e`, for JSON, which then still means the same.
        case json
    }

    /// The text with its hidden characters escaped. Line feeds and tabs stay, unless
    /// `isOneLine`.
    package static func of(
        _ text: String, as form: Form = .text, isOneLine: Bool = false
    ) -> String {
        func isKept(_ byte: UInt8) -> Bool { !isOneLine && (byte == 0x0A || byte == 0x09) }
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || isKept($0) }) else {
            return text
        }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar), !(scalar.isASCII && isKept(UInt8(scalar.value))) {
                shown += escape(scalar, as: form)
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// Controls, formats (among them the bidirectional ones), separators of lines, and whatever
    /// else is displayed as nothing, such as the joiners of emoji and the fillers of Hangul.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    static func escape(_ scalar: Unicode.Scalar, as form: Form) -> String {
        switch form {
        case .text: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        case .json: String(scalar).utf16.map { "\\u" + fourDigits($0) }.joined()
        }
    }

    private static func fourDigits(_ unit: UInt16) -> String {
        let hex = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - hex.utf8.count) + hex
    }
}
