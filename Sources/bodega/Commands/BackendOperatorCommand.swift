import Foundation
import PurchaseBackend
import StoreModel
import StoreWire

/// `bodega backend lookup|retry|recheck|subscriptions|check`
enum BackendOperatorCommand {
    static let words: Set<String> = ["lookup", "retry", "recheck", "subscriptions", "check"]
    static let options: Set<String> = ["url", "limit", "after"]

    static let help = """
        For the operator, while a backend runs:

          bodega backend lookup user NAME               what a user sent, newest first
          bodega backend lookup transaction ID          by transaction or original transaction
          bodega backend lookup receipt FILE|SHA256     by a receipt's file, or by its digest
          bodega backend lookup state STATE             received, kept, stalled, granted,
                                                        alreadyGranted or refused
          bodega backend lookup submission ID           one submission with its history
          bodega backend retry ID                       try a kept, stalled or refused one now
          bodega backend recheck ID                     ask the store whether it was refunded
          bodega backend subscriptions user NAME        a user's auto-renewable subscriptions
          bodega backend subscriptions transaction ID   one, with its history
          bodega backend subscriptions trouble          those whose last check failed
          bodega backend check ORIGINAL                 ask the store about a subscription now

          --url URL      the backend's address (BODEGA_BACKEND_URL, that in --data)
          --data DIR     the backend's data directory, which holds the token
                         (BODEGA_BACKEND_DATA; BODEGA_OPERATOR_TOKEN instead of the file)
          --limit N      rows on a page, 1 to 200 (50)
          --after ID     the page after that row
          --json         print the answer as JSON

          A new operator token is made when the file operator-token in the data directory is
          deleted and the backend started again.

        Examples:
          bodega backend lookup user driver
          bodega backend lookup receipt /tmp/device/StoreKit/sandboxReceipt --json
          bodega backend lookup state stalled --limit 200
        """

    static func run(_ arguments: Arguments) throws {
        switch arguments.positional.first {
        case "lookup": try lookup(arguments)
        case "retry":
            let id = try arguments.words("retry", "id")[1]
            let answer = try OperatorClient(arguments).send("POST", ["submissions", id, "retry"])
            try show(answer, arguments)
        case "subscriptions": try subscriptions(arguments)
        case "check":
            let original = try arguments.words("check", "original")[1]
            let answer = try OperatorClient(arguments)
                .send("POST", ["subscriptions", original, "check"])
            if arguments.has("json") { return print(answer) }
            let body = try WireJSON.decode(OperatorSubscriptionsBody.self, from: answer)
            Terminal.print(SubscriptionPage.text(body.subscriptions))
        default:
            let id = try arguments.words("recheck", "id")[1]
            let answer = try OperatorClient(arguments)
                .send("POST", ["submissions", id, "recheck"])
            if arguments.has("json") { return print(answer) }
            let body = try WireJSON.decode(OperatorRecheckBody.self, from: answer)
            Terminal.print("outcome  \(body.outcome.rawValue)")
            Terminal.print(OperatorPage.text(body.submission))
        }
    }

    private static func lookup(_ arguments: Arguments) throws {
        let words = try arguments.words("lookup", "kind", "value")
        let items = try page(arguments)
        if words[1] == "submission" {
            return try show(
                try OperatorClient(arguments).send("GET", ["submissions", words[2]]), arguments)
        }
        let query = [try item(words[1], words[2])] + items
        let answer = try OperatorClient(arguments).send("GET", ["submissions"], query: query)
        if arguments.has("json") { return print(answer) }
        let body = try WireJSON.decode(OperatorSubmissionsBody.self, from: answer)
        Terminal.print(OperatorPage.table(body.submissions))
        if let next = body.nextAfter { Terminal.note("there are more: --after \(next)") }
    }

    private static func subscriptions(_ arguments: Arguments) throws {
        let kind = arguments.positional.dropFirst().first
        let item: (name: String, value: String)
        switch kind {
        case "trouble":
            _ = try arguments.words("subscriptions", "kind")
            item = ("trouble", "true")
        case "user"?, "transaction"?:
            let words = try arguments.words("subscriptions", "kind", "value")
            item = (words[1], words[2])
        default:
            throw UsageError(
                "bodega backend subscriptions needs user NAME, transaction ID or trouble")
        }
        let answer = try OperatorClient(arguments)
            .send("GET", ["subscriptions"], query: [item] + page(arguments))
        if arguments.has("json") { return print(answer) }
        let body = try WireJSON.decode(OperatorSubscriptionsBody.self, from: answer)
        Terminal.print(
            kind == "transaction" && !body.subscriptions.isEmpty
                ? SubscriptionPage.text(body.subscriptions)
                : SubscriptionPage.table(body.subscriptions))
        if let next = body.nextAfter { Terminal.note("there are more: --after \(next)") }
    }

    /// Which page of the list is wanted.
    private static func page(
        _ arguments: Arguments
    ) throws -> [(name: String, value: String)] {
        if let text = arguments.value("limit") {
            let most = BackendLimits.lookupMax
            guard let limit = Int(text), (1...most).contains(limit) else {
                throw UsageError("--limit \(text) is no number from 1 to \(most)")
            }
        }
        return ["limit", "after"].compactMap { name in
            arguments.value(name).map { (name, $0) }
        }
    }

    private static func item(
        _ kind: String, _ value: String
    ) throws -> (name: String, value: String) {
        switch kind {
        case "user", "transaction": return (kind, value)
        case "state":
            guard OperatorSubmissionBody.State(rawValue: value) != nil else {
                let known = OperatorSubmissionBody.State.allCases.map(\.rawValue)
                throw UsageError("STATE \(value) is none of \(known.joined(separator: ", "))")
            }
            return (kind, value)
        case "receipt":
            if ReceiptDigest.isOne(value) { return ("digest", value) }
            guard let digest = ReceiptDigest.ofFile(value) else {
                throw Failure("\(value) is no receipt's file that can be read, and no SHA-256")
            }
            return ("digest", digest)
        default:
            throw UsageError(
                "KIND \(kind) is none of user, transaction, receipt, state and submission")
        }
    }

    private static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        if arguments.has("json") { return print(answer) }
        Terminal.print(
            OperatorPage.text(try WireJSON.decode(OperatorSubmissionBody.self, from: answer)))
    }

    private static func print(_ answer: [UInt8]) {
        Terminal.print(String(decoding: answer, as: UTF8.self))
    }
}
