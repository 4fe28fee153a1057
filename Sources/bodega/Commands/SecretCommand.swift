import AppStoreServer
import Foundation
import StoreModel
import StoreWire

/// `bodega secret make|list|revoke`
enum SecretCommand {
    static let command = Command(
        help: """
            bodega secret: shared secrets, the password of verifyReceipt

              bodega secret make [--bundle-id ID | --developer NAME] [--overlap AMOUNT]
              bodega secret list [--bundle-id ID | --developer NAME]
              bodega secret revoke NUMBER [--bundle-id ID | --developer NAME]

            A secret is made by the store and shown once: it keeps only a digest. It belongs to
            one app, or to a developer account and is good for all its apps; without an option
            that is the account named default. verifyReceipt asks for one when a receipt holds
            auto-renewable subscriptions, and answers 21004 to any other.

            Making another is how to rotate: the ones before it are accepted for the overlap (24h
            unless you say otherwise, 30d at most, 0s to end them at once). revoke ends one for
            good, now: no restore and no reset of the world brings it back.

            Options:
              --bundle-id ID    an app's own secrets
              --developer NAME  a developer account's
              --overlap AMOUNT  such as 90s, 15m, 12h, 30d, by the real clock
              --world W         a test session instead of the default world
              --data DIR        the store's data directory (BODEGA_DATA)
              --url URL         the store's address (BODEGA_URL)
              --json            print the answer as JSON

            Examples:
              bodega secret make
              bodega secret make --bundle-id com.example.rocketcar --overlap 7d
              bodega secret revoke 1
            """,
        options: ControlClient.options.union(["bundle-id", "developer", "overlap"]),
        flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "make": try make(arguments)
        case "list": try list(arguments)
        case "revoke": try revoke(arguments)
        default: throw arguments.notOne(of: "make", "list", "revoke")
        }
    }

    private static func make(_ arguments: Arguments) throws {
        _ = try arguments.words("make")
        let path = try path(arguments)
        let overlap = try arguments.value("overlap").map {
            try TimeWords.milliseconds(
                $0, for: "--overlap", most: Limits.overlapMillisecondsMax)
        }
        let answer = try ControlClient(arguments).send(
            "POST", path, MakeSecretBody(overlapMilliseconds: overlap))
        try Answer.show(answer, as: MadeSecretBody.self, arguments) { body in
            Terminal.note("secret \(body.number); keep it well, it is not shown again:")
            return body.secret
        }
    }

    private static func list(_ arguments: Arguments) throws {
        _ = try arguments.words("list")
        let path = try path(arguments)
        let answer = try ControlClient(arguments).send("GET", path)
        try Answer.show(answer, as: SecretsBody.self, arguments) { body in
            Terminal.table(
                ["NUMBER", "STATE", "MADE", "ACCEPTED UNTIL", "REVOKED"],
                body.secrets.map {
                    [
                        "\($0.number)", $0.state.rawValue, TimeWords.text($0.madeAt),
                        $0.acceptedUntil.map { TimeWords.text($0) } ?? "",
                        $0.revokedAt.map { TimeWords.text($0) } ?? "",
                    ]
                })
        }
    }

    private static func revoke(_ arguments: Arguments) throws {
        let word = try arguments.words("revoke", "number")[1]
        let number = try Arguments.number(word, listedBy: "bodega secret list")
        let path = try path(arguments) + "/\(number)"
        let answer = try ControlClient(arguments).send("DELETE", path)
        try Answer.show(answer, as: SecretBody.self, arguments) { "revoked \($0.number)" }
    }

    private static func path(_ arguments: Arguments) throws -> String {
        guard arguments.value("bundle-id") == nil else {
            guard arguments.value("developer") == nil else {
                throw UsageError("--bundle-id and --developer are two owners: leave one out")
            }
            return try ProductCommand.app(arguments) + "/secrets"
        }
        let developer = arguments.value("developer") ?? "default"
        return "/developers/\(ControlClient.escaped(developer))/secrets"
    }
}
