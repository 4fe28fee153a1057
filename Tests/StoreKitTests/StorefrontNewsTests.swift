import Foundation
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// A storefront that is another than before, and what apps are asked then.
@Suite struct StorefrontNewsTests {
    @Test(arguments: ["ada", "bob"])
    func `another process's sign-in reports its storefront`(account: String) async throws {
        let shop = try Shop()
        let app = try shop.launch()
        let parts = try app.engine.parts.get()
        try parts.connection.signIn(.init(name: "ada", password: FakeStore.password))
        // The first storefront is told of before anybody listens.
        await MainActor.run {}
        _ = app.start()
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        try await app.quiet()
        #expect(app.observer.heard.storefrontChanges == 0)
        shop.store.state.withLock { $0.storefront = "DEU" }
        let other = StoreConnection(
            configuration: try shop.configuration, home: try HomeFolder(path: shop.home))
        try other.signIn(.init(name: account, password: FakeStore.password), from: .settings)
        try await app.hears("the storefront") { $0.storefrontChanges > 0 }
        try await app.quiet()
        #expect(app.observer.heard.storefrontChanges == 1)
        #expect(app.queue.storefront?.countryCode == "DEU")
    }

    @Test func `signing in for a receipt reports the storefront`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        let engine = app.engine
        let refresh = ReceiptRefresh { engine }
        let result = await withCheckedContinuation { continuation in
            refresh.run(ReceiptProperties(nil)) { continuation.resume(returning: $0) }
        }
        try result.get()
        try await app.hears("the storefront") { $0.storefrontChanges > 0 }
        try await app.quiet()
        #expect(app.observer.heard.storefrontChanges == 1)
    }

    @Test(arguments: [true, false])
    func `a payment waiting behind the sign-in sheet is checked, too`(
        goesOn: Bool
    ) async throws {
        let shop = try Shop()
        let sheet = OpenSheet(AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet)
        let parts = try app.engine.parts.get()
        try parts.connection.learnWorld()
        _ = app.start()
        let listener = NewsListener(shop, goesOn: goesOn)
        app.queue.delegate = listener
        shop.store.state.withLock { $0.storefront = "DEU" }
        app.buy(Shop.turbo)
        app.buy(Shop.fuel)
        for _ in 1...2 { sheet.mayClose.signal() }
        if goesOn {
            try await app.hears("purchased") { $0.purchased.count == 2 }
        } else {
            try await app.hears("failed") { $0.failed.count + $0.purchased.count == 2 }
            let codes = app.observer.heard.failed.map(\.code)
            #expect(codes == [.storeProductNotAvailable, .storeProductNotAvailable])
            #expect(shop.store.transactions.isEmpty)
        }
        let asked = listener.heard.withLock { $0.asked.sorted() }
        #expect(asked == ["\(Shop.fuel) DEU", "\(Shop.turbo) DEU"])
    }

    @Test(arguments: [true, false])
    func `a device new to the store asks when its sheet signs in to another country`(
        goesOn: Bool
    ) async throws {
        let shop = try Shop()
        shop.store.state.withLock { $0.accountStorefront = "DEU" }
        let app = try shop.launch().start()
        let listener = NewsListener(shop, goesOn: goesOn)
        app.queue.delegate = listener
        #expect(shop.store.log.isEmpty)
        app.buy(Shop.turbo)
        if goesOn {
            try await app.hears("purchased") { $0.purchased.count == 1 }
        } else {
            try await app.hears("failed") { $0.failed.count == 1 }
            #expect(app.observer.heard.failed[0].code == .storeProductNotAvailable)
            #expect(shop.store.transactions.isEmpty)
        }
        #expect(listener.heard.withLock { $0.asked } == ["\(Shop.turbo) DEU"])
    }

    @Test func `a device new to the store does not ask when its sheet stays in the country`()
        async throws
    {
        let shop = try Shop()
        let app = try shop.launch().start()
        let listener = NewsListener(shop, goesOn: false)
        app.queue.delegate = listener
        app.buy(Shop.turbo)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        #expect(listener.heard.withLock { $0.asked }.isEmpty)
    }

    @Test func `a payment checked on an event is not checked again by its sheet`() async throws {
        let shop = try Shop()
        let sheet = OpenSheet(AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet)
        let parts = try app.engine.parts.get()
        try parts.connection.signIn(.init(name: "ada", password: FakeStore.password))
        _ = app.start()
        let listener = NewsListener(shop)
        app.queue.delegate = listener
        app.buy(Shop.turbo)
        app.buy(Shop.fuel)
        try await shop.sees("the sheet") { sheet.isOpen.withLock { $0 } }
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        shop.happen(.storefrontChanged, subject: "DEU")
        try await shop.sees("both questions") { listener.heard.withLock { $0.asked.count == 2 } }
        for _ in 1...2 { sheet.mayClose.signal() }
        try await app.hears("purchased") { $0.purchased.count == 2 }
        #expect(listener.heard.withLock { $0.asked.count } == 2)
    }

    /// Ada's app, which has heard that nothing is new.
    private func listening(to shop: Shop) async throws -> App {
        let app = try shop.launch()
        let parts = try app.engine.parts.get()
        try parts.connection.signIn(.init(name: "ada", password: FakeStore.password))
        // The first storefront is told of before anybody listens.
        await MainActor.run {}
        _ = app.start()
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        return app
    }

    @Test func `a storefront change a process did not record is reported at the next launch`()
        async throws
    {
        let shop = try Shop()
        let app = try await listening(to: shop)
        let mayNote = DispatchSemaphore(value: 0)
        app.engine.events.async { mayNote.wait() }
        let polls = shop.store.count("updates")
        shop.happen(.storefrontChanged, subject: "DEU")
        // The first of these may have been answered just before it happened.
        try await shop.sees("later polls") { shop.store.count("updates") > polls + 1 }
        app.queue.remove(app.observer)
        let again = try shop.launch().start()
        try await again.hears("the storefront") { $0.storefrontChanges == 1 }
        #expect(again.queue.storefront?.countryCode == "DEU")
        mayNote.signal()
    }

    /// Puts a folder in the place of the device's record, and gives what takes it away again.
    private func block(_ record: String) throws -> () throws -> Void {
        let manager = FileManager.default
        try manager.moveItem(atPath: record, toPath: record + ".away")
        try manager.createDirectory(atPath: record, withIntermediateDirectories: false)
        return {
            try manager.removeItem(atPath: record)
            try manager.moveItem(atPath: record + ".away", toPath: record)
        }
    }

    @Test func `a storefront change that could not be saved is saved with later events`()
        async throws
    {
        let shop = try Shop()
        let app = try await listening(to: shop)
        let home = try HomeFolder(path: shop.home)
        let customer = try #require(try app.engine.parts.get().connection.customer)
        let cursors = CursorFile(home: home)
        let unblock = try block(home.deviceFile)
        shop.happen(.storefrontChanged, subject: "DEU")
        try await app.hears("the storefront") { $0.storefrontChanges == 1 }
        app.engine.events.sync {}
        #expect(app.engine.unsavedMoves.withLock { $0[customer]?.countryCode } == "DEU")
        #expect(cursors.cursor(of: customer) == 0)
        // No try comes between the two steps.
        try app.engine.events.sync { try unblock() }
        shop.happen(.declined, subject: "nobody's")
        try await shop.sees("the cursor") { cursors.cursor(of: customer) == 2 }
        #expect(try home.deviceSession()?.countryCode == "DEU")
        try await app.quiet()
        #expect(app.observer.heard.storefrontChanges == 1)
    }

    @Test func `a storefront change that cannot be saved is reported now and at the next launch`()
        async throws
    {
        let shop = try Shop()
        let app = try await listening(to: shop)
        let unblock = try block(shop.home + "/device.json")
        shop.happen(.storefrontChanged, subject: "DEU")
        try await app.hears("the storefront") { $0.storefrontChanges == 1 }
        // As if this process ended here: later news would save the move.
        app.engine.events.sync { app.engine.events.suspend() }
        defer { app.engine.events.resume() }
        app.queue.remove(app.observer)
        try unblock()
        let again = try shop.launch().start()
        try await again.hears("the storefront") { $0.storefrontChanges == 1 }
        #expect(again.queue.storefront?.countryCode == "DEU")
    }

    @Test func `a storefront change without observers is reported to the next one, once`()
        async throws
    {
        let shop = try Shop()
        let app = try await listening(to: shop)
        app.queue.remove(app.observer)
        app.engine.events.sync {}
        shop.store.state.withLock { $0.storefront = "DEU" }
        let connection = try app.engine.parts.get().connection
        try connection.signIn(
            .init(name: "ada", password: FakeStore.password), from: .settings)
        let listener = NewsListener(shop)
        app.queue.add(listener)
        try await shop.sees("the storefront") {
            listener.heard.withLock { $0.storefrontChanges > 0 }
        }
        try await app.quiet()
        #expect(listener.heard.withLock { $0.storefrontChanges } == 1)
        #expect(app.observer.heard.storefrontChanges == 0)
        app.queue.remove(listener)
    }

    @Test(arguments: [true, false])
    func `a new storefront is reported and the app is asked once per open payment`(
        goesOn: Bool
    ) async throws {
        let shop = try Shop()
        let sheet = OpenSheet(AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet)
        let parts = try app.engine.parts.get()
        // Signing in on the sheet would tell of a storefront, too.
        try parts.connection.signIn(.init(name: "ada", password: FakeStore.password))
        // The first storefront is told of before anybody listens.
        await MainActor.run {}
        _ = app.start()
        let listener = NewsListener(shop, goesOn: goesOn)
        app.queue.add(listener)
        app.queue.delegate = listener
        app.buy(Shop.turbo)
        try await shop.sees("the sheet") { sheet.isOpen.withLock { $0 } }
        // News are what happens after the list.
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        shop.happen(.storefrontChanged, subject: "DEU")
        try await shop.sees("the question") { listener.heard.withLock { !$0.asked.isEmpty } }
        #expect(app.queue.storefront?.countryCode == "DEU")
        if goesOn {
            sheet.mayClose.signal()
            try await app.hears("purchased") { $0.purchased.count == 1 }
        } else {
            try await app.hears("failed") { $0.failed.count == 1 }
            sheet.mayClose.signal()
            #expect(app.observer.heard.failed[0].code == .storeProductNotAvailable)
            try await app.quiet()
            #expect(shop.store.transactions.isEmpty)
        }
        let heard = listener.heard.withLock { $0 }
        #expect(heard.asked == ["\(Shop.turbo) DEU"])
        #expect(heard.storefrontChanges == 1)
        app.queue.remove(listener)
    }
}
