import Foundation
import StoreWire
import Testing

/// A lab with something to lose: a buyer with a purchase and a receipt, a second account, app,
/// device and world, and a user of the backend.
final class HostileLab {
    let lab: Lab
    private(set) var values: [String: String] = [:]

    static let device = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
    static let secondDevice = "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"
    static let attempt = "1B4E28BA-2FA1-11D2-883F-0016D3CCA427"
    static let otherApp = "com.example.other"

    init(storeOptions: [String] = []) throws {
        lab = try Lab.open(storeOptions: storeOptions)
        try lab.bodega(["account", "add", "second@example.com", "--password", "rocket-fuel-2"])
        for arguments in [["--bundle-id", Self.otherApp], ["--bundle-id", Lab.bundleID]] {
            try lab.bodega(
                ["catalog", "import", Lab.package + "/Examples/RocketCar/RocketCar.storekit"]
                    + arguments)
        }
        try openOtherWorld()
        let store = lab.storeURL + "/sandbox/device/v1"
        values["CONTROL"] = try String(
            contentsOfFile: lab.storeData + "/control-token", encoding: .utf8
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        values["TOKEN"] = try signIn(store, Self.device)
        values["SECOND"] = try signIn(store, Self.secondDevice)
        values["ACCOUNT"] = try signIn(
            store, UUID().uuidString, account: "second@example.com", password: "rocket-fuel-2")
        values["OTHERAPP"] = try signIn(store, UUID().uuidString, app: Self.otherApp)
        values["NOBODY"] = try register(store, UUID().uuidString)
        values["FOREIGN"] = try signIn(
            lab.storeURL + "/t/other/sandbox/device/v1", Self.device)
        let bought = try buy(store, "TOKEN", Self.attempt)
        values["TRANSACTION"] = bought
        values["RECEIPT"] = try receipt(store, "TOKEN")
        values["OTHERTRANSACTION"] = try buy(store, "OTHERAPP", UUID().uuidString)
        values["OTHERAPPRECEIPT"] = try receipt(store, "OTHERAPP")
        let other = lab.storeURL + "/t/other/sandbox/device/v1"
        _ = try buy(other, "FOREIGN", UUID().uuidString)
        values["FOREIGNRECEIPT"] = try receipt(other, "FOREIGN")
        try endTokens(store)
        try openBackend()
    }

    private func openOtherWorld() throws {
        try lab.bodega(["world", "make", "other"])
        try lab.bodega([
            "catalog", "import", Lab.package + "/Examples/RocketCar/RocketCar.storekit",
            "--bundle-id", Lab.bundleID, "--world", "other",
        ])
        try lab.bodega([
            "account", "add", "buyer@example.com", "--password", "rocket-fuel-1", "--world",
            "other",
        ])
    }

    /// One token that expired and one that a sign-out revoked.
    private func endTokens(_ store: String) throws {
        values["EXPIRED"] = try signIn(store, UUID().uuidString)
        let digest = "(SELECT max(rowid) FROM device_token)"
        _ = try SQLiteFile(lab.storeFile).rows(
            "UPDATE device_token SET expires_real_ms = 1 WHERE rowid = \(digest)")
        values["REVOKED"] = try signIn(store, UUID().uuidString)
        let out = try Lab.call("POST", store + "/sign-out", token: values["REVOKED"], body: [])
        try #require(out.status == 200)
    }

    private func openBackend() throws {
        for (name, key) in [("driver", "USER"), ("second", "SECONDUSER")] {
            let answer = try Lab.call(
                "POST", lab.backendURL + "/v1/users",
                body: Array(#"{"name":"\#(name)","password":"steering-wheel-1"}"#.utf8))
            try #require(answer.status == 201)
            values[key] = try JSONValue(parsing: answer.body)["token"]?.string
        }
    }

    /// A subscription that renewed and was extended as often as a year allows, a copy that a family
    /// member has, an app transaction, and keys of both apps for the App Store Server API, on a clock
    /// that stands still.
    func openServerAPI() throws {
        try lab.bodega(["clock", "hold"])
        for (app, name) in [(Lab.bundleID, "key"), (Self.otherApp, "other-key")] {
            let made = try lab.bodega(["offer-key", "make", "--bundle-id", app])
            try Data(made.utf8).write(to: URL(fileURLWithPath: "\(lab.folder)/\(name).p8"))
        }
        try renewServerTokens()
        let subscription = try buy(Lab.club)
        values["SUBSCRIPTION"] = subscription
        try lab.bodega(["clock", "advance", "1m"])
        let renewed = try lab.bodega(["subscription", "renew", subscription, "--json"])
        values["RENEWAL"] = try #require(
            JSONValue(parsing: Array(renewed.utf8))["transactionId"]?.string)
        for _ in 1...2 { try lab.bodega(["subscription", "extend", subscription, "1"]) }
        _ = try buy("\(Lab.bundleID).moontrack")
        try lab.bodega(["family", "make", "buyer@example.com"])
        try lab.bodega(["family", "add", "1", "second@example.com"])
        values["SHARED"] = try firstTransaction(of: "second@example.com")
        try openMissingCustomers()
        let shown = try lab.bodega([
            "account", "app-transaction", "buyer@example.com", "--bundle-id", Lab.bundleID,
            "--json",
        ])
        values["APPTRANSACTION"] = try #require(
            JSONValue(parsing: Array(shown.utf8))["appTransactionId"]?.string)
    }

    /// A family member who never had the app on a device, and one who deleted the account.
    private func openMissingCustomers() throws {
        try lab.bodega(["account", "add", "third@example.com", "--password", "rocket-fuel-3"])
        try lab.bodega(["family", "add", "1", "third@example.com"])
        values["APPLESS"] = try firstTransaction(of: "third@example.com")
        try lab.bodega(["account", "add", "fourth@example.com", "--password", "rocket-fuel-4"])
        values["DELETED"] = try buy(Lab.turbo, as: "fourth@example.com")
        try lab.bodega(["account", "delete", "fourth@example.com", "--yes"])
    }

    private func firstTransaction(of account: String) throws -> String {
        let sold = try lab.bodega(["transaction", "list", "--account", account, "--json"])
        return try #require(
            JSONValue(parsing: Array(sold.utf8))["transactions"]?.array?.first?["transactionId"]?
                .string)
    }

    /// Tokens for five minutes.
    func renewServerTokens() throws {
        for (app, key, name) in [
            (Lab.bundleID, "key", "JWT"), (Self.otherApp, "other-key", "OTHERJWT"),
        ] {
            values[name] = try lab.bodega([
                "server-api", "token", "--bundle-id", app, "--key", "\(lab.folder)/\(key).p8",
            ]).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    // MARK: - Steps

    func register(_ store: String, _ guid: String, app: String = Lab.bundleID) throws -> String {
        let answer = try Lab.call(
            "POST", store + "/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(guid: guid, bundleId: app, appVersion: "1.0")))
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
    }

    func signIn(
        _ store: String, _ guid: String, app: String = Lab.bundleID,
        account: String = "buyer@example.com", password: String = "rocket-fuel-1"
    ) throws -> String {
        let answer = try Lab.call(
            "POST", store + "/sign-in", token: try register(store, guid, app: app),
            body: try WireJSON.encode(SignInBody(account: account, password: password)))
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
    }

    private func buy(_ store: String, _ token: String, _ attempt: String) throws -> String {
        let answer = try Lab.call(
            "POST", store + "/attempts", token: values[token],
            body: try WireJSON.encode(
                AttemptRequestBody(
                    attemptId: attempt, productId: Lab.turbo, quantity: 1,
                    applicationUsername: nil)))
        let body = try WireJSON.decode(AttemptAnswerBody.self, from: answer.body)
        return try #require(body.transaction?.transactionId)
    }

    /// By the command; the transaction's number.
    private func buy(
        _ product: String, as account: String = "buyer@example.com"
    ) throws -> String {
        let bought = try lab.bodega([
            "buy", product, "--account", account, "--bundle-id", Lab.bundleID, "--json",
        ])
        return try #require(
            JSONValue(parsing: Array(bought.utf8))["transaction"]?["transactionId"]?.string)
    }

    private func receipt(_ store: String, _ token: String) throws -> String {
        let answer = try Lab.call("GET", store + "/receipt", token: values[token])
        try #require(answer.status == 200)
        return Data(answer.body).base64EncodedString()
    }

    // MARK: - What must not change

    /// Every row of a database but those of some tables, and without some columns, such as
    /// `device.app_version`.
    static func rows(of file: String, but changing: Set<String> = []) throws -> [String: [[String]]]
    {
        let database = try SQLiteFile(file)
        let tables = try database.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).map { $0[0] }.filter { !changing.contains($0) }
        return Dictionary(
            uniqueKeysWithValues: try tables.map { table in
                let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)')")
                let list = columns.map(\.[0]).filter { !changing.contains("\(table).\($0)") }
                    .map { "quote(\"\($0)\")" }.joined(separator: ", ")
                let found = try database.rows("SELECT \(list) FROM \(table)")
                return (table, found.sorted { $0.lexicographicallyPrecedes($1) })
            })
    }

    /// Sends each row to a port and gives what was sent and answered; after each of them, no row
    /// of the database differs and a new connection is answered.
    func transcript(
        of rows: [HostileRow], port: Int, database: String, but changing: Set<String> = [],
        isBounded: Bool = false
    ) throws -> String {
        var before = try Self.rows(of: database, but: changing)
        #expect(before.values.contains { !$0.isEmpty })
        var parts: [String] = []
        for row in rows {
            let outcome = try answer(to: row, port: port, isBounded: isBounded)
            parts.append("== \(row.name)\n-> \(row.shown)\n\(outcome.transcript)\n")
            let after = try Self.rows(of: database, but: changing)
            let changed = after.keys.filter { after[$0] != before[$0] }
            #expect(changed.isEmpty, "\(row.name) changed \(changed)")
            before = after
            let next = try HostileOutcome(.get("", "/health"), port: port, values)
            #expect(next.answer?.status == 200, "after \(row.name)")
        }
        return parts.joined(separator: "\n")
    }

    /// What becomes of a row. On a busy machine the largest may take longer than a server waits for
    /// its own answers; it says so then, and is asked again.
    private func answer(
        to row: HostileRow, port: Int, isBounded: Bool
    ) throws -> HostileOutcome {
        for _ in 0..<20 {
            let outcome = try answerOnce(to: row, port: port, isBounded: isBounded)
            guard outcome.transcript.contains(#""code":"notAnswered""#) else { return outcome }
        }
        return try answerOnce(to: row, port: port, isBounded: isBounded)
    }

    private func answerOnce(
        to row: HostileRow, port: Int, isBounded: Bool
    ) throws -> HostileOutcome {
        guard isBounded else { return try HostileOutcome(row, port: port, values) }
        return try expectLittleWork(row.name, port: port) {
            try HostileOutcome(row, port: port, values)
        }
    }
}

extension HostileLab {
    /// How long a server's threads may work on one request: a bomb that works takes minutes.
    private static let workSecondsMax = 20.0

    /// Expects the server at a port to do no more for it, however long it takes on a busy machine.
    func expectLittleWork<Value>(
        _ name: String, port: Int, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Value
    ) throws -> Value {
        let server = try #require(port == lab.backendPort ? lab.backend : lab.store)
        let before = try Self.processorSeconds(of: server)
        let value = try body()
        let took = try Self.processorSeconds(of: server) - before
        #expect(
            took < Self.workSecondsMax, "\(name) took \(took) s",
            sourceLocation: sourceLocation)
        return value
    }

    private static func processorSeconds(of program: Program) throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(program.processID)/stat", encoding: .utf8)
        // Behind the name, which may hold anything, the times are the 12th and 13th field.
        let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
        let ticks = try #require(Double(fields[11])) + #require(Double(fields[12]))
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

/// Compares a text with the golden file of that name; `GOLDEN_UPDATE=1` writes it.
func expectGolden(_ text: String, _ name: String) throws {
    let path = "\(Lab.package)/Tests/WholeProductTests/Golden/\(name).txt"
    if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return
    }
    let golden = String(
        decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    let (found, known) = (
        text.components(separatedBy: "\n== "), golden.components(separatedBy: "\n== ")
    )
    #expect(found.count == known.count, "\(name)")
    for (one, other) in zip(found, known) { #expect(one == other, "\(name)") }
}
