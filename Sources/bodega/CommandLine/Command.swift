/// A command or a group of commands: what may follow it, what it does, and its help.
///
/// The tree of these values is the command line. Parsing, help, completion, the manual page and
/// `docs/command-line.md` are derived from it.
struct Command: Sendable {
    typealias Run = @Sendable (Arguments) throws -> Void

    let name: String
    /// One line without a full stop.
    let summary: String
    let words: [Word]
    private(set) var options: [Option]
    /// Paragraphs separated by blank lines; the terminal decides where lines break.
    let details: String
    /// Whole command lines. A command without any shows its group's examples that use it.
    let examples: [String]
    let commands: [Command]
    /// Nil for a group without an action of its own.
    let run: Run?

    /// A command; `form` is its name and the words after it, such as `hold [TIME]`. A last word such
    /// as `WORD…` may be followed by more.
    init(
        _ form: String, _ summary: String, _ options: [Option] = [],
        choices: [String: [String]] = [:], details: String = "", examples: [String] = [],
        commands: [Command] = [], run: Run?
    ) {
        let form = form.split(separator: " ").map(String.init)
        name = form[0]
        words = form.dropFirst().map { Word($0, choices) }
        self.summary = summary
        self.options = options
        self.details = details
        self.examples = examples
        self.commands = commands
        self.run = run
    }

    /// A group; its commands also take the options of `shared`.
    init(
        group name: String, _ summary: String, shared: [Option] = [], details: String = "",
        examples: [String] = [], commands: [Command]
    ) {
        self.init(
            name, summary, details: details, examples: examples,
            commands: commands.map { $0.adding(shared) }, run: nil)
    }

    private func adding(_ shared: [Option]) -> Command {
        var command = self
        command.options += shared
        return command
    }

    /// A word after a command.
    struct Word: Sendable {
        /// As it appears in the help.
        let name: String
        let isOptional: Bool
        let choices: [String]

        /// Whether more words may follow it.
        var isRepeated: Bool { name.hasSuffix("…") }

        /// `[TIME]` is optional; `on|off` is one of the two.
        init(_ text: String, _ choices: [String: [String]]) {
            isOptional = text.hasPrefix("[")
            let name = text.filter { $0 != "[" && $0 != "]" }
            self.name = name
            let isSpelt = name.contains("|") && name == name.lowercased()
            self.choices =
                isSpelt ? name.split(separator: "|").map(String.init) : choices[name] ?? []
        }

        var form: String { isOptional ? "[\(name)]" : name }
    }
}

extension Command {
    /// Its own options, then those of the commands below it, each name once; those shared by all
    /// come last.
    var everyOption: [Option] {
        var names: Set<String> = []
        let below = commands.map(\.everyOption)
        let all = (options + below.joined()).filter { names.insert($0.name).inserted }
        let isShared = { (option: Option) in
            below.allSatisfy { $0.contains { $0.name == option.name } }
        }
        return commands.isEmpty ? all : all.filter { !isShared($0) } + all.filter(isShared)
    }

    /// The options that help and completion offer after it; a list of all of them would not help.
    var offeredOptions: [Option] { name == CommandTree.root.name ? [] : everyOption }

    /// Every command that has an action, as typed, from this one down.
    func callable(as path: String) -> [(path: String, command: Command)] {
        (run == nil ? [] : [(path, self)])
            + commands.flatMap { $0.callable(as: "\(path) \($0.name)") }
    }

    /// Every command and group below this one, as typed.
    func all(as path: String) -> [(path: String, command: Command)] {
        [(path, self)] + commands.flatMap { $0.all(as: "\(path) \($0.name)") }
    }
}
