import AppStoreServer
import Foundation
import StoreCaller
import StoreLog
import StoreModel
import StoreWire

/// `bodega server-api`
enum ServerAPICommand {
    private static let path = "/server-api/limits"

    static let command = Command(
        group: "server-api", "what apps' servers ask for, as Apple's App Store Server API",
        shared: Option.inWorld,
        commands: [
            Command(
                "get PATH", "ask as an app's server does, and verify what is signed in the answer",
                asking + [.environment, .dataRoot],
                details: """
                    PATH is that of Apple's documentation, with /inApps/v1 when it has none. The
                    answer is printed with the payloads in place of what is signed; with --json, as
                    the store sent it.
                    """,
                examples: [
                    "bodega server-api get /subscriptions/2000000000500001 --key key.p8 "
                        + "--bundle-id com.example.rocketcar",
                    "bodega server-api get '/inApps/v2/history/2000000000500001?sort=DESCENDING' "
                        + "--key key.p8 --bundle-id com.example.rocketcar",
                ], run: get),
            Command(
                "token", "print a token for requests, good for five minutes", asking,
                examples: [
                    "curl -H \"Authorization: Bearer $(bodega server-api token --key key.p8 "
                        + "--bundle-id com.example.rocketcar)\" "
                        + "http://127.0.0.1:8080/sandbox/inApps/v1/transactions/2000000000500001"
                ]
            ) {
                let token = try token($0)
                Terminal.print($0.has("json") ? "{\"token\":\"\(token)\"}" : token)
            },
            Command(
                "limits [on|off]", "limit requests as Apple does, or not; without a word, tell",
                [Option("hourly-max", "N", "at most N an hour, where Apple allows more")],
                details: """
                    Apple allows 50, 20, 10 or 1 a second, by endpoint, and a tenth in the sandbox,
                    and counts by the hour. Beyond that, requests get 429. Limits are off when the
                    store starts.
                    """,
                examples: [
                    "bodega server-api limits on --hourly-max 5", "bodega server-api limits off",
                ], run: limits),
        ])

    private static let asking = [
        Option.bundleID,
        Option("key", "FILE", "the app's private key, as offer-key make gave it", isRequired: true),
        Option("key-id", "ID", "its identifier; needed when the app has several keys"),
    ]

    /// Signed here: the private key goes nowhere.
    private static func token(_ arguments: Arguments) throws -> String {
        let key = try ServerKey(text: try arguments.file("key") ?? [])
        let path = try arguments.app() + "/offer-keys"
        let known = try WireJSON.decode(
            OfferKeysBody.self, from: try ControlClient(arguments).send("GET", path))
        let valid = known.keys.filter { $0.revokedAt == nil }.map(\.keyId)
        guard let issuer = known.issuerId, !valid.isEmpty else {
            throw Failure("the app has no valid key: make one with bodega offer-key make")
        }
        let id = arguments.value("key-id") ?? valid[0]
        guard valid.contains(id) else { throw Failure("the app has no valid key \(id)") }
        guard valid.count == 1 || arguments.has("key-id") else {
            throw UsageError(
                "the app has \(valid.count) valid keys: name that of the file with --key-id, "
                    + valid.joined(separator: " or "))
        }
        return try key.token(
            bundleID: try arguments.bundleID(), issuerID: issuer, keyID: id,
            at: WallClock.system.now())
    }

    private static func get(_ arguments: Arguments) throws {
        let word = arguments["PATH"]
        guard word.hasPrefix("/") else {
            throw UsageError("PATH \(word) must begin with /, such as /transactions/ID")
        }
        let answer = try ControlClient(arguments).ask(
            word.hasPrefix("/inApps/") ? word : "/inApps/v1" + word, in: arguments.environment,
            token: try token(arguments))
        let text = String(decoding: answer.body, as: UTF8.self)
        let json = try? JSONValue(parsing: answer.body)
        guard (200..<300).contains(answer.status) else {
            let told = json?["errorMessage"]?.string ?? text
            let number = json?["errorCode"].map {
                " \(String(decoding: $0.compactBytes, as: UTF8.self))"
            }
            throw Failure("the store answered \(answer.status)\(number ?? ""): \(told)")
        }
        guard let json else { return Terminal.print(text, as: .json) }
        do {
            let decoded = try SignedDataReader(roots: try arguments.dataRoots()).decoded(json)
            if arguments.has("json") { return Terminal.print(text, as: .json) }
            let lines = String(decoding: decoded.indentedBytes, as: UTF8.self)
            Terminal.print(lines.trimmingCharacters(in: .newlines), as: .json)
        } catch let refusal as SignedDataReader.Refusal {
            throw Failure("what is signed in the answer does not pass: \(refusal)")
        }
    }

    private static func limits(_ arguments: Arguments) throws {
        let hourlyMax = try arguments.count("hourly-max")
        guard let word = arguments.word("on|off") else {
            if hourlyMax != nil { throw UsageError("--hourly-max is for limits on") }
            return try arguments.send("GET", path, nil, text)
        }
        let isOn = word == "on"
        if !isOn, hourlyMax != nil { throw UsageError("--hourly-max is for limits on") }
        try arguments.send(
            "PUT", path, ServerAPILimitsBody(isOn: isOn, hourlyMax: hourlyMax), text)
    }

    private static func text(of body: ServerAPILimitsBody) -> String {
        guard body.isOn else { return "requests are not limited" }
        let most = body.hourlyMax.map { ", and to \($0) an hour" } ?? ""
        return "requests are limited as Apple's\(most)"
    }
}
