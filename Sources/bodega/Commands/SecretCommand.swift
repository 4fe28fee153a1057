import AppStoreServer
import Foundation
import StoreModel
import StoreWire

/// `bodega secret`
enum SecretCommand {
    static let command = Command(
        group: "secret", "shared secrets, the password of verifyReceipt",
        shared: [
            Option("bundle-id", "ID", "an app's own secrets"),
            Option("developer", "NAME", "a developer account's (default)"),
        ] + Option.inWorld,
        details: """
            The store makes a secret and shows it once: it keeps only a digest. It belongs to one
            app, or to a developer account, for all its apps. verifyReceipt requires one for a
            receipt with auto-renewable subscriptions, and answers 21004 without a valid one.

            To rotate a secret, make another: earlier ones are accepted during the overlap. A
            revoked secret stays revoked after a restore or a reset of the world.
            """,
        examples: [
            "bodega secret make",
            "bodega secret make --bundle-id com.example.rocketcar --overlap 7d",
            "bodega secret revoke 1",
        ],
        commands: [
            Command(
                "make", "make a secret, which is shown once",
                [
                    Option(
                        "overlap", "AMOUNT",
                        "how long earlier ones are still accepted, by the real clock: such as 90s, "
                            + "15m, 12h, 30d at most, 0s to end them at once (24h)")
                ], run: make),
            Command("list", "every secret, and until when each is accepted", run: list),
            Command("revoke NUMBER", "revoke a secret permanently, at once") {
                let path = try path($0) + "/\(try $0.number())"
                try $0.send("DELETE", path) { (secret: SecretBody) in "revoked \(secret.number)" }
            },
        ])

    private static func make(_ arguments: Arguments) throws {
        let path = try path(arguments)
        let overlap = try arguments.value("overlap").map {
            try TimeWords.milliseconds($0, for: "--overlap", most: Limits.overlapMillisecondsMax)
        }
        let body = MakeSecretBody(overlapMilliseconds: overlap)
        try arguments.send("POST", path, body) { (body: MadeSecretBody) in
            Terminal.note("secret \(body.number); store it safely, it is not shown again:")
            return body.secret
        }
    }

    private static func list(_ arguments: Arguments) throws {
        try arguments.send("GET", try path(arguments)) { (body: SecretsBody) in
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

    private static func path(_ arguments: Arguments) throws -> String {
        guard arguments.value("bundle-id") == nil else {
            guard arguments.value("developer") == nil else {
                throw UsageError("--bundle-id and --developer exclude each other: leave one out")
            }
            return try arguments.app() + "/secrets"
        }
        let developer = arguments.value("developer") ?? "default"
        return "/developers/\(ServerClient.escaped(developer))/secrets"
    }
}
