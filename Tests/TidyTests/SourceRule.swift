import Testing

/// Something that no line of some files may hold, with lines that show what it finds.
///
/// Unchecked: a pattern is only read, which the standard library does not promise.
struct SourceRule: @unchecked Sendable, CustomTestStringConvertible {
    let name: String
    /// A line breaks the rule when it has all of them; told only the code of a line, without
    /// comments and strings.
    private let patterns: [Regex<AnyRegexOutput>]
    /// Whether a file is looked at.
    let covers: @Sendable (_ path: String) -> Bool
    /// Lines it must find, and lines it must leave alone.
    let bad: [String]
    let good: [String]

    var testDescription: String { name }

    private init(
        _ name: String, _ patterns: [Regex<AnyRegexOutput>],
        in covers: @escaping @Sendable (String) -> Bool = { _ in true }, bad: [String],
        good: [String]
    ) {
        self.name = name
        // By simple boundaries `Date` begins a word in `Foundation.Date`, too.
        self.patterns = patterns.map { $0.wordBoundaryKind(.simple) }
        self.covers = covers
        self.bad = bad
        self.good = good
    }

    /// Where a file breaks it, as `path:line`.
    func findings(in file: Repository.File) -> [String] {
        guard covers(file.path) else { return [] }
        return file.code.enumerated()
            .filter { line in patterns.allSatisfy { line.element.contains($0) } }
            .map { "\(file.path):\($0.offset + 1)" }
    }
}

extension SourceRule {
    static let all = [
        noClock, noChance, noForce, noSilentEnd, noBareClosure, noQuiescing, noPublic, noPointer,
        noLentPointer,
    ]

    private static func isPure(_ path: String) -> Bool {
        path.hasPrefix("Sources/StoreModel/") || path.hasPrefix("Sources/StoreRules/")
    }

    private static let noClock = SourceRule(
        "the middle reads no clock",
        [
            .init(
                /\b(Date\(|Date\.now|Dispatch\w*Time|\w+Clock\(\)|clock_get|gettimeof|time\(nil)/
            )
        ],
        in: isPure,
        bad: [
            "let now = Foundation.Date()", "clock_gettime(CLOCK_REALTIME, &now)",
            "DispatchTime.now()", "ContinuousClock().now", "time(nil)",
        ],
        good: ["let date = CalendarDate(moment)", "// Date()", "let text = \"Date()\""])

    private static let noChance = SourceRule(
        "the middle leaves nothing to chance",
        [
            .init(
                /\b(random(\(|Element|Bytes)|shuffled?\(|UUID\(|SystemRandom|getrandom|arc4random)/
            )
        ],
        in: isPure,
        bad: [
            "Int.random(in: 0...9)", "let id = UUID()", "list.randomElement()", "list.shuffle()",
        ],
        good: ["let randomness = 1", "/// random("])

    private static let noForce = SourceRule(
        "nothing is forced", [.init(/[A-Za-z0-9_\)\]\}>"`]!(?!=)/)],
        bad: ["let a = b!", "try! work()", "a as! B", "c[0]!.d", "f()!", "var d: Int!", "\"1\"!"],
        good: ["if !isDone", "a != b", "guard a !== b", "say(\"Stop!\")", "(!a)"])

    private static let noSilentEnd = SourceRule(
        "no process ends without a sentence",
        [.init(/\b(fatalError|preconditionFailure|assertionFailure)\(\s*\)/)],
        bad: ["fatalError()", "default: preconditionFailure( )"],
        good: ["fatalError(\"the list is empty\")", "// fatalError()"])

    private static let noBareClosure = SourceRule(
        "no mutex holds a bare closure, which it would wrap each time that it lends it",
        [.init(/\bMutex<\(.*->/)],
        bad: ["let a = Mutex<(@Sendable () -> Void)?>(nil)", "let b: Mutex<(Int) -> Int>"],
        good: [
            "let a = Mutex<Body?>(nil)", "let b = Mutex<[() -> Void]>([])",
            "func c(_ d: borrowing Mutex<Int>) -> Int",
        ])

    private static let noQuiescing = SourceRule(
        "nothing quiesces a daemon of libmicrohttpd, which may end the process",
        [.init(/MHD_quiesce_daemon/)], bad: ["unsafe MHD_quiesce_daemon(daemon)"],
        good: ["unsafe MHD_stop_daemon(daemon)", "// MHD_quiesce_daemon"])

    private static let noPublic = SourceRule(
        "only StoreKit, StoreKitTest and BodegaTesting are public",
        // Inlinable code may name what a public import brings.
        [.init(/\b(public|open)\s+(?!import\b)[a-z@]/)],
        in: { path in
            !["Sources/StoreKit/", "Sources/StoreKitTest/", "Sources/BodegaTesting/"]
                .contains { path.hasPrefix($0) }
        },
        bad: ["public struct A {", "    public func b() {", "open class C {"],
        good: [
            "package struct A {", "public import B", "let publicKey = 1", "open(path, flags)",
            "case .open",
        ])

    private static let bridges = [
        "StoreDigest", "StoreVerification", "StoreSigning", "StoreDatabase", "StoreHTTP",
        "StoreCaller", "StoreConsole",
    ]
    private static var pointer: Regex<AnyRegexOutput> {
        .init(/\b(OpaquePointer|Unmanaged|Unsafe(Mutable)?(Raw)?(Buffer)?Pointer)\b/)
    }

    private static let noPointer = SourceRule(
        "C pointers stay in the bridges", [pointer],
        in: { path in !bridges.contains { path.hasPrefix("Sources/\($0)/") } },
        bad: ["let a: OpaquePointer?", "func b(_ c: UnsafeMutableRawPointer)"],
        good: ["bytes.withUnsafeBytes { $0.count }", "// OpaquePointer"])

    private static let noLentPointer = SourceRule(
        "a bridge lends no C pointer to other modules", [.init(/\b(package|public)\b/), pointer],
        bad: ["package let handle: OpaquePointer", "package func a() -> UnsafeRawPointer {"],
        good: ["private let handle: OpaquePointer", "package func a() -> [UInt8] {"])
}
