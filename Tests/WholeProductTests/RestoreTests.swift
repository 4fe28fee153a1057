import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// Restoring, from the app to the backend.
@Suite(.ownThreads) struct RestoreTests {
    /// What an app heard of a transaction that was given back.
    struct Given: Hashable {
        let product: String
        let transaction: String
        let original: String
        /// In base64.
        let receipt: String
    }

    private static func given(in output: String) -> [Given] {
        let line =
            /restored ([^ ]+) ([0-9]+) of ([0-9]+) ([^ ]+) true\ntransaction-receipt ([^\n]+)/
        return output.matches(of: line).map {
            Given(
                product: String($0.1), transaction: String($0.2), original: String($0.3),
                receipt: String($0.5))
        }
    }

    private func probe(
        _ lab: Lab, _ arguments: [String], device: String, crash: String? = nil
    ) throws -> Program {
        var environment = lab.appEnvironment(device: device)
        environment["BODEGA_CRASH_POINT"] = crash
        return try Program(
            "PurchaseProbe", arguments, environment: environment, logs: lab.folder + "/logs")
    }

    private func restored(_ lab: Lab) throws -> Int64 {
        try lab.count(
            "SELECT count(*) FROM store_transaction WHERE restore_id IS NOT NULL",
            in: lab.storeFile)
    }

    @Test func `another device restores what is owned and the backend grants it once`() throws {
        let lab = try Lab.open()
        for product in [Lab.turbo, Lab.fuel, Lab.turbo] { try lab.app(["buy", product]) }
        let restored = try lab.app(["restore"], device: "tablet")
        let line = try #require(
            restored.firstMatch(of: /restored ([^ ]+) ([0-9]+) ([0-9]+)\n/), "\(restored)")
        #expect(line.1 == Lab.turbo)
        #expect(line.2 != line.3)
        for word in ["delivered", "unlocked", "finished"] {
            #expect(restored.contains("\(word) \(Lab.turbo)"), "\(restored)")
        }
        #expect(restored.contains("restore-finished"))
        #expect(try lab.app(["status"], device: "tablet").contains("turbo unlocked by receipt"))
        #expect(try lab.grantCount() == 2)
        #expect(
            try lab.count(
                "SELECT count(*) FROM submissions WHERE transaction_id = '\(line.2)'",
                in: lab.backendData + "/backend.sqlite") == 1)
        #expect(
            try lab.count(
                "SELECT sum(charged_milliunits) FROM store_transaction", in: lab.storeFile)
                == 2_990 + 990)
        #expect(!(try lab.settle()).contains("restored"))
    }

    @Test func `receipts of restored transactions verify and count as their originals`() throws {
        let lab = try Lab.open()
        let bought = try #require(try lab.buyAndKeep([Lab.turbo]).first)
        try probe(lab, ["--emptied=1"], device: "phone").wait()
        let program = try probe(lab, ["--keep", "--restore"], device: "tablet")
        try program.wait()
        let item = try #require(Self.given(in: program.output).first, "\(program.output)")
        #expect(item.original == bought.transaction)
        #expect(program.output.hasSuffix("restore finished\n"))
        let path = try lab.write(item.receipt, "own")
        let answer = try lab.bodega(
            ["receipt", "verify", path, "--url", lab.storeURL + "/sandbox"])
        #expect(answer.contains(#""transaction_id":"\#(item.transaction)""#))
        #expect(answer.contains(#""original_transaction_id":"\#(item.original)""#))
        #expect(!answer.contains("expires_date"))
        #expect(answer.hasSuffix(",\"status\":0}\n"))
        let user = try lab.backendUser("driver")
        let submitted = BoughtItem(
            product: item.product, transaction: item.transaction, appReceipt: "",
            transactionReceipt: item.receipt)
        #expect(try lab.submit(item.receipt, of: submitted, as: user).status == .granted)
        #expect(
            try lab.submit(bought.transactionReceipt, of: bought, as: user).status
                == .alreadyGranted)
        #expect(try lab.grantCount() == 1)
        let other = try lab.backendUser("passenger")
        #expect(
            try lab.submit(item.receipt, of: submitted, as: other).reason == "ownedByAnotherUser")
    }

    @Test func `an empty restore succeeds in both environments, or fails where configured`()
        throws
    {
        let lab = try Lab.open(withBackend: false)
        try lab.bodega([
            "account", "add", "real@example.com", "--password", "rocket-fuel-1", "--environment",
            "production",
        ])
        for environment in ["sandbox", "production"] {
            for (setting, end) in [(nil, "finished"), ("fail", "failed 0")] as [(String?, String)] {
                var variables = lab.appEnvironment(device: environment)
                variables["STOREKIT_URL"] = lab.storeURL + "/" + environment
                if environment == "production" {
                    variables["STOREKIT_ACCOUNT"] = "real@example.com:rocket-fuel-1"
                }
                variables["STOREKIT_EMPTY_RESTORE"] = setting
                let program = try Program(
                    "PurchaseProbe", ["--restore"], environment: variables,
                    logs: lab.folder + "/logs")
                #expect(try program.wait() == 0)
                #expect(program.output.hasSuffix("restore \(end)\n"), "\(program.errors)")
            }
        }
    }

    @Test func `a cancelled restore is reported as such and nothing returns`() throws {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        let output = try lab.app(
            ["restore"], environment: ["STOREKIT_SHEET": "cancel"], code: 1)
        #expect(output.contains("restore-cancelled"))
        #expect(try restored(lab) == 0)
    }

    struct Crash: CustomTestStringConvertible, Sendable {
        let point: CrashPoint
        /// How many are told as restored by the launch after it.
        let told: Int

        var testDescription: String { point.rawValue }
    }

    @Test(arguments: [
        Crash(point: .deviceRestoreAnswered, told: 2),
        Crash(point: .deviceReceiptWritten, told: 2),
        Crash(point: .deviceFinishCalled, told: 2),
        Crash(point: .deviceFinishWritten, told: 1),
    ])
    func `an app killed during a restore gets the rest at its next launch without an end`(
        row: Crash
    ) throws {
        let lab = try Lab.open()
        for product in [Lab.turbo, "com.example.rocketcar.moontrack"] {
            try lab.app(["buy", product])
        }
        let killed = try probe(
            lab, ["--restore"], device: "tablet", crash: row.point.rawValue)
        #expect(try killed.wait() == 128 + SIGKILL, "\(killed.output)\(killed.errors)")
        let next = try probe(lab, ["--emptied=\(row.told)"], device: "tablet")
        try next.wait()
        #expect(Self.given(in: next.output).count == row.told, "\(next.output)")
        #expect(!next.output.contains("restore "))
        #expect(try restored(lab) == 2)
        #expect(
            try lab.count(
                "SELECT count(*) FROM store_transaction WHERE finished_ms IS NULL",
                in: lab.storeFile) == 0)
        let quiet = try probe(lab, [], device: "tablet")
        try quiet.wait()
        #expect(!quiet.output.contains("restored"))
    }

    @Test func `a store killed after a restore gives the same transactions again`() throws {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": "store-restore-committed"])
        let program = try probe(lab, ["--restore"], device: "tablet")
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        try program.wait()
        #expect(program.output.contains("restore "), "\(program.output)")
        var given = Self.given(in: program.output)
        if given.isEmpty {
            // The store was back too late for the restore, not for what it gave back.
            let later = try probe(lab, ["--emptied=1"], device: "tablet")
            try later.wait()
            given = Self.given(in: later.output)
        }
        #expect(given.count == 1)
        #expect(try restored(lab) == 1)
    }

    @Test func `a restore of several pages is complete, even if the app is killed between them`()
        throws
    {
        let lab = try Lab.open()
        let count = RestoreRequestBody.transactionsMax + 20
        try stock(lab, count)
        let killed = try probe(
            lab, ["--keep", "--restore"], device: "tablet", crash: "device-restore-answered:2")
        #expect(try killed.wait() == 128 + SIGKILL, "\(killed.errors)")
        #expect(Self.given(in: killed.output).count == RestoreRequestBody.transactionsMax)
        #expect(!killed.output.contains("restore "))
        let next = try probe(lab, ["--keep", "--until=\(count)"], device: "tablet")
        try next.wait()
        let given = Self.given(in: next.output)
        #expect(Set(given.map(\.transaction)).count == count)
        #expect(Set(given.map(\.original)).count == count)
        #expect(!next.output.contains("restore "))
        let again = try probe(lab, ["--keep", "--restore"], device: "phone")
        try again.wait()
        #expect(Self.given(in: again.output).count == count)
        #expect(again.output.hasSuffix("restore finished\n"))
    }

    /// An account with so many products of its own, each bought and finished.
    private func stock(_ lab: Lab, _ count: Int) throws {
        let products = (0..<count).map { number in
            """
            {"displayPrice": "0.99", "familyShareable": false, "internalID": "A\(number)",
             "localizations": [], "productID": "com.example.part\(number)",
             "referenceName": "Part \(number)", "type": "NonConsumable"}
            """
        }
        let path = lab.folder + "/parts.storekit"
        let catalogue = """
            {"identifier": "5A1E7C41", "nonRenewingSubscriptions": [],
             "products": [\(products.joined(separator: ","))],
             "settings": {}, "subscriptionGroups": [], "version": {"major": 3, "minor": 0}}
            """
        try Data(catalogue.utf8).write(to: URL(fileURLWithPath: path))
        try lab.bodega(["catalog", "import", path, "--bundle-id", Lab.bundleID])
        let token = try lab.signedInDevice()
        let base = lab.storeURL + "/sandbox/device/v1"
        for number in 0..<count {
            let answer = try Lab.call(
                "POST", base + "/attempts", token: token,
                body: try WireJSON.encode(
                    AttemptRequestBody(
                        attemptId: UUID().uuidString, productId: "com.example.part\(number)",
                        quantity: 1, applicationUsername: nil)))
            let bought = try #require(
                try WireJSON.decode(AttemptAnswerBody.self, from: answer.body).transaction)
            let finished = try Lab.call(
                "POST", base + "/transactions/\(bought.transactionId)/finish", token: token)
            try #require(finished.status == 200)
        }
    }
}
