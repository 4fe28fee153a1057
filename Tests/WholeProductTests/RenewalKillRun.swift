import Foundation
import StoreModel
import StoreWire
import Testing

/// A store whose clock is moved on through the years is killed at moments that a seed chooses, or in the
/// middle of an advance, and started again; then the auditor of subscriptions judges what is on the
/// disk. In production a payment provider pays for every period, is killed as well, and is judged, too.
final class RenewalKillRun {
    let lab: Lab
    let seed: UInt64
    private let environment: StoreEnvironment
    private let provider: ProviderProgram?
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
    /// Every so many kills, one waits for a change that an advance of the clock has committed, and
    /// follows it at once: on a busy machine a store can be killed each time before it advances.
    private static let advanceEvery = 3
    private static let progressEvery = 10
    /// One in so many kills is of the provider.
    private static let providerOneIn: UInt64 = 6

    init(seed: UInt64, in environment: StoreEnvironment = .sandbox) throws {
        self.seed = seed
        self.environment = environment
        random = SplitMix(seed: seed)
        switch environment {
        case .sandbox: (lab, provider) = (try Lab.open(withBackend: false), nil)
        case .production:
            (lab, provider) = try Lab.openWithProvider(seed: seed &+ 2, withBackend: false)
        }
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
            lab: lab, seed: seed &+ 1, begin: Self.begin, accounts: Self.accounts,
            in: environment)
        let made = try owner.ask(
            "POST", "/apps/\(Lab.bundleID)/secrets", MakeSecretBody(overlapMilliseconds: nil))
        secret = try WireJSON.decode(MadeSecretBody.self, from: made.body).secret
        var tokens: [String: String] = [:]
        for account in Self.accounts {
            try lab.bodega([
                "account", "add", account, "--password", "rocket-fuel-1", "--environment",
                environment.rawValue,
            ])
            let token = try lab.signedInDevice(account: account, in: environment.rawValue)
            for product in Self.products {
                try Self.buy(product, on: lab, in: environment, token: token)
            }
            tokens[account] = token
        }
        self.tokens = tokens
        sold = try soldLines()
        try owner.makeFamily()
    }

    private static func buy(
        _ product: String, on lab: Lab, in environment: StoreEnvironment, token: String
    ) throws {
        let attempt = try WireJSON.encode(
            AttemptRequestBody(
                attemptId: UUID().uuidString, productId: "\(Lab.bundleID).\(product)",
                quantity: 1, applicationUsername: nil))
        // Who asks again learns what has become of it.
        let isDone = try eventually {
            let answer = try Lab.call(
                "POST", "\(lab.storeURL)/\(environment.rawValue)/device/v1/attempts",
                token: token, body: attempt)
            try #require(answer.status == 200)
            return try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).state == .done
        }
        try #require(isDone)
    }

    /// Kills so many times, lets the last advance come to its end, and looks.
    func run(kills: Int) throws -> [String] {
        try provider?.set(faults: ProviderFaults.renewals)
        provider?.faults = ProviderFaults.renewals
        owner.start()
        for number in 1...kills {
            try killOne(meetsAdvance: number % Self.advanceEvery == 0)
            if number % Self.progressEvery == 0 || number == kills { report(number, of: kills) }
        }
        try #require(eventually { (try? Lab.call("GET", lab.storeURL + "/ready"))?.status == 200 })
        try provider?.heal()
        owner.stop()
        if provider != nil { try #require(try lab.waitForPayments() == 0) }
        for account in Self.accounts { try keepAnswer(of: account) }
        let told = sold + owner.lines.map { $0 + "\n" }.joined()
        try Data(told.utf8).write(
            to: URL(fileURLWithPath: lab.folder + "/world/audit/told.txt"))
        lab.store?.terminate()
        try lab.store?.wait()
        provider?.kill()
        let disagreements = try provider.map {
            try Auditor.disagreements(of: lab, with: $0, settled: true)
        }
        return troubles + (try audit()) + (disagreements ?? [])
    }

    private var isUp: Bool { lab.store?.output.contains("listens on") == true }

    private func killOne(meetsAdvance: Bool) throws {
        if meetsAdvance {
            waitForAdvance()
            return try killStore()
        }
        let isQuick = random.next(below: Self.quickOneIn) == 0
        if !isQuick { _ = eventually { isUp || lab.store?.isRunning != true } }
        let wait = isQuick ? Self.quickMicrosecondsMax : Self.waitMicrosecondsMax
        usleep(UInt32(random.next(below: wait)))
        if let provider, random.next(below: Self.providerOneIn) == 0 {
            provider.kill()
            try provider.start()
        } else {
            try killStore()
        }
    }

    /// Returns when an advance has committed something since it was first seen under way, with the store
    /// standing still in it, or when none will come.
    private func waitForAdvance() {
        var seen: (advance: Int, newest: Int64)?
        let hasCome = eventually {
            if lab.store?.isRunning != true || owner.isAtEnd { return true }
            guard isUp, let advance = owner.advanceUnderWay, let newest = try? owner.newestEvent()
            else { return false }
            if let seen, seen.advance == advance {
                guard newest > seen.newest else { return false }
                // Or it might end before the kill.
                lab.store?.freeze()
                if owner.advanceUnderWay == advance { return true }
                lab.store?.goOn()
                return false
            }
            seen = (advance, newest)
            return false
        }
        if !hasCome { troubles.append("no advance was seen to commit, \(owner.now)") }
    }

    private func killStore() throws {
        guard let store = lab.store else { return }
        if !store.isRunning {
            troubles.append("the store ended by itself: \(store.output)\(store.errors)")
        } else if !isUp {
            startsInterrupted += 1
        } else if owner.advanceUnderWay != nil {
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
            "GET", "\(lab.storeURL)/\(environment.rawValue)/device/v1/receipt",
            token: tokens[account])
        try #require(receipt.status == 200)
        let text = Data(receipt.body).base64EncodedString()
        let answer = try Lab.call(
            "POST", "\(lab.storeURL)/\(environment.rawValue)/verifyReceipt",
            body: Array(#"{"receipt-data":"\#(text)","password":"\#(secret)"}"#.utf8),
            answerBytesMax: 256 << 20)
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
                lab.storeFiles + "/keys/root-\(environment.rawValue).pem", lab.folder + "/world",
            ], logs: lab.folder + "/logs")
        return try Auditor.findings(of: program, secondsMax: 600)
    }
}
