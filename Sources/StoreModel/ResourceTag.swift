/// The name of a group of on-demand resources, unique in a version of its app.
///
/// A tag is a part of addresses and a folder's name on devices, so it holds no separator.
package struct ResourceTag: Hashable, Sendable {
    package static let bytesMax = 128

    package let text: String

    /// Nil when the text is not a tag.
    package init?(_ text: String) {
        guard Self.problem(of: text) == nil else { return nil }
        self.text = text
    }

    /// The problem with a text, as the end of a sentence that begins with it; nil for a tag.
    package static func problem(of text: String) -> String? {
        if text.isEmpty { return "is empty" }
        if text.utf8.count > bytesMax { return "has more than \(bytesMax) bytes" }
        if text == "." || text == ".." { return "is . or .." }
        if text.utf8.contains(where: { "/\\,".utf8.contains($0) }) {
            return "contains a slash, a backslash or a comma"
        }
        if text.unicodeScalars.contains(where: isHidden) {
            return "contains a control character or one that is invisible"
        }
        if text.first?.isWhitespace == true || text.last?.isWhitespace == true {
            return "begins or ends with a blank"
        }
        return nil
    }

    /// Control characters, line ends, and characters without a width or a place of their own.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}

/// When a device gets a tag's resources by itself.
package enum ResourceKind: String, Codable, CaseIterable, Sendable {
    /// With the app: before anything else of that version is answered.
    case initial
    /// After the app, in the order in which the tags were added.
    case prefetch
    /// When the app asks.
    case onDemand
}
