import CrashPoints
import Foundation
import StoreWire
import TestSupport
import Testing

/// Buying, restoring and reading receipts without an app, against a store that runs.
@Suite(.ownThreads) struct BuyCommandTests {
    private static let buyer = ["--account", "buyer@example.com"]

    /// A store on an empty data directory, with an imported catalogue and nothing else.
    private func newcomer() throws -> Lab {
        let lab = try Lab()
        try lab.startStore()
        try lab.bodega([
            "catalog", "import", Lab.package + "/Examples/RocketCar/RocketCar.storekit",
            "--bundle-id", Lab.bundleID,
        ])
        return lab
    }

    @Test func `three commands lead from a catalogue to a verified receipt`() throws {
        let lab = try newcomer()
        let receipt = lab.folder + "/receipt"
        try lab.bodega(["account", "add", "buyer@example.com", "--password", "rocket-fuel-1"])
        let bought = try lab.bodega(["buy", Lab.turbo] + Self.buyer + ["--receipt", receipt])
        #expect(bought.contains("buyer@example.com bought 1 × \(Lab.turbo): transaction "))
        let shown = try lab.bodega(["receipt", "show", receipt])
        #expect(shown.hasPrefix("receipt of an app, authentic: sandbox, world "))
        #expect(shown.contains("Bundle Identifier") && shown.contains(Lab.bundleID))
        #expect(shown.contains("1702") && shown.contains(Lab.turbo))
        // The outside judge agrees.
        let asked = ["receipt", "verify", receipt, "--url", lab.storeURL + "/sandbox"]
        #expect(try lab.bodega(asked).contains(#""status":0"#))
        let present = try lab.bodega(["receipt", "show", "--json"] + Self.buyer)
        let body = try WireJSON.decode(ExplainedReceiptBody.self, from: Array(present.utf8))
        #expect(body.verdict.isAuthentic && body.purchases.count == 1)
    }

    @Test func `an altered receipt is shown, and ends with 1`() throws {
        let lab = try Lab.open(withBackend: false)
        let path = lab.folder + "/receipt"
        try lab.bodega(["buy", Lab.fuel] + Self.buyer + ["--receipt", path])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.firstRange(of: Data(Lab.fuel.utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let shown = try lab.bodega(["receipt", "show", path], code: 1)
        #expect(shown.hasPrefix("receipt of an app, NOT authentic (status 21003): "), "\(shown)")
        #expect(shown.contains("bom.example.rocketcar.fuel"))
        #expect(try lab.bodega(["receipt", "show", "/absent"], code: 1).contains("cannot read"))
        let catalogue = Lab.package + "/Examples/RocketCar/RocketCar.storekit"
        _ = try lab.bodega(["receipt", "show", catalogue], code: 1)
        // A file of signed data ends with a line break, as others do.
        try Data("eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.AAAA\n".utf8)
            .write(to: URL(fileURLWithPath: path))
        let signed = try lab.bodega(["receipt", "show", path], code: 1)
        #expect(
            signed.hasPrefix("signed data, NOT authentic (status 21002): The JWS cannot be read:"),
            "\(signed)")
        #expect(signed.contains("not reached"))
    }

    @Test(arguments: [
        CrashPoint.storePurchaseCharged, .storePurchaseCommitted, .storeFinishCommitted,
    ])
    func `a purchase whose answer was lost is repeated and charged once`(point: CrashPoint) throws {
        let lab = try Lab.open(withBackend: false)
        try lab.openProduction("payer@example.com", credit: "10")
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": point.rawValue])
        let buy = [
            "buy", Lab.fuel, "--account", "payer@example.com", "--environment", "production",
            "--finish",
        ]
        let lost = try lab.bodega(buy, code: 1)
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        let id = try #require(lost.firstMatch(of: /--request-id ([0-9A-F-]{36})/)?.1, "\(lost)")
        try lab.startStore()
        let again = try lab.bodega(buy + ["--request-id", String(id)])
        #expect(again.hasSuffix(", finished\n"))
        #expect(try lab.bodega(buy + ["--request-id", String(id)]) == again)
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
        #expect(try lab.charges().values.map { $0 } == [[990]])
        #expect(try lab.credit(of: "payer@example.com") == 9_010)
        let other = try lab.bodega(
            ["buy", Lab.turbo] + buy.dropFirst(2) + ["--request-id", String(id)], code: 1)
        #expect(other.contains("attempt id was used before"), "\(other)")
    }

    @Test func `what a device is told is what the command says`() throws {
        let lab = try Lab.open(withBackend: false)
        try lab.bodega([
            "account", "add", "child", "--password", "rocket-fuel-1", "--needs-approval",
        ])
        let id = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"
        let ask = ["buy", Lab.turbo, "--account", "child", "--request-id", id, "--finish"]
        #expect(try lab.bodega(ask).contains("waits for approval (bodega ask-to-buy list)"))
        let early = try lab.bodega(ask + ["--receipt", lab.folder + "/none"], code: 1)
        #expect(early.contains("there is no receipt yet"))
        #expect(!FileManager.default.fileExists(atPath: lab.folder + "/none"))
        try lab.bodega(["ask-to-buy", "approve", "1"])
        #expect(try lab.bodega(ask).hasSuffix(", finished\n"))
        try lab.bodega(["account", "lock", "child", "--reason", "Homework."])
        #expect(try lab.bodega(ask, code: 1).contains("This account is locked: Homework."))
        try lab.openProduction("poor", credit: "0.5")
        let poor = try lab.bodega(
            ["buy", Lab.turbo, "--account", "poor", "--environment", "production", "--json"],
            code: 1)
        #expect(poor.contains(#""code":"insufficientCredit""#), "\(poor)")
    }

    @Test func `a receipt that cannot be kept is said before or with the purchase`() throws {
        let lab = try Lab.open(withBackend: false)
        let buy = ["buy", Lab.fuel] + Self.buyer + ["--receipt"]
        for (path, reason) in [
            (lab.folder + "/absent/receipt", "No such file or directory"),
            (lab.folder, "Is a directory"),
        ] {
            let said = try lab.bodega(buy + [path], code: 1)
            #expect(said.contains("cannot write \(path): \(reason)"), "\(said)")
        }
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 0)
        let long = lab.folder + "/" + String(repeating: "r", count: 300)
        let said = try lab.bodega(buy + [long], code: 1)
        #expect(said.contains("File name too long"), "\(said)")
        #expect(said.contains("bought 1 × \(Lab.fuel): transaction "), "\(said)")
        let id = try #require(said.firstMatch(of: /--request-id ([0-9A-F-]{36})/)?.1, "\(said)")
        let path = lab.folder + "/receipt"
        try lab.bodega(buy + [path, "--request-id", String(id)])
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
    }

    @Test func `a misspelt product, account or subscription gets the nearest one`() throws {
        let lab = try Lab.open(withBackend: false)
        for (typed, meant) in [
            (["buy", "com.example.rocketcar.tubro"] + Self.buyer, Lab.turbo),
            (["buy", Lab.turbo, "--account", "byer@example.com"], "buyer@example.com"),
            (
                [
                    "subscription", "new", "com.example.rocketcar.clubs", "--state", "active",
                    "--account", "new",
                ], Lab.club
            ),
        ] {
            let said = try lab.bodega(typed, code: 1)
            #expect(said.contains("(did you mean \(meant)?)"), "\(said)")
        }
        let far = try lab.bodega(
            ["buy", Lab.turbo, "--account", "nobody", "--username", "byer@example.com"], code: 1)
        #expect(!far.contains("did you mean"), "only the name that was sent counts: \(far)")
    }

    @Test func `purchases are restored and finished`() throws {
        let lab = try Lab.open(withBackend: false)
        #expect(try lab.bodega(["restore"] + Self.buyer) == "nothing to restore\n")
        try lab.bodega(["buy", Lab.turbo, "--finish"] + Self.buyer)
        let restored = try lab.bodega(["restore", "--finish"] + Self.buyer)
        #expect(restored.contains(Lab.turbo) && restored.contains("yes"), "\(restored)")
    }
}
