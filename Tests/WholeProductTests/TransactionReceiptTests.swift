import Foundation
import StoreWire
import TestSupport
import Testing

/// Receipts of single transactions, from the app to the backend.
@Suite(.ownThreads) struct TransactionReceiptTests {
    @Test func `app, store and command line agree on a transaction receipt`() throws {
        let lab = try Lab.open()
        let bought = try lab.buyAndKeep([Lab.turbo, Lab.fuel])
        #expect(Set(bought.map(\.product)) == [Lab.turbo, Lab.fuel])
        for item in bought {
            let path = try lab.write(item.transactionReceipt, "own")
            let answer = try lab.bodega(
                ["receipt", "verify", path, "--url", lab.storeURL + "/sandbox"])
            #expect(answer.hasPrefix(#"{"receipt":{"#))
            #expect(answer.contains(#""transaction_id":"\#(item.transaction)""#))
            #expect(answer.hasSuffix(",\"status\":0}\n"))
            let away = try lab.bodega(
                ["receipt", "verify", path, "--url", lab.storeURL + "/production"], code: 1)
            #expect(away == "{\"status\":21007}\n")
        }
        let again = try lab.buyAndKeep([], before: 2)
        #expect(
            Set(again.map(\.transactionReceipt)) == Set(bought.map(\.transactionReceipt)))
    }

    @Test func `a purchase is granted once, whichever receipt style comes first`() throws {
        let lab = try Lab.open()
        let user = try lab.backendUser("driver")
        for (index, product) in [Lab.turbo, Lab.fuel, Lab.fuel].enumerated() {
            let item = try #require(try lab.buyAndKeep([product], before: index).last)
            #expect(item.product == product)
            let styles = [item.transactionReceipt, item.appReceipt]
            let order = index == 1 ? styles + styles : styles.reversed() + styles
            let outcomes = try order.map { try lab.submit($0, of: item, as: user) }
            #expect(
                outcomes.map(\.status)
                    == [.granted, .alreadyGranted, .alreadyGranted, .alreadyGranted])
            #expect(outcomes.allSatisfy { $0.content != nil })
            #expect(try lab.grantCount() == Int64(index + 1))
        }
        let other = try lab.backendUser("passenger")
        let item = try #require(try lab.buyAndKeep([], before: 3).last)
        let outcome = try lab.submit(item.transactionReceipt, of: item, as: other)
        #expect(outcome.reason == "ownedByAnotherUser")
    }

    @Test func `a purchase that its transaction receipt does not name is not granted`() throws {
        let lab = try Lab.open()
        let user = try lab.backendUser("driver")
        let bought = try lab.buyAndKeep([Lab.turbo, Lab.fuel])
        try #require(bought.count == 2)
        let (first, second) = (bought[0], bought[1])
        #expect(
            try lab.submit(first.transactionReceipt, of: second, as: user).reason
                == "transactionNotInReceipt")
        #expect(
            try lab.submit(first.transactionReceipt, of: first, version: "9", as: user).reason
                == "wrongVersion")
        let refused = try lab.submit(
            try withAlteredSignature(first.transactionReceipt), of: first, as: user)
        #expect(refused.reason == "storeRefused")
        #expect(refused.storeStatus == 21003)
        #expect(try lab.grantCount() == 0)
        #expect(try lab.submit(first.transactionReceipt, of: first, as: user).status == .granted)
    }

    /// The same receipt with one letter of its signature's base64 changed.
    private func withAlteredSignature(_ receipt: String) throws -> String {
        var text = [UInt8](try #require(Data(base64Encoded: receipt)))
        let key = Array(#""signature" = ""#.utf8)
        let start =
            try #require(
                text.indices.first { text[$0...].starts(with: key) }) + key.count
        text[start + 40] = text[start + 40] == 0x41 ? 0x42 : 0x41
        return Data(text).base64EncodedString()
    }

    @Test func `another app's receipt verifies at the store and is refused by the backend`() throws
    {
        let lab = try Lab.open()
        try lab.bodega([
            "catalog", "import", Lab.package + "/Examples/RocketCar/RocketCar.storekit",
            "--bundle-id", "com.example.second",
        ])
        let item = try #require(
            try lab.buyAndKeep(
                [Lab.turbo], device: "second",
                environment: ["STOREKIT_BUNDLE_ID": "com.example.second"]
            ).first)
        let path = try lab.write(item.transactionReceipt, "foreign")
        let answer = try lab.bodega(
            ["receipt", "verify", path, "--url", lab.storeURL + "/sandbox"])
        #expect(answer.contains(#""bid":"com.example.second""#))
        let outcome = try lab.submit(
            item.transactionReceipt, of: item, as: try lab.backendUser("driver"))
        #expect(outcome.reason == "wrongBundle")
        #expect(try lab.grantCount() == 0)
    }

    @Test(arguments: ["device-attempt-answered", "device-receipt-written"])
    func `a transaction returning after a crash has its receipt`(point: String) throws {
        let lab = try Lab.open()
        let none = try lab.buyAndKeepCrashing([Lab.fuel], at: point)
        #expect(none == 128 + SIGKILL)
        let item = try #require(try lab.buyAndKeep([], before: 1).first)
        #expect(item.product == Lab.fuel)
        let outcome = try lab.submit(
            item.transactionReceipt, of: item, as: try lab.backendUser("driver"))
        #expect(outcome.status == .granted)
        #expect(
            try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
    }

    @Test func `an older installation gets transaction keys and its old receipts stay valid`()
        throws
    {
        let lab = try Lab.open()
        let item = try #require(try lab.buyAndKeep([Lab.turbo]).first)
        let unified = try lab.write(item.appReceipt, "unified")
        lab.store?.kill()
        let keys = lab.storeData + "/keys"
        for name in try FileManager.default.contentsOfDirectory(atPath: keys)
        where name.contains("transaction") {
            try FileManager.default.removeItem(atPath: keys + "/" + name)
        }
        try lab.startStore()
        try lab.bodega(["receipt", "verify", unified, "--url", lab.storeURL + "/sandbox"])
        let again = try #require(try lab.buyAndKeep([], before: 1).first)
        #expect(again.transaction == item.transaction)
        #expect(again.transactionReceipt != item.transactionReceipt)
        let own = try lab.write(again.transactionReceipt, "own")
        try lab.bodega(["receipt", "verify", own, "--url", lab.storeURL + "/sandbox"])
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil))
    func `outside programs accept what an app received`() throws {
        let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
        let lab = try Lab.open()
        let item = try #require(try lab.buyAndKeep([Lab.fuel]).first)
        let path = try lab.write(item.transactionReceipt, "own")
        let keys = lab.storeData + "/keys"
        for arguments in [
            ["verify_endpoint.py", lab.storeURL, path],
            [
                "verify_transaction_receipt.py", keys + "/root-sandbox.pem",
                keys + "/transaction-authority-sandbox.pem", path, "--expect",
                "transaction-id=\(item.transaction)",
            ],
        ] {
            let program = try Program(
                python,
                ["\(Lab.package)/Tests/Verifiers/\(arguments[0])"] + arguments.dropFirst(),
                logs: lab.folder + "/logs")
            #expect(try program.wait() == 0, "\(program.output)\(program.errors)")
            #expect(program.output.contains("ok: "))
        }
    }
}
