import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// Purchases may be switched off on a device.
@Suite struct RestrictionTests {
    @Test func `restricted payments fail while products load, and both work again when lifted`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        #expect(app.engine.mayPay)
        try DeviceSettings.change(home: shop.home) { $0.arePaymentsRestricted = true }
        #expect(!app.engine.mayPay)
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.map(\.code) == [.paymentNotAllowed])
        #expect(shop.store.count("attempts") == 0 && shop.store.count("sign-in") == 0)
        guard case .success(let parts) = app.engine.parts else {
            Issue.record("no store")
            return
        }
        let client = ProductsClient(
            connection: .success(parts.connection), retries: parts.retries)
        #expect(try client.products([Shop.fuel]).get().products.count == 1)
        try DeviceSettings.change(home: shop.home) { $0.arePaymentsRestricted = false }
        #expect(app.engine.mayPay)
        app.buy(Shop.fuel)
        try await app.hears("purchased") { $0.purchased.count == 1 }
    }

    @Test func `a payment approved while purchases are restricted is not posted`() async throws {
        let shop = try Shop()
        let home = shop.home
        let sheet = SwitchingSheet {
            try DeviceSettings.change(home: home) { $0.arePaymentsRestricted = true }
        }
        let app = try shop.launch(sheet: sheet).start()
        app.buy(Shop.fuel)
        try await app.hears("failed") { $0.failed.count == 1 }
        #expect(app.observer.heard.failed.map(\.code) == [.paymentNotAllowed])
        #expect(shop.store.count("attempts") == 0)
    }

    /// Does something while the person reads, and approves.
    private struct SwitchingSheet: PaymentSheet {
        let act: @Sendable () throws -> Void

        var showsDetails: Bool { false }

        func signIn(
            _ prompt: SheetPrompt, trouble: String?
        ) -> SheetAnswer<StoreConfiguration.Account> {
            .given(StoreConfiguration.Account(name: "ada", password: FakeStore.password))
        }

        func approve(_ prompt: SheetPrompt) -> SheetAnswer<Bool> {
            do { try act() } catch { return .unable("\(error)") }
            return .given(true)
        }

        func show(_ sentence: String) {}
    }

    @Test func `an environment variable can restrict payments, too`() throws {
        let shop = try Shop()
        var settings = shop.settings()
        settings["STOREKIT_PAYMENTS"] = "restricted"
        let configuration = try #require(try StoreConfiguration.read(settings).get())
        #expect(configuration.arePaymentsRestricted)
        #expect(!QueueEngine(parts: QueueEngine.Parts.make(configuration)).mayPay)
        settings["STOREKIT_PAYMENTS"] = "allowed"
        #expect(try StoreConfiguration.read(settings).get()?.arePaymentsRestricted == false)
        settings["STOREKIT_PAYMENTS"] = "sometimes"
        #expect(throws: StoreConfiguration.Problem.self) {
            try StoreConfiguration.read(settings).get()
        }
    }

    @Test func `device settings are stored, also for a device that does not exist yet`() throws {
        let folder = TemporaryFolder()
        let home = folder.file("home/deeper")
        #expect(try DeviceSettings.read(home: home) == DeviceSettings())
        let changed = try DeviceSettings.change(home: home) { $0.arePaymentsRestricted = true }
        #expect(changed.arePaymentsRestricted)
        #expect(try DeviceSettings.read(home: home) == changed)
        try "{}".write(toFile: home + "/settings.json", atomically: false, encoding: .utf8)
        #expect(try DeviceSettings.read(home: home) == DeviceSettings())
        try "no".write(toFile: home + "/settings.json", atomically: false, encoding: .utf8)
        #expect(throws: DeviceSettings.Problem.self) { try DeviceSettings.read(home: home) }
        #expect(throws: DeviceSettings.Problem.self, "nothing is lost") {
            try DeviceSettings.change(home: home) { $0.arePaymentsRestricted = false }
        }
        #expect(try String(contentsOfFile: home + "/settings.json", encoding: .utf8) == "no")
    }

    @Test func `unreadable device settings forbid payments`() throws {
        let shop = try Shop()
        let app = try shop.launch()
        try FileManager.default.createDirectory(
            atPath: shop.home + "/settings.json", withIntermediateDirectories: false)
        #expect(!app.engine.mayPay)
    }
}
