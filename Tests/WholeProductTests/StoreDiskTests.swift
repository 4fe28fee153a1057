import Foundation
import StoreWire
import TestSupport
import Testing

/// A store whose disk is full: it says so, promises nothing, and goes on when there is room.
@Suite(.enabled(if: SmallDisk.whyNot == nil, SmallDisk.comment), .ownThreads)
struct StoreDiskTests {
    /// More than a disk of 4 MiB ever holds.
    private static let takenMax = 5_000
    private static let signInsMax = 500

    /// A device that buys over raw requests.
    private struct Buyer {
        let base: String
        let token: String

        func buy(_ attempt: String) throws -> CallerAnswer {
            let body = AttemptRequestBody(
                attemptId: attempt, productId: Lab.fuel, quantity: 1, applicationUsername: nil)
            return CallerAnswer(
                try Lab.call(
                    "POST", base + "/device/v1/attempts", token: token,
                    body: try WireJSON.encode(body)))
        }

        func get(_ path: String) throws -> CallerAnswer {
            CallerAnswer(try Lab.call("GET", base + "/device/v1/" + path, token: token))
        }

        func signIn() throws -> CallerAnswer {
            CallerAnswer(
                try Lab.call(
                    "POST", base + "/device/v1/sign-in", token: token,
                    body: try WireJSON.encode(
                        SignInBody(account: "buyer@example.com", password: "rocket-fuel-1"))))
        }

        func verify(_ receipt: [UInt8]) throws -> String {
            let text = Data(receipt).base64EncodedString()
            let answer = try Lab.call(
                "POST", base + "/verifyReceipt", body: Array(#"{"receipt-data":"\#(text)"}"#.utf8))
            return String(decoding: answer.body, as: UTF8.self)
        }
    }

    private func buyer(in lab: Lab) throws -> Buyer {
        Buyer(base: lab.storeURL + "/sandbox", token: try lab.signedInDevice())
    }

    /// Buys until the store has refused so many for want of room; what it took and what it refused.
    ///
    /// The log's pages are used again once they are in the database, so a purchase may succeed after
    /// a refusal; but each needs room in the database, which cannot grow.
    private func buy(_ buyer: Buyer, untilRefused count: Int) throws -> (
        taken: [String], refused: [String]
    ) {
        var taken: [String] = []
        var refused: [String] = []
        while refused.count < count {
            let attempt = UUID().uuidString
            let answer = try buyer.buy(attempt)
            if answer.status == 200 {
                taken.append(attempt)
                try #require(taken.count < Self.takenMax, "the disk never became full")
            } else {
                try #require(answer.isRefusedForRoom, "\(answer.status) \(answer.text)")
                refused.append(attempt)
            }
        }
        return (taken, refused)
    }

    /// Signs in until the store refuses for want of room; a token that it gave is known.
    private func signInUntilRefused(_ buyer: Buyer) throws {
        for _ in 0..<Self.signInsMax {
            let answer = try buyer.signIn()
            guard answer.status == 200 else {
                #expect(answer.isRefusedForRoom, "\(answer.status) \(answer.text)")
                return
            }
            let token = try WireJSON.decode(DeviceSessionBody.self, from: answer.bytes).deviceToken
            #expect(try Buyer(base: buyer.base, token: token).get("transactions").status == 200)
        }
        Issue.record("sign-ins never ran out of room")
    }

    @Test func `a store on a full disk acknowledges nothing and continues when there is room`()
        throws
    {
        let lab = try Lab.open(storeKibibytes: 5_120)
        let disk = try #require(lab.storeDisk)
        let buyer = try buyer(in: lab)
        let first = UUID().uuidString
        #expect(try buyer.buy(first).status == 200)
        try disk.fill()
        let (taken, refused) = try buy(buyer, untilRefused: 21)
        try checkReading(buyer, lab: lab)
        disk.free()
        #expect(try Lab.call("GET", lab.storeURL + "/ready").status == 200)
        // At once and without a restart; half of the refused ones are asked again, twice.
        let asked = Array(refused.prefix(refused.count / 2))
        for attempt in asked + asked + [first] { #expect(try buyer.buy(attempt).status == 200) }
        try checkRecorded([first] + taken + asked, never: refused.dropFirst(asked.count), in: lab)
        try checkRestart(lab, buyer)
    }

    /// What needs no room works as ever.
    private func checkReading(_ buyer: Buyer, lab: Lab) throws {
        #expect(try buyer.get("updates?after=9999&wait=1").status == 200)
        #expect(try buyer.get("transactions").status == 200)
        let receipt = try buyer.get("receipt")
        #expect(receipt.status == 200)
        #expect(try buyer.verify(receipt.bytes).contains(#""status":0"#))
        let ready = try Lab.call("GET", lab.storeURL + "/ready")
        #expect(ready.status == 503)
        #expect(String(decoding: ready.body, as: UTF8.self).contains("diskFull"))
        try signInUntilRefused(buyer)
        // A session that could not be made is not there, and its name is free.
        let made = try lab.bodega(["world", "make", "later"], code: 1)
        #expect(made.contains("disk") || made.contains("could not write"), "\(made)")
        #expect(try !lab.bodega(["world", "list"]).contains("later"))
    }

    private func checkRecorded(
        _ sold: [String], never refused: some Collection<String>, in lab: Lab
    ) throws {
        let store = try SQLiteFile(lab.storeFile)
        let rows = try store.rows("SELECT attempt_id FROM store_transaction").map { $0[0] }
        #expect(rows.sorted() == sold.sorted(), "each once, and nothing that was refused")
        let attempts = Set(try store.rows("SELECT attempt_id FROM attempt").map { $0[0] })
        #expect(attempts.isDisjoint(with: refused))
        #expect(try store.rows("PRAGMA integrity_check") == [["ok"]])
    }

    private func checkRestart(_ lab: Lab, _ buyer: Buyer) throws {
        try lab.bodega(["world", "make", "later"])
        let count = try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)
        lab.store?.kill()
        try lab.startStore()
        #expect(try buyer.buy(UUID().uuidString).status == 200)
        #expect(
            try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == count + 1)
    }

    @Test func `concurrent buyers on a filling disk each learn what was recorded`()
        throws
    {
        let lab = try Lab.open(storeKibibytes: 5_120)
        let disk = try #require(lab.storeDisk)
        let buyer = try buyer(in: lab)
        try disk.fill()
        let outcomes = Shared<[String: Int]>([:])
        let failures = Shared<[String]>([])
        let base = buyer.base
        let token = buyer.token
        onThreads(8) { _ in
            let buyer = Buyer(base: base, token: token)
            var refusals = 0
            while refusals < 20, outcomes.value.count < 8_000 {
                let attempt = UUID().uuidString
                do {
                    let status = try buyer.buy(attempt).status
                    if status == 503 { refusals += 1 }
                    outcomes.update { $0[attempt] = status }
                } catch {
                    return failures.update { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.value.isEmpty, "\(failures.value)")
        #expect(Set(outcomes.value.values).isSubset(of: [200, 503]))
        #expect(outcomes.value.values.count { $0 == 503 } == 8 * 20, "each buyer was refused")
        disk.free()
        let sold = outcomes.value.filter { $0.value == 200 }.map(\.key)
        try checkRecorded(sold, never: outcomes.value.keys.filter { !sold.contains($0) }, in: lab)
        #expect(try buyer.buy(UUID().uuidString).status == 200)
    }

    @Test func `a start on a full disk ends with a sentence and the next one works`() throws {
        let lab = try Lab.open(storeKibibytes: 5_120)
        let disk = try #require(lab.storeDisk)
        try disk.fill()
        lab.store?.kill()
        let refused = try Program(
            "bodega", ["serve", "--data", lab.storeData, "--port", "\(lab.storePort)"],
            through: disk.prefix, logs: lab.folder + "/logs")
        let isUp = eventually { !refused.isRunning || refused.output.contains("listens on") }
        try #require(isUp)
        if refused.isRunning {
            // It needed no room to start; then it serves.
            #expect(try Lab.call("GET", lab.storeURL + "/health").status == 200)
            #expect(try Lab.call("GET", lab.storeURL + "/ready").status == 503)
            refused.kill()
        } else {
            #expect(try refused.wait() == 1)
            #expect(refused.errors.contains(lab.storeData), "\(refused.errors)")
        }
        disk.free()
        try lab.startStore()
        #expect(try Lab.call("GET", lab.storeURL + "/ready").status == 200)
    }
}
