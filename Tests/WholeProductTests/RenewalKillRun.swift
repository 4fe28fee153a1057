import Foundation
import StoreModel
import StoreWire
import Testing

/// A store whose clock is moved on through the years is killed at moments that a seed chooses, and
/// started again; then the auditor of subscriptions judges what is on the disk.
final class RenewalKillRun {
    let lab: Lab
    let seed: UInt64
    private var random: SplitMix
    private let owner: RenewalOwner
    private let tokens: [String: String]
    private let secret: String
    /// What buyers were told of, as the auditor wants it.
    private var sold = ""
    private var startsInterrupted = 0
    /// Kills that met an advance of the clock.
    private(set) var advancesInterrupted = 0
    private var troubles: [String] = []

    private static let accounts = (0..<10).map { "fan\($0)" }
    private static let products = ["silver", "magazine"]
    private static let begin = Timestamp(seconds: 951_782_400)  // 29 February 2000
    /// The longest wait between a start and the next kill.
    private static let waitMicrosecondsMax: UInt64 = 400_000
    /// One in so many kills follows the last one at once, and so meets a start.
    private static let quickOneIn: UInt64 = 4
    private static let quickMicrosecondsMax: UInt64 = 80_000
    private static let progressEvery = 10

    init(seed: UInt64) throws {
        self.seed = seed
        random = SplitMix(seed: seed)
        lab = try Lab.open(withBackend: false)
        let audit = lab.folder + "/world/audit"
        try FileManager.default.createDirectory(
            atPath: audit + "/answers", withIntermediateDirectories: true)
        // All of it may be shared in a family.
        let catalogue = audit + "/catalogue.storekit"
        let text = try String(
            contentsOfFile: Lab.package + "/docs/lifecycle/fans.storekit", encoding: .utf8)
        let (unshared, shared) = (#""familyShareable" : false"#, #""familyShareable" : true"#)
        try Data(text.replacing(unshared, with: shared).utf8)
            .write(to: URL(fileURLWithPath: catalogue))
        try lab.bodega(["catalog", "import", catalogue, "--bundle-id", Lab.bundleID])
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "\(CalendarDate(Self.begin).rfc3339)"])
        owner = try RenewalOwner(
            lab: lab, seed: seed &+ 1, begin: Self.begin, accounts: Self.accounts)
        let made = try owner.ask(
            "POST", "/apps/\(Lab.bundleID)/secrets", MakeSecretBody(overlapMilliseconds: nil))
        secret = try WireJSON.decode(MadeSecretBody.self, from: made.body).secret
        var tokens: [String: String] = [:]
        for account in Self.accounts {
            try lab.bodega(["account", "add", account, "--password", "rocket-fuel-1"])
            let token = try lab.signedInDevice(account: account)
            for product in Self.products {
                let answer = try Lab.call(
                    "POST", lab.storeURL + "/sandbox/device/v1/attempts", token: token,
                    body: Array(
                        """
                        {"attemptId":"\(UUID().uuidString)","quantity":1,
                         "productId":"\(Lab.bundleID).\(product)"}
                        """.utf8))
                try #require(answer.status == 200)
            }
            tokens[account] = token
        }
        self.tokens = tokens
        sold = try soldLines()
        try owner.makeFamily()
    }

    /// Kills so many times, lets the last advance come to its end, and looks.
    func run(kills: Int) throws -> [String] {
        owner.start()
        for number in 1...kills {
            let isQuick = random.next(below: Self.quickOneIn) == 0
            if !isQuick { _ = eventually { isUp || lab.store?.isRunning != true } }
            usleep(
                UInt32(
                    random.next(
                        below: isQuick ? Self.quickMicrosecondsMax : Self.waitMicrosecondsMax)))
            try killStore()
            if number % Self.progressEvery == 0 || number == kills { report(number, of: kills) }
        }
        try #require(eventually { (try? Lab.call("GET", lab.storeURL + "/ready"))?.status == 200 })
        owner.stop()
        for account in Self.accounts { try keepAnswer(of: account) }
        let told = sold + owner.lines.map { $0 + "\n" }.joined()
        try Data(told.utf8).write(
            to: URL(fileURLWithPath: lab.folder + "/world/audit/told.txt"))
        lab.store?.terminate()
        try lab.store?.wait()
        return troubles + (try audit())
    }

    private var isUp: Bool { lab.store?.output.contains("listens on") == true }

    private func killStore() throws {
        guard let store = lab.store else { return }
        if !store.isRunning {
            troubles.append("the store ended by itself: \(store.output)\(store.errors)")
        } else if !isUp {
            startsInterrupted += 1
        } else if owner.isAdvancing {
            advancesInterrupted += 1
        }
        store.kill()
        try lab.startStore(mustWait: false)
    }

    private func report(_ number: Int, of kills: Int) {
        let line =
            "seed \(seed): kill \(number) of \(kills) (\(startsInterrupted) during a start, "
            + "\(advancesInterrupted) during an advance), \(owner.now)\n"
        FileHandle.standardError.write(Data(line.utf8))
    }

    // MARK: - What the auditor reads

    /// What the first answers told of, as the auditor wants it: before any kill.
    private func soldLines() throws -> String {
        try SQLiteFile(lab.storeFile).rows(
            """
            SELECT name, store_transaction.id, product_id FROM store_transaction
            JOIN account ON account.id = account_id ORDER BY store_transaction.id
            """
        ).map { "bought \($0.joined(separator: " "))\n" }.joined()
    }

    private func keepAnswer(of account: String) throws {
        let receipt = try Lab.call(
            "GET", lab.storeURL + "/sandbox/device/v1/receipt", token: tokens[account])
        try #require(receipt.status == 200)
        let text = Data(receipt.body).base64EncodedString()
        let answer = try Lab.call(
            "POST", lab.storeURL + "/sandbox/verifyReceipt",
            body: Array(#"{"receipt-data":"\#(text)","password":"\#(secret)"}"#.utf8))
        try Data(answer.body).write(
            to: URL(fileURLWithPath: "\(lab.folder)/world/audit/answers/\(account).json"))
    }

    private func audit() throws -> [String] {
        try FileManager.default.copyItem(
            atPath: lab.storeFile, toPath: lab.folder + "/world/default.sqlite")
        let program = try Program(
            "/usr/bin/python3",
            [
                Lab.package + "/Tests/Auditor/subscriptions.py", "--root",
                lab.storeFiles + "/keys/root-sandbox.pem", lab.folder + "/world",
            ], logs: lab.folder + "/logs")
        let code = try program.wait(secondsMax: 600)
        let lines = program.output.split(separator: "\n").map(String.init)
        switch code {
        case 0:
            FileHandle.standardError.write(Data(("auditor: " + program.output).utf8))
            return []
        case 1 where !lines.isEmpty: return lines
        default: return ["cannot-audit: \(program.output)\(program.errors)"]
        }
    }
}
