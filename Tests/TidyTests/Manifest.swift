/// The targets of `Package.swift` with what they depend on, tests and probes left out.
struct Manifest {
    private(set) var targets: [String: Set<String>] = [:]

    init(_ text: String) {
        let makers =
            /(?:^|[^A-Za-z.])library\(|\.systemLibrary\(|\.target\(|\.executableTarget\(/
        for match in text.matches(of: makers) {
            let arguments = Self.untilClosed(text[match.range.upperBound...])
            guard let name = arguments.firstMatch(of: /^\s*(?:name:\s*)?"([^"]+)"/)?.1,
                !arguments.contains("path: \"Tests/")
            else { continue }
            targets[String(name)] = Self.dependencies(arguments)
        }
    }

    /// The names in the list of dependencies: `dependencies: [...]`, or a list without a label.
    private static func dependencies(_ arguments: Substring) -> Set<String> {
        guard let list = arguments.firstMatch(of: /(?:dependencies:\s*|",\s*)\[([^\]]*)\]/)?.1
        else { return [] }
        return Set(list.matches(of: /"([^"]+)"/).map { String($0.1) })
    }

    /// The text up to the parenthesis that closes what was opened before it.
    private static func untilClosed(_ text: Substring) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text
    }
}
