import Foundation
import StoreWire
import TestSupport
import Testing

/// A payment provider in a process of its own (`Tests/Provider/payment_provider.py`), which a lab's
/// store asks for money.
final class ProviderProgram {
    private static let secret = "rocket-secret-1"

    /// What every start is told to do badly: a JSON array of rules.
    var faults = "[]"
    private(set) var program: Program?
    private let folder: String
    private let seed: UInt64
    private let port = FreePort.next()
    private var starts: UInt64 = 0

    var book: String { folder + "/book.sqlite" }
    private var secretFile: String { folder + "/payment-secret" }
    private var url: String { "http://127.0.0.1:\(port)" }

    init(in folder: String, seed: UInt64 = 1) throws {
        self.folder = folder
        self.seed = seed
        try #require(
            FileManager.default.createFile(
                atPath: secretFile, contents: Data(Self.secret.utf8),
                attributes: [.posixPermissions: 0o600]))
        try start()
    }

    deinit { program?.kill() }

    /// What a store has to be told to ask it.
    var storeOptions: [String] {
        ["--payment-gateway", url, "--payment-secret-file", secretFile]
    }

    /// Starts it, always on the same port. Each start draws other chances of the same seed.
    func start(mustWait: Bool = true) throws {
        starts += 1
        let started = try Program(
            "/usr/bin/python3",
            [
                Lab.package + "/Tests/Provider/payment_provider.py", "--port", "\(port)",
                "--book", book, "--secret-file", secretFile, "--faults", faults,
                "--seed", "\(seed &+ starts)",
            ], logs: folder + "/logs")
        program = started
        guard mustWait else { return }
        let line = "listens on http://127.0.0.1:\(port)\n"
        _ = eventually { started.output.contains(line) || !started.isRunning }
        try #require(
            started.output.contains(line),
            "the provider did not start: \(started.output)\(started.errors)")
    }

    func kill() { program?.kill() }

    /// Does everything well from now on, also after another start.
    func heal() throws {
        faults = "[]"
        if program?.isRunning == true { kill() }
        try start()
    }

    /// Rules for what it does badly from now on, until it is started again.
    func set(faults rules: String) throws {
        let answer = try Lab.call(
            "POST", url + "/-/faults", token: Self.secret,
            body: Array(#"{"faults":\#(rules)}"#.utf8))
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    /// Lets the requests go on that a fault holds back.
    func release() throws {
        let answer = try Lab.call("POST", url + "/-/release", token: Self.secret, body: [])
        try #require(answer.status == 200)
    }

    private struct Shown: Decodable {
        let waiting: Int
        let counts: [String: Int]
    }

    private func shown() throws -> Shown {
        let answer = try Lab.call("GET", url + "/-/faults", token: Self.secret)
        return try JSONDecoder().decode(Shown.self, from: Data(answer.body))
    }

    /// How many requests a fault holds back just now.
    func heldCount() throws -> Int { try shown().waiting }

    /// How often each fault happened since the start.
    func faultCounts() throws -> [String: Int] { try shown().counts }
}

extension Lab {
    /// A lab whose store asks a payment provider for what real accounts lack.
    static func openWithProvider(
        seed: UInt64 = 1, withBackend: Bool = true
    ) throws -> (lab: Lab, provider: ProviderProgram) {
        let lab = try open(withBackend: withBackend)
        let provider = try ProviderProgram(in: lab.folder, seed: seed)
        lab.storeOptions = provider.storeOptions
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore()
        return (lab, provider)
    }

    /// Makes a real account that has no credit.
    func openCardAccount(_ account: String) throws {
        try bodega([
            "account", "add", account, "--password", "rocket-fuel-1",
            "--environment", "production",
        ])
    }

    /// Takes a purchase back; false when the store did not say that it did.
    func takeBack(_ transaction: String) -> Bool {
        let token = try? String(contentsOfFile: storeData + "/control-token", encoding: .utf8)
        let answer = try? Self.call(
            "POST", "\(storeURL)/control/v1/transactions/\(transaction)/revoke",
            token: token?.trimmingCharacters(in: .whitespacesAndNewlines),
            body: Array(#"{"reason":"issue"}"#.utf8))
        return answer?.status == 200
    }

    /// How much is on its way between store and provider.
    func openPayments() throws -> Int64 {
        try count(
            """
            SELECT (SELECT count(*) FROM payment
                    WHERE state IN ('authorizing', 'capturing', 'voiding'))
                + (SELECT count(*) FROM payment_refund WHERE state = 'refunding')
            """, in: storeFile)
    }

    /// Waits until nothing is on its way between store and provider; how much is left.
    func waitForPayments() throws -> Int64 {
        // What was asked for often in vain is asked for again only after minutes.
        let deadline = Date().addingTimeInterval(Self.paymentSecondsMax)
        while Date() < deadline {
            if try openPayments() == 0 { return 0 }
            usleep(20_000)
        }
        return try openPayments()
    }

    private static var paymentSecondsMax: Double { 400 }
}

extension Auditor {
    /// What store and provider disagree about; neither may run.
    static func disagreements(
        of lab: Lab, with provider: ProviderProgram, settled: Bool
    ) throws -> [String] {
        let program = try Program(
            "/usr/bin/python3",
            [Lab.package + "/Tests/Auditor/provider.py", lab.storeFile, provider.book]
                + (settled ? ["--settled"] : []), logs: lab.folder + "/logs")
        return try findings(of: program)
    }
}
