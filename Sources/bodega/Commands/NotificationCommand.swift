import AppStoreServer
import Foundation
import Glibc
import PurchaseBackend
import StoreLog
import StoreModel
import StoreWire

/// `bodega notification`
enum NotificationCommand {
    static let command = Command(
        group: "notification", "App Store Server Notifications to an app's server",
        shared: Option.inWorld,
        details: """
            An app's server is notified of everything that happens after it has an address, in each
            environment. Addresses need TLS; with --private they may also be on this machine or
            network, and plain HTTP. NUMBER is that of a notification in the list.

            disorder spoils deliveries, to test the server: it should come to the same state whatever
            is lost, late, doubled or out of order. The same --seed spoils the same notifications.
            """,
        examples: [
            "bodega notification listen --port 9000 &",
            "bodega notification set com.example.app http://127.0.0.1:9000/ --private",
            "bodega notification test com.example.app", "bodega notification list",
            "bodega notification send com.example.app EXTERNAL_PURCHASE_TOKEN/CREATED",
            "bodega notification show 1",
            "bodega notification disorder com.example.app --duplicated 20 --reordered 20 --seed 7",
            "bodega notification resend 1", "bodega notification remove com.example.app",
        ],
        commands: [
            Command(
                "set BUNDLE-ID ADDRESS", "set where the app's server is notified",
                [
                    .environment,
                    Option("version", "V", "2 (default) or 1", choices: ["2", "1"]),
                    Option("private", "ADDRESS may be on this machine or network, without TLS"),
                    Option("ca", "FILE", "trust these certificates (PEM) alone"),
                    BackendCommand.sharedSecretFile,
                ], run: set),
            Command("targets BUNDLE-ID", "where the app's server is notified") {
                try $0.send("GET", targets($0)) { (body: NotificationTargetsBody) in
                    body.targets.isEmpty
                        ? "its server has no address"
                        : body.targets.map(targetLine).joined(separator: "\n")
                }
            },
            Command("remove BUNDLE-ID", "stop notifying the app's server", [.environment]) {
                _ = try ControlClient($0).send("DELETE", target($0))
                if !$0.has("json") { Terminal.print("removed") }
            },
            Command("test BUNDLE-ID", "send a test notification", [.environment]) {
                try $0.send("POST", target($0) + "/test", nil, line)
            },
            Command(
                "send BUNDLE-ID TYPE", "send one of a service that the store does not have",
                [
                    .environment,
                    Option("transaction", "ID", "of a subscription"),
                    Option("account", "NAME", "the customer whose parents withdrew consent"),
                    Option(
                        "token", "ID", "an external purchase reported before; a new one when absent"
                    ),
                    Option("made", "TIME", "when the token was made; now when absent"),
                ],
                details: """
                    TYPE is METADATA_UPDATE, MIGRATION or PRICE_CHANGE (Advanced Commerce), which need
                    --transaction; RESCIND_CONSENT, which needs --account; or EXTERNAL_PURCHASE_TOKEN
                    with its subtype, as EXTERNAL_PURCHASE_TOKEN/CREATED, /ACTIVE_TOKEN_REMINDER or
                    /UNREPORTED. Nothing else in the store changes.
                    """,
                run: send),
            Command(
                "list", "every notification and how its delivery went, the newest first",
                [Option("bundle-id", "ID", "only those of this app")], run: list),
            Command("show NUMBER", "a notification, with what is sent") {
                try $0.send("GET", "/notifications/\(try number($0))") {
                    (body: SentNotificationBody) in
                    ([line(body.notification)] + body.notification.sendAttempts.map(attemptLine)
                        + [body.body].compactMap(\.self)).joined(separator: "\n")
                }
            },
            Command("resend NUMBER", "send it once more, with the same bytes") {
                try $0.send("POST", "/notifications/\(try number($0))/resend", nil, line)
            },
            Command("settle", "wait until all that are due were attempted") {
                try $0.send("POST", "/notifications/settle") { (body: SettledNotificationsBody) in
                    "\(body.due) due and not attempted, \(body.later) due later"
                }
            },
            Command(
                "disorder BUNDLE-ID", "spoil deliveries; without options, no longer",
                [
                    .environment, share("dropped", "attempts that are never sent"),
                    share("duplicated", "notifications that arrive twice"),
                    share("reordered", "notifications that wait for a later one"),
                    share("delayed", "notifications that wait for up to --delay"),
                    Option("delay", "AMOUNT", "of the world's time, as 90s, 15m, 12h or 7d"),
                    Option("seed", "N", "decides which; 0 when absent"),
                ], run: disorder),
            Command(
                "listen", "be a server: print notifications, and verify them",
                [
                    Option("host", "ADDRESS", "of this machine; 127.0.0.1 when absent"),
                    Option("port", "PORT", "a free one when absent"),
                    .dataRoot,
                    Option("status", "N", "answer so, as 500 for retries; 200 when absent"),
                ], run: listen),
        ])

    // MARK: - Requests

    private static func targets(_ arguments: Arguments) -> String {
        "/apps/\(ServerClient.escaped(arguments["BUNDLE-ID"]))/notification-targets"
    }

    private static func target(_ arguments: Arguments) -> String {
        "\(targets(arguments))/\(arguments.environment.rawValue)"
    }

    private static func number(_ arguments: Arguments) throws -> String {
        let text = arguments["NUMBER"]
        guard let number = Int64(text), number > 0 else {
            throw UsageError("NUMBER must be the number of a notification, not \(text)")
        }
        return "\(number)"
    }

    private static func set(_ arguments: Arguments) throws {
        var body = SetNotificationTargetBody(url: arguments["ADDRESS"])
        body.version = arguments.value("version") == "1" ? .v1 : .v2
        body.allowsPrivateAddresses = arguments.has("private")
        body.certificateAuthority = try arguments.file("ca").map {
            String(decoding: $0, as: UTF8.self)
        }
        if body.version == .v1 {
            body.sharedSecret = try BackendCommand.sharedSecret(arguments)?.text
        }
        try arguments.send("PUT", target(arguments), body, targetLine)
    }

    private static func send(_ arguments: Arguments) throws {
        let parts = arguments["TYPE"].uppercased().split(separator: "/", maxSplits: 1)
        guard let type = parts.first.flatMap({ ServiceNotice(rawValue: String($0)) }) else {
            throw UsageError(
                "TYPE must be one of \(ServiceNotice.allCases.map(\.rawValue).joined(separator: ", ")), "
                    + "not \(arguments["TYPE"]); the others follow from what happens")
        }
        var body = SendNotificationBody(type)
        if parts.count > 1 {
            guard let subtype = ServiceNotice.Subtype(rawValue: String(parts[1])) else {
                throw UsageError(
                    "the subtypes of a token are "
                        + ServiceNotice.Subtype.allCases.map(\.rawValue).joined(separator: ", "))
            }
            body.subtype = subtype
        }
        body.transactionId = arguments.value("transaction")
        body.account = arguments.value("account")
        body.externalPurchaseId = arguments.value("token")
        body.tokenCreationDate = try arguments.moment("made")
        try arguments.send("POST", target(arguments) + "/notifications", body, line)
    }

    private static func list(_ arguments: Arguments) throws {
        let app = arguments.value("bundle-id").map { "&app=\(ServerClient.escaped($0))" } ?? ""
        try arguments.list(
            "/notifications", query: app, \.notifications, \.next, NotificationsBody.init,
            ["NUMBER", "APP", "ENVIRONMENT", "TYPE", "ACCOUNT", "SIGNED", "DELIVERY"]
        ) {
            [
                "\($0.number)", $0.bundleId, $0.environment.rawValue, name(of: $0),
                $0.account ?? "-", TimeWords.text($0.signedDate), delivery(of: $0),
            ]
        }
    }

    private static func share(_ name: String, _ meaning: String) -> Option {
        Option(name, "PERCENT", meaning)
    }

    private static func disorder(_ arguments: Arguments) throws {
        func share(_ name: String) throws -> Int? {
            try arguments.value(name).map { text in
                guard let share = Int(text), (0...100).contains(share) else {
                    throw UsageError("--\(name) must be 0 to 100, in percent, not \(text)")
                }
                return share
            }
        }
        var body = NotificationDisorderBody()
        body.dropped = try share("dropped")
        body.duplicated = try share("duplicated")
        body.reordered = try share("reordered")
        body.delayed = try share("delayed")
        body.delayMilliseconds = try arguments.value("delay").map {
            try TimeWords.milliseconds($0, for: "--delay")
        }
        body.seed = try arguments.value("seed").map { text in
            guard let seed = Int64(text) else {
                throw UsageError("--seed must be a whole number, not \(text)")
            }
            return seed
        }
        try arguments.send("PUT", target(arguments) + "/disorder", body, targetLine)
    }

    // MARK: - What is printed

    private static func targetLine(_ target: NotificationTargetBody) -> String {
        var parts = ["\(target.environment.rawValue): version \(target.version == .v1 ? 1 : 2)"]
        parts.append("to \(target.url)")
        if target.allowsPrivateAddresses { parts.append("(private addresses allowed)") }
        if target.disorder != nil { parts.append("(spoilt on purpose)") }
        if target.waiting > 0 { parts.append("\(target.waiting) to be delivered") }
        return parts.joined(separator: " ")
    }

    private static func line(_ body: NotificationBody) -> String {
        "\(body.number) \(name(of: body)) \(body.notificationUUID): \(delivery(of: body))"
    }

    private static func name(of body: NotificationBody) -> String {
        body.notificationType + (body.subtype.map { "/\($0)" } ?? "")
    }

    private static func delivery(of body: NotificationBody) -> String {
        let last = body.sendAttempts.last.map { word($0.sendAttemptResult) } ?? "not sent yet"
        let tries = body.sendAttempts.count > 1 ? " at attempt \(body.sendAttempts.count)" : ""
        let next = body.dueDate.map { ", next \(TimeWords.text($0))" } ?? ""
        return last + tries + next
    }

    private static func attemptLine(_ attempt: SendAttemptBody) -> String {
        "  \(TimeWords.text(attempt.attemptDate)) \(word(attempt.sendAttemptResult))"
    }

    private static func word(_ result: String) -> String {
        result.lowercased().replacing("_", with: " ")
    }

    // MARK: - Listening

    private static func listen(_ arguments: Arguments) throws {
        let status = try arguments.value("status").map { text in
            guard let status = Int(text), (200...599).contains(status) else {
                throw UsageError("--status must be 200 to 599, not \(text)")
            }
            return status
        }
        let isForPrograms = arguments.has("json")
        Signals.hold()
        let listener = try NotificationListener(
            host: try arguments.host() ?? "127.0.0.1", port: Int(try arguments.port(0)),
            roots: try arguments.dataRoots(), status: status ?? 200
        ) { show($0, isForPrograms: isForPrograms) }
        Terminal.note("bodega listens on \(listener.url)")
        Signals.wait()
        listener.stop()
        _exit(0)
    }

    private static func show(
        _ received: NotificationListener.Received, isForPrograms: Bool
    ) {
        if isForPrograms {
            var members: [JSONValue.Member] = []
            if let payload = received.payload { members.append(.init("payload", payload)) }
            if let refusal = received.refusal { members.append(.init("refusal", .string(refusal))) }
            let line = JSONValue.object(members).compactBytes
            return Terminal.print(String(decoding: line, as: UTF8.self), as: .json)
        }
        guard let name = received.name else {
            return Terminal.print("refused: \(received.refusal ?? "nothing could be read")")
        }
        let words = [name, received.environment, received.uuid].compactMap(\.self)
        Terminal.print(words.joined(separator: " ") + (received.uuid == nil ? " (version 1)" : ""))
    }
}
