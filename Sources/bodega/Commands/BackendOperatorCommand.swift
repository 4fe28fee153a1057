import Foundation
import PurchaseBackend
import StoreWire

/// The operator's commands of `bodega backend`, for a running backend.
enum BackendOperatorCommand {
    static let details = """
        The commands are for the operator of a running backend. They find its address and token
        through --data, or by --url and BODEGA_OPERATOR_TOKEN. To get a new operator token, delete
        the file operator-token in the data directory and restart the backend.
        """

    static let commands = own + BackendPriceCommand.commands(shared)

    private static let own = [
        Command(
            group: "lookup", "submissions, newest first, and users",
            commands: [
                submissions("all", "every submission") { _ in nil },
                submissions("user NAME", "a user's submissions") { ("user", $0["NAME"]) },
                submissions("transaction ID", "by transaction or original transaction") {
                    ("transaction", $0["ID"])
                },
                submissions("receipt FILE|SHA256", "by a receipt's file, or by its digest") {
                    ("digest", try digest($0["FILE|SHA256"]))
                },
                submissions(
                    "state STATE", "by state",
                    choices: OperatorSubmissionBody.State.allCases.map(\.rawValue)
                ) { ("state", $0["STATE"]) },
                Command(
                    "users", "users, by their names",
                    [Option("search", "TEXT", "only those whose names begin with it")] + page
                        + shared
                ) { arguments in
                    let search = arguments.value("search").map { [("search", $0)] } ?? []
                    let query: [Query] = search + (try pageQuery(arguments))
                    try ask(arguments, "GET", ["users"], query) { (body: OperatorUsersBody) in
                        noteMore(after: body.nextAfter)
                        return OperatorPage.table(body.users)
                    }
                },
                Command("submission ID", "one submission with its history", shared) {
                    try ask($0, "GET", ["submissions", $0["ID"]], [], OperatorPage.text)
                },
            ]),
        Command("retry ID", "try a kept, stalled or refused submission now", shared) {
            try ask($0, "POST", ["submissions", $0["ID"], "retry"], [], OperatorPage.text)
        },
        Command("recheck ID", "ask the store whether it was refunded", shared) {
            let path = ["submissions", $0["ID"], "recheck"]
            try ask($0, "POST", path) { (body: OperatorRecheckBody) in
                "outcome  \(body.outcome.rawValue)\n\(OperatorPage.text(body.submission))"
            }
        },
        Command(
            group: "subscriptions", "users' auto-renewable subscriptions",
            commands: [
                subscriptions("user NAME", "a user's subscriptions", SubscriptionPage.table) {
                    ("user", $0["NAME"])
                },
                subscriptions("transaction ID", "one with its history", SubscriptionPage.text) {
                    ("transaction", $0["ID"])
                },
                subscriptions(
                    "trouble", "subscriptions whose last check failed", SubscriptionPage.table
                ) { _ in ("trouble", "true") },
            ]),
        Command("check ORIGINAL", "ask the store about a subscription now", shared) {
            let path = ["subscriptions", $0["ORIGINAL"], "check"]
            try ask($0, "POST", path) { (body: OperatorSubscriptionsBody) in
                SubscriptionPage.text(body.subscriptions)
            }
        },
        ConsoleCommand.command(.backend, shared, ["bodega backend console"]),
        BackendDoctorCommand.command,
    ]

    private static let shared = [
        Option("url", "URL", "the backend's address", variable: "BODEGA_BACKEND_URL"),
        BackendCommand.data, .json,
    ]
    private static let page = [
        Option("limit", "N", "rows on a page, 1 to \(BackendLimits.lookupMax) (50)"),
        Option("after", "ID", "the page after that row"),
    ]

    private typealias Query = (name: String, value: String)

    /// A command that looks submissions up by one criterion.
    private static func submissions(
        _ form: String, _ summary: String, choices: [String] = [],
        by item: @escaping @Sendable (Arguments) throws -> Query?
    ) -> Command {
        Command(form, summary, page + shared, choices: ["STATE": choices]) { arguments in
            let query = [try item(arguments)].compactMap(\.self) + (try pageQuery(arguments))
            try ask(arguments, "GET", ["submissions"], query) { (body: OperatorSubmissionsBody) in
                noteMore(after: body.nextAfter)
                return OperatorPage.table(body.submissions)
            }
        }
    }

    /// A command that looks subscriptions up by one criterion.
    private static func subscriptions(
        _ form: String, _ summary: String,
        _ text: @escaping @Sendable ([OperatorSubscriptionBody]) -> String,
        by item: @escaping @Sendable (Arguments) -> Query
    ) -> Command {
        Command(form, summary, page + shared) { arguments in
            let query = [item(arguments)] + (try pageQuery(arguments))
            try ask(arguments, "GET", ["subscriptions"], query) {
                (body: OperatorSubscriptionsBody) in
                noteMore(after: body.nextAfter)
                return text(body.subscriptions)
            }
        }
    }

    private static func ask<Body: Decodable>(
        _ arguments: Arguments, _ method: String, _ path: [String], _ query: [Query] = [],
        _ text: (Body) throws -> String
    ) throws {
        try arguments.show(try OperatorClient(arguments).send(method, path, query: query), text)
    }

    private static func noteMore(after next: String?) {
        if let next { Terminal.note("there are more: --after \(next)") }
    }

    /// The page of the list to show.
    private static func pageQuery(_ arguments: Arguments) throws -> [Query] {
        if let text = arguments.value("limit") {
            let most = BackendLimits.lookupMax
            guard let limit = Int(text), (1...most).contains(limit) else {
                throw UsageError("--limit \(text) is not a number from 1 to \(most)")
            }
        }
        return ["limit", "after"].compactMap { name in
            arguments.value(name).map { (name, $0) }
        }
    }

    private static func digest(_ text: String) throws -> String {
        if ReceiptDigest.isOne(text) { return text }
        guard let digest = ReceiptDigest.ofFile(text) else {
            throw Failure("\(text) is neither a readable receipt file nor a SHA-256")
        }
        return digest
    }
}
