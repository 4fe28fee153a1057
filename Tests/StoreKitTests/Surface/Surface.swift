import Foundation

/// The public declarations of StoreKit, each once, as an app could write them.
struct Surface {
    struct Entry: Hashable {
        let path: [String]
        /// `class`, `property`, `method`, …
        let kind: String
        let isOpen: Bool
        /// A requirement that has a default, as Apple's optional ones have.
        let isOptional: Bool
        /// With what it inherits from and conforms to, when it is a type.
        let declaration: String
        /// Whether a client that uses it gets a warning.
        let isDeprecated: Bool
    }

    let entries: [Entry]

    init(_ graphs: [SymbolGraph]) {
        let all = graphs.flatMap(\.relationships)
        let defaults = all.filter { $0.kind == "defaultImplementationOf" }
        let isDefault = Set(defaults.map(\.source))
        let hasDefault = Set(defaults.map(\.target))
        let parents = Dictionary(grouping: all, by: \.source)
        let names = Dictionary(
            graphs.flatMap(\.symbols).map {
                ($0.identifier.precise, $0.pathComponents.joined(separator: "."))
            }, uniquingKeysWith: { first, _ in first })
        let entries = graphs.flatMap(\.symbols)
            .filter { !isDefault.contains($0.identifier.precise) && !$0.isSwiftsOwn }
            .map { symbol in
                let above = Self.above(symbol, parents, names)
                return Entry(
                    path: symbol.pathComponents, kind: symbol.plainKind,
                    isOpen: symbol.accessLevel == "open",
                    isOptional: hasDefault.contains(symbol.identifier.precise),
                    declaration: symbol.declaration + above,
                    isDeprecated: (symbol.availability ?? []).contains {
                        $0.domain == "*" && $0.isUnconditionallyDeprecated == true
                    })
            }
        self.entries = Set(entries).sorted {
            ($0.path.joined(separator: "."), $0.declaration)
                < ($1.path.joined(separator: "."), $1.declaration)
        }
    }

    /// A line each: path, kind, declaration.
    var text: String {
        entries.map { entry in
            let level = entry.isOpen ? "open " : ""
            let kind = entry.isOptional ? "optional \(entry.kind)" : entry.kind
            return "\(entry.path.joined(separator: ".")) | \(kind) | \(level)\(entry.declaration)\n"
        }.joined()
    }

    /// What every object, every value or every type has, so that it says nothing.
    private static let common: Set<String> = [
        "BitwiseCopyable", "Copyable", "CustomDebugStringConvertible", "CustomStringConvertible",
        "CVarArg", "Equatable", "Escapable", "Hashable", "NSObjectProtocol", "SendableMetatype",
    ]

    /// The superclass of a type, and what it conforms to beside that one.
    private static func above(
        _ symbol: SymbolGraph.Symbol, _ parents: [String: [SymbolGraph.Relationship]],
        _ names: [String: String]
    ) -> String {
        // The declaration of a protocol names them already.
        if symbol.plainKind == "protocol" { return "" }
        func named(_ kind: String, of type: String) -> [String] {
            (parents[type] ?? []).filter { $0.kind == kind }.map {
                let name = names[$0.target] ?? $0.targetFallback ?? "?"
                return name.split(separator: ".").last.map(String.init) ?? name
            }
        }
        let type = symbol.identifier.precise
        let superclass = (parents[type] ?? []).first { $0.kind == "inheritsFrom" }
        let inherited = Set(superclass.map { named("conformsTo", of: $0.target) } ?? [])
        let conformances = Set(named("conformsTo", of: type)).subtracting(inherited)
        let all =
            named("inheritsFrom", of: type) + conformances.subtracting(Self.common).sorted()
        return all.isEmpty ? "" : " : " + all.joined(separator: ", ")
    }
}

extension SymbolGraph.Symbol {
    var plainKind: String {
        kind.identifier.split(separator: ".").dropFirst().joined(separator: " ")
    }

    var declaration: String {
        declarationFragments.map(\.spelling).joined()
            .replacingOccurrences(of: "override ", with: "")
    }

    /// Operators and hashing that Swift gives to whatever is equatable, and what its protocols of
    /// sequences, sets and formats give to whatever conforms.
    var isSwiftsOwn: Bool {
        guard identifier.precise.contains("::SYNTHESIZED::") else { return false }
        return ["!=(_:_:)", "==(_:_:)", "hash(into:)", "hashValue", "description"]
            .contains(pathComponents.last ?? "")
            || Self.generous.contains { identifier.precise.hasPrefix($0) }
    }

    /// The mangled names of AsyncSequence, AsyncIteratorProtocol, OptionSet, SetAlgebra, Comparable,
    /// LocalizedError and FormatStyle.
    private static let generous = [
        "s:Sci", "s:ScI", "s:s9OptionSet", "s:s10SetAlgebra", "s:SLs",
        "s:20FoundationEssentials14LocalizedError", "s:20FoundationEssentials11FormatStyle",
    ]
}
