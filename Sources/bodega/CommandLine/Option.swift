/// An option of a command, `--name VALUE` or a flag.
struct Option: Sendable {
    let name: String
    /// The placeholder of its value in the help; nil for a flag.
    let value: String?
    let meaning: String
    let choices: [String]
    /// The environment variable that is used when the option is missing.
    let variable: String?
    let isRequired: Bool

    /// An option with a value; `value` is its placeholder in the help.
    init(
        _ name: String, _ value: String, _ meaning: String, choices: [String] = [],
        variable: String? = nil, isRequired: Bool = false
    ) {
        self.name = name
        self.value = value
        self.meaning = meaning
        self.choices = choices
        self.variable = variable
        self.isRequired = isRequired
    }

    /// A flag, which does not have a value.
    init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
        value = nil
        choices = []
        variable = nil
        isRequired = false
    }

    /// Whether its value names a file or a directory.
    var isPath: Bool { value == "DIR" || value == "FILE" }

    /// `--name VALUE`
    var form: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
}

extension Option {
    static let json = Option("json", "print the answer as JSON, and errors too")
    static let world = Option(
        "world", "W", "a test session instead of the default world", variable: "BODEGA_WORLD")
    static let bundleID = Option(
        "bundle-id", "ID", "the app; the world's only one when absent",
        variable: "BODEGA_BUNDLE_ID")
    /// Of commands that make the app.
    static let newBundleID = Option(
        "bundle-id", "ID", "the app", variable: "BODEGA_BUNDLE_ID", isRequired: true)
    /// The root of signed data, as `Arguments.dataRoots` takes it.
    static let dataRoot = Option(
        "root", "FILE", "the root (DER); the data directory's when absent")
    static let environment = Option(
        "environment", "E", "sandbox (default) or production",
        choices: ["sandbox", "production"])
    /// Of commands that talk to the root of a running store.
    static let store = [
        Option("data", "DIR", "the store's data directory", variable: "BODEGA_DATA"),
        Option("url", "URL", "the store's address", variable: "BODEGA_URL"), json,
    ]
    /// Of commands that talk to a world of a running store.
    static let inWorld = [world] + store
}
