import Foundation
import TestSupport
import Testing

/// A device's settings, and accounts that come and go while an app runs.
@Suite(.ownThreads) struct DeviceSettingsTests {
    private let lab: Lab

    init() throws {
        lab = try Lab.open()
        try lab.bodega(["account", "add", "other@example.com", "--password", "rocket-fuel-1"])
        try lab.bodega([
            "account", "add", "real@example.com", "--password", "rocket-fuel-1",
            "--environment", "production",
        ])
    }

    private func settings(
        _ words: [String], in environment: String, code: Int32 = 0
    ) throws -> String {
        try lab.bodega(
            ["device"] + words + [
                "--home", "\(lab.folder)/phone", "--store-url", "\(lab.storeURL)/\(environment)",
                "--bundle-id", Lab.bundleID, "--app-version", "1.0",
            ], code: code)
    }

    private func status() throws -> String {
        try lab.bodega(["device", "status", "--home", "\(lab.folder)/phone"])
    }

    /// What the receipt file on the device holds, by the store's own answer.
    private func receiptHolds(_ product: String) throws -> Bool {
        try lab.bodega([
            "receipt", "verify", lab.receiptPath(), "--url", lab.storeURL + "/sandbox",
        ]).contains(product)
    }

    @Test
    func `a customer signs out of production, buys and signs in to a test account on the sheet`()
        throws
    {
        #expect(try status() == "this device is not registered with a store\n")
        let real = ["sign-in", "real@example.com", "--password", "rocket-fuel-1"]
        let test = ["sign-in", "buyer@example.com", "--password", "rocket-fuel-1"]
        #expect(try settings(real, in: "production").contains("real@example.com is signed in"))
        #expect(try status().contains("real@example.com is signed in, Production"))
        for environment in ["production", "sandbox"] {
            let refused = try settings(test, in: environment, code: 1)
            #expect(refused.contains("payment sheet"), "\(refused)")
        }
        #expect(try settings(real, in: "production").contains("real@example.com is signed in"))
        let wrong = ["sign-in", "real@example.com", "--password", "not-the-password"]
        #expect(try settings(wrong, in: "production", code: 1).contains("password"))
        #expect(try status().contains("real@example.com is signed in, Production"))
        #expect(try settings(["sign-out"], in: "production").contains("nobody is signed in"))
        #expect(try lab.app(["buy", Lab.turbo]).contains("finished \(Lab.turbo)"))
        #expect(try status().contains("buyer@example.com is signed in, Sandbox"))
    }

    @Test func `a running app sees only the transactions of the signed-in account`()
        throws
    {
        let first = try lab.buyAndKeep([Lab.turbo])
        let app = try Program(
            "PurchaseProbe", ["--keep", "--watch"], environment: lab.appEnvironment(),
            logs: lab.folder + "/logs")
        defer { app.kill() }
        func shows(_ queue: String) -> Bool {
            eventually {
                app.output.split(separator: "\n").last { $0.hasPrefix("queue") }
                    .map { $0 == "queue \(queue)" } ?? false
            }
        }
        #expect(shows("turbo"), "\(app.output)\(app.errors)")
        _ = try settings(["sign-out"], in: "sandbox")
        #expect(shows(""), "\(app.output)\(app.errors)")
        // The sheet that approves everything does not sign anybody back in by itself.
        #expect(try status().contains("nobody is signed in"))
        let other = ["STOREKIT_ACCOUNT": "other@example.com:rocket-fuel-1"]
        _ = try lab.buyAndKeep([Lab.fuel], environment: other)
        #expect(shows("fuel"), "\(app.output)\(app.errors)")
        #expect(try receiptHolds(Lab.fuel) && !receiptHolds(Lab.turbo))
        // The sheet's account is the first one again. With the other one still signed in, the app might
        // hear of its purchase first.
        _ = try settings(["sign-out"], in: "sandbox")
        _ = try lab.buyAndKeep([Lab.fuel], before: 1)
        #expect(shows("fuel turbo"), "\(app.output)\(app.errors)")
        #expect(try receiptHolds(Lab.fuel) && receiptHolds(Lab.turbo))
        #expect(!app.output.contains("removed"), "nothing was finished")
        let number = try #require(first.first?.transaction)
        let told = app.output.components(separatedBy: "purchased \(Lab.turbo) \(number)\n")
        #expect(told.count == 3, "at its launch, and when its account came back")
    }
}
