import Foundation
import StoreWire
import TestSupport
import Testing

/// The example app, the store and the backend, each in its own process.
@Suite(.ownThreads) struct PurchaseTests {
    @Test func `an app lists products, buys, receives and finishes`() throws {
        let lab = try Lab.open()
        let list = try lab.app(["list"])
        #expect(list.contains("product \(Lab.turbo) $2.99 Turbo"))
        let bought = try lab.app(["buy", Lab.turbo])
        let steps = ["purchasing", "purchased", "delivered", "unlocked", "finished"]
        let places = steps.map { bought.range(of: $0 + " " + Lab.turbo)?.lowerBound }
        #expect(
            places.allSatisfy { $0 != nil }
                && places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        #expect(bought.contains("unlocked \(Lab.turbo) receipt\n"), "the observer finds it there")
        #expect(try lab.app(["status"]).contains("turbo unlocked by receipt"))
        let fuel = try lab.app(["buy", Lab.fuel, "--quantity", "3"])
        try Audit(lab: lab).check(seen: Audit.seen(in: bought + fuel))
        #expect(try lab.app(["status"]).contains("fuel 300\n"))
    }

    @Test
    func `an owned feature is bought again for free, neither refused nor granted twice`()
        throws
    {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        let again = try lab.app(["buy", Lab.turbo])
        #expect(again.contains("finished \(Lab.turbo)"))
        #expect(
            try lab.count("SELECT count(*) FROM grants", in: lab.backendData + "/backend.sqlite")
                == 1)
        #expect(
            try lab.count(
                "SELECT sum(charged_milliunits) FROM store_transaction", in: lab.storeFile)
                == 2_990)
    }

    @Test func `a feature is unlocked from the receipt alone, and from user defaults without it`()
        throws
    {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        try FileManager.default.removeItem(atPath: lab.folder + "/phone-app")
        lab.store?.kill()
        lab.backend?.kill()
        #expect(try lab.app(["status"]).contains("turbo unlocked by receipt"))
        try FileManager.default.removeItem(atPath: lab.receiptPath())
        #expect(try lab.app(["status"]).contains("turbo unlocked by defaults"))
    }

    @Test func `cancelling on the sheet buys nothing and shows no failure`() throws {
        let lab = try Lab.open()
        let output = try lab.app(
            ["buy", Lab.fuel], environment: ["STOREKIT_SHEET": "cancel"], code: nil)
        #expect(output.contains("cancelled"))
        #expect(try lab.count("SELECT count(*) FROM attempt", in: lab.storeFile) == 0)
    }

    @Test func `an app without a store warns once and does not crash`() throws {
        let lab = try Lab.open()
        var environment = lab.appEnvironment()
        for name in environment.keys where name.hasPrefix("STOREKIT_") {
            environment[name] = nil
        }
        let program = try Program(
            "RocketCar", ["list"], environment: environment, logs: lab.folder + "/logs")
        #expect([0, 1].contains(try program.wait()))
        let warnings = program.errors.split(separator: "\n").filter { $0.hasPrefix("StoreKit:") }
        #expect(warnings.count == 1, "\(program.errors)")
        #expect(warnings.first?.contains("STOREKIT_URL") == true)
    }

    @Test func `a production purchase without credit is refused with a sentence`() throws {
        let lab = try Lab.open()
        try lab.bodega([
            "account", "add", "ada@example.com", "--password", "rocket-fuel-1",
            "--environment", "production",
        ])
        let output = try lab.app(
            ["buy", Lab.fuel],
            environment: [
                "STOREKIT_URL": lab.storeURL + "/production",
                "STOREKIT_ACCOUNT": "ada@example.com:rocket-fuel-1",
            ], code: nil)
        #expect(!output.contains("purchased "))
        #expect(output.contains("store credit lacks 0.99 USD"))
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 0)
    }

    @Test func `one payment added twice is charged and delivered twice`() throws {
        let lab = try Lab.open(withBackend: false)
        let payer = "payer@example.com"
        try lab.openProduction(payer, credit: "10")
        let environment = lab.appEnvironment().merging(lab.productionEnvironment) { $1 }
            .merging(["STOREKIT_ACCOUNT": "\(payer):rocket-fuel-1"]) { $1 }
        let program = try Program(
            "PurchaseProbe", ["--twice", "--emptied=2", Lab.fuel], environment: environment,
            logs: lab.folder + "/logs")
        #expect(try program.wait() == 0, "\(program.output)\(program.errors)")
        let told = Audit.seen(in: program.output)
        #expect(told.count == 2, "\(program.output)")
        let charges = try lab.charges()
        #expect(Set(charges.keys) == told && charges.values.allSatisfy { $0 == [990] })
        #expect(try lab.credit(of: payer) == 8_020)
    }

    @Test func `an app waits for a store that stops half-way`() throws {
        let lab = try Lab.open()
        lab.store?.kill()
        let buy = try lab.startApp(["buy", Lab.fuel])
        let home = lab.folder + "/phone/journal"
        #expect(eventually { FileManager.default.fileExists(atPath: home) })
        try lab.startStore()
        try buy.wait()
        let later = try lab.settle()
        try Audit(lab: lab).check(seen: Audit.seen(in: buy.output + later))
    }

    @Test func `an unfinished purchase reaches the account's other device`() throws {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo], device: "tablet")
        let phone = try lab.app(
            ["buy", Lab.fuel], device: "phone",
            environment: ["BODEGA_CRASH_POINT": "device-finish-called"], code: 128 + SIGKILL)
        let left = Audit.seen(in: phone)
        #expect(left.count == 1)
        let tablet = try lab.settle(device: "tablet")
        #expect(Audit.seen(in: tablet) == left)
        #expect(tablet.contains("finished \(Lab.fuel)"))
        #expect(
            try lab.count(
                "SELECT count(*) FROM store_transaction WHERE finished_ms IS NULL",
                in: lab.storeFile) == 0)
    }

    @Test func `everything works the same in a test session below its path`() throws {
        let lab = try Lab.open()
        try lab.bodega(["world", "make", "checkout"])
        try lab.bodega([
            "catalog", "import", Lab.package + "/Examples/RocketCar/RocketCar.storekit",
            "--bundle-id", Lab.bundleID, "--world", "checkout",
        ])
        try lab.bodega([
            "account", "add", "buyer@example.com", "--password", "rocket-fuel-1", "--world",
            "checkout", "--storefront", "DEU",
        ])
        let url = lab.storeURL + "/t/checkout/sandbox"
        let list = try lab.app(["list"], environment: ["STOREKIT_URL": url])
        #expect(list.contains("Rocket Fuel"))
        let output = try lab.app(["buy", Lab.fuel], environment: ["STOREKIT_URL": url], code: nil)
        #expect(Audit.seen(in: output).count == 1)
        let foreign = try lab.bodega(
            ["receipt", "verify", lab.receiptPath(), "--url", lab.storeURL + "/sandbox"], code: 1)
        #expect(foreign.contains("21003"))
        let own = try lab.bodega(["receipt", "verify", lab.receiptPath(), "--url", url])
        #expect(own.contains(#""status":0"#))
    }
}
