import Foundation
import StoreModel
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// What the owner does at the store, and what a person begins outside the app.
@Suite struct NewsTests {
    /// An observer that notes what no purchase is, and a delegate that answers as it is told.
    final class Listener: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate, Sendable {
        struct Heard: Sendable {
            var revoked: [[String]] = []
            /// What the receipt file held then.
            var receipts: [String?] = []
            var storefrontChanges = 0
            var asked: [String] = []
            var offered: [String] = []
        }

        let heard = Mutex(Heard())
        let receiptPath: String
        let goesOn: Bool
        let takesOffers: Bool

        init(_ shop: Shop, goesOn: Bool = true, takesOffers: Bool = false) {
            receiptPath = shop.home + "/StoreKit/sandboxReceipt"
            self.goesOn = goesOn
            self.takesOffers = takesOffers
        }

        func paymentQueue(
            _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
        ) {}

        func paymentQueue(
            _ queue: SKPaymentQueue,
            didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
        ) {
            heard.withLock {
                $0.revoked.append(productIdentifiers)
                $0.receipts.append(try? String(contentsOfFile: receiptPath, encoding: .utf8))
            }
        }

        func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
            heard.withLock { $0.storefrontChanges += 1 }
        }

        func paymentQueue(
            _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment,
            for product: SKProduct
        ) -> Bool {
            heard.withLock { $0.offered.append(payment.productIdentifier) }
            return takesOffers && product.productIdentifier == payment.productIdentifier
        }

        func paymentQueue(
            _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
            in newStorefront: SKStorefront
        ) -> Bool {
            heard.withLock {
                $0.asked.append(
                    transaction.payment.productIdentifier + " " + newStorefront.countryCode)
            }
            return goesOn
        }
    }

    /// A sheet that stays open until it is let go.
    final class OpenSheet: PaymentSheet {
        let inner: AutomaticSheet
        let isOpen = Mutex(false)
        let mayClose = DispatchSemaphore(value: 0)

        init(_ inner: AutomaticSheet) {
            self.inner = inner
        }

        var showsDetails: Bool { false }

        func signIn(
            _ matter: SheetMatter, trouble: String?
        ) -> SheetAnswer<StoreConfiguration.Account> { inner.signIn(matter, trouble: trouble) }

        func approve(_ matter: SheetMatter) -> SheetAnswer<Bool> {
            isOpen.withLock { $0 = true }
            mayClose.wait()
            return .given(true)
        }

        func show(_ sentence: String) {}
    }

    private func happen(
        _ kind: UpdateBody.Kind, _ transaction: TransactionBody? = nil, subject: String? = nil,
        in shop: Shop
    ) {
        shop.store.state.withLock { state in
            state.revision += 1
            state.events.append(
                UpdateBody(
                    number: Int64(state.events.count + 1), kind: kind, transaction: transaction,
                    subject: subject))
        }
    }

    @Test func `a revocation is told when the receipt says it`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        let listener = Listener(shop)
        app.queue.add(listener)
        app.buy(Shop.turbo)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        shop.store.state.withLock { $0.receiptWord = "without turbo:" }
        shop.store.next("receipt", .status(503))
        happen(.revoked, shop.store.transactions[0], in: shop)
        try await shop.sees("the revocation") { listener.heard.withLock { $0.revoked.count == 1 } }
        #expect(listener.heard.withLock { $0.revoked } == [[Shop.turbo]])
        #expect(listener.heard.withLock { $0.receipts[0] }?.hasPrefix("without turbo") == true)
        app.queue.remove(listener)
    }

    @Test func `what was revoked between two launches is told at the next, once`() async throws {
        let shop = try Shop()
        let first = try shop.launch().start()
        first.buy(Shop.turbo)
        try await first.hears("purchased") { $0.purchased.count == 1 }
        first.queue.remove(first.observer)
        // An installation that knows nothing but its list: no poll is answered before it ends.
        try FileManager.default.removeItem(atPath: shop.home + "/cursor.json")
        let polls = shop.store.count("updates")
        let second = try shop.launch().start()
        try await second.hears("the list") { $0.purchased.count == 1 }
        try await shop.sees("a poll") { shop.store.count("updates") > polls }
        second.queue.remove(second.observer)
        happen(.revoked, shop.store.transactions[0], in: shop)
        for expected in [1, 0] {
            let later = try shop.launch()
            let listener = Listener(shop)
            later.queue.add(listener)
            _ = later.start()
            try await later.hears("the list") { $0.purchased.count == 1 }
            if expected == 1 {
                try await shop.sees("the revocation") {
                    listener.heard.withLock { !$0.revoked.isEmpty }
                }
            }
            try await later.quiet()
            #expect(listener.heard.withLock { $0.revoked.count } == expected)
            later.queue.remove(listener)
            later.queue.remove(later.observer)
        }
    }

    @Test func `a revocation whose receipt did not come is told at the next launch`() async throws {
        let shop = try Shop()
        let first = try shop.launch().start()
        first.buy(Shop.turbo)
        try await first.hears("purchased") { $0.purchased.count == 1 }
        try await shop.sees("a poll") { shop.store.count("updates") > 0 }
        try await first.quiet()
        let receipts = shop.store.count("receipt")
        shop.store.state.withLock { _ = $0.failing.insert("receipt") }
        happen(.revoked, shop.store.transactions[0], in: shop)
        try await shop.sees("a try") { shop.store.count("receipt") > receipts }
        try await first.quiet()
        first.queue.remove(first.observer)
        shop.store.state.withLock { _ = $0.failing.remove("receipt") }
        let later = try shop.launch()
        let listener = Listener(shop)
        later.queue.add(listener)
        try await shop.sees("the revocation") { listener.heard.withLock { !$0.revoked.isEmpty } }
        #expect(listener.heard.withLock { $0.revoked } == [[Shop.turbo]])
        later.queue.remove(listener)
    }

    @Test func `a revocation without observers is told to the next one, once`() async throws {
        let shop = try Shop()
        let app = try shop.launch().start()
        app.buy(Shop.turbo)
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try await shop.sees("a poll") { shop.store.count("updates") > 0 }
        try await app.quiet()
        let mayBring = DispatchSemaphore(value: 0)
        app.engine.receipts.async { mayBring.wait() }
        let polls = shop.store.count("updates")
        happen(.revoked, shop.store.transactions[0], in: shop)
        // The first of these may have been answered just before it happened.
        try await shop.sees("later polls") { shop.store.count("updates") > polls + 1 }
        app.engine.events.sync {}
        app.queue.remove(app.observer)
        mayBring.signal()
        app.engine.receipts.sync {}
        try await app.quiet()
        let listener = Listener(shop)
        app.queue.add(listener)
        try await shop.sees("the revocation") { listener.heard.withLock { !$0.revoked.isEmpty } }
        try await app.quiet()
        #expect(listener.heard.withLock { $0.revoked } == [[Shop.turbo]])
        app.queue.remove(listener)
    }

    @Test(arguments: ["ada", "bob"])
    func `a sign-in of another process tells of its storefront`(account: String) async throws {
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

    @Test func `signing in for a receipt tells of the storefront`() async throws {
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
    func `a payment that waits behind the sheet that signs in is asked for, too`(
        goesOn: Bool
    ) async throws {
        let shop = try Shop()
        let sheet = OpenSheet(AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet)
        let parts = try app.engine.parts.get()
        try parts.connection.learnWorld()
        _ = app.start()
        let listener = Listener(shop, goesOn: goesOn)
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

    @Test func `a payment that news asked for is not asked for again by its sheet`() async throws {
        let shop = try Shop()
        let sheet = OpenSheet(AutomaticSheet(account: try shop.configuration.account))
        let app = try shop.launch(sheet: sheet)
        let parts = try app.engine.parts.get()
        try parts.connection.signIn(.init(name: "ada", password: FakeStore.password))
        _ = app.start()
        let listener = Listener(shop)
        app.queue.delegate = listener
        app.buy(Shop.turbo)
        app.buy(Shop.fuel)
        try await shop.sees("the sheet") { sheet.isOpen.withLock { $0 } }
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        happen(.storefrontChanged, subject: "DEU", in: shop)
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

    @Test func `a move that a process did not come to note is told at the next launch`()
        async throws
    {
        let shop = try Shop()
        let app = try await listening(to: shop)
        let mayNote = DispatchSemaphore(value: 0)
        app.engine.events.async { mayNote.wait() }
        let polls = shop.store.count("updates")
        happen(.storefrontChanged, subject: "DEU", in: shop)
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

    @Test func `a move that could not be saved is saved with later news`() async throws {
        let shop = try Shop()
        let app = try await listening(to: shop)
        let home = try HomeFolder(path: shop.home)
        let customer = try #require(try app.engine.parts.get().connection.customer)
        let cursors = CursorFile(home: home)
        let unblock = try block(home.deviceFile)
        happen(.storefrontChanged, subject: "DEU", in: shop)
        try await app.hears("the storefront") { $0.storefrontChanges == 1 }
        app.engine.events.sync {}
        #expect(app.engine.unsavedMoves.withLock { $0[customer]?.countryCode } == "DEU")
        #expect(cursors.cursor(of: customer) == 0)
        // No try comes between the two steps.
        try app.engine.events.sync { try unblock() }
        happen(.declined, subject: "nobody's", in: shop)
        try await shop.sees("the cursor") { cursors.cursor(of: customer) == 2 }
        #expect(try home.deviceSession()?.countryCode == "DEU")
        try await app.quiet()
        #expect(app.observer.heard.storefrontChanges == 1)
    }

    @Test func `a move that cannot be saved is told now, and at the next launch`() async throws {
        let shop = try Shop()
        let app = try await listening(to: shop)
        let unblock = try block(shop.home + "/device.json")
        happen(.storefrontChanged, subject: "DEU", in: shop)
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

    @Test func `a move without observers is told to the next one, once`() async throws {
        let shop = try Shop()
        let app = try await listening(to: shop)
        app.queue.remove(app.observer)
        app.engine.events.sync {}
        shop.store.state.withLock { $0.storefront = "DEU" }
        let connection = try app.engine.parts.get().connection
        try connection.signIn(
            .init(name: "ada", password: FakeStore.password), from: .settings)
        let listener = Listener(shop)
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
    func `another storefront is told, and the app is asked once for each open payment`(
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
        let listener = Listener(shop, goesOn: goesOn)
        app.queue.add(listener)
        app.queue.delegate = listener
        app.buy(Shop.turbo)
        try await shop.sees("the sheet") { sheet.isOpen.withLock { $0 } }
        // News are what happens after the list.
        try await shop.sees("the poll") { shop.store.count("updates") > 0 }
        happen(.storefrontChanged, subject: "DEU", in: shop)
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

    @Test(arguments: [true, false])
    func `a promoted purchase goes on when one observer wants it`(isWanted: Bool) async throws {
        let shop = try Shop()
        try PurchaseIntent(productIdentifier: Shop.fuel, madeAtMilliseconds: 1)
            .leave(home: shop.home)
        let app = try shop.launch().start()
        let unwilling = Listener(shop)
        let listener = Listener(shop, takesOffers: isWanted)
        app.queue.add(unwilling)
        app.queue.add(listener)
        try await shop.sees("the question") { listener.heard.withLock { !$0.offered.isEmpty } }
        if isWanted {
            try await app.hears("purchased") { $0.purchased.count == 1 }
        } else {
            try await app.quiet()
            #expect(shop.store.transactions.isEmpty)
        }
        #expect(unwilling.heard.withLock { $0.offered } == [Shop.fuel])
        #expect(listener.heard.withLock { $0.offered } == [Shop.fuel])
        app.queue.remove(listener)
        app.queue.remove(unwilling)
    }

    @Test func `a promoted purchase waits for a store that is away`() async throws {
        let shop = try Shop()
        shop.store.state.withLock { _ = $0.failing.insert("products") }
        try PurchaseIntent(productIdentifier: Shop.fuel, madeAtMilliseconds: 1)
            .leave(home: shop.home)
        let app = try shop.launch().start()
        let listener = Listener(shop, takesOffers: true)
        app.queue.add(listener)
        try await shop.sees("questions in vain") {
            shop.store.count("products") > Retries.impatientTriesMax
        }
        shop.store.state.withLock { $0.failing = [] }
        try await app.hears("purchased") { $0.purchased.count == 1 }
        try await app.quiet()
        #expect(listener.heard.withLock { $0.offered } == [Shop.fuel])
        app.queue.remove(listener)
    }

    @Test func `a promoted purchase is taken by one process, and unknown products by none`() throws
    {
        let shop = try Shop()
        let home = try HomeFolder(path: shop.home)
        for number in 1...3 {
            try PurchaseIntent(productIdentifier: "p\(number)", madeAtMilliseconds: Int64(number))
                .leave(home: shop.home)
        }
        try DurableFile.write(Array("no JSON".utf8), to: home.intentsFolder + "/intent-x.json")
        let taken = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let some = PurchaseIntent.take(from: home).map(\.productIdentifier)
            taken.withLock { $0 += some }
        }
        #expect(taken.withLock { $0.sorted() } == ["p1", "p2", "p3"])
        #expect(PurchaseIntent.take(from: home).isEmpty)
    }

    @Test func `promotions of a device are kept`() async throws {
        let shop = try Shop()
        let parts = try shop.launch().engine.parts
        func product(_ identifier: String) -> SKProduct {
            SKProduct(details: ProductDetails(productIdentifier: identifier))
        }
        let fuel = product(Shop.fuel)
        let first = SKProductStorePromotionController(promotions: StorePromotions { parts })
        #expect(try await first.promotionVisibility(for: fuel) == .default)
        #expect(try await first.promotionOrder().isEmpty)
        try await first.update(promotionVisibility: .hide, for: fuel)
        try await first.update(
            promotionOrder: [product(Shop.turbo), fuel, fuel, product("unknown")])
        let second = SKProductStorePromotionController(promotions: StorePromotions { parts })
        #expect(try await second.promotionVisibility(for: fuel) == .hide)
        #expect(
            try await second.promotionOrder().map(\.productIdentifier)
                == [Shop.turbo, Shop.fuel])
        try await second.update(promotionVisibility: .default, for: fuel)
        #expect(try await first.promotionVisibility(for: fuel) == .default)
        let answers = await withCheckedContinuation { answer in
            first.update(storePromotionVisibility: .show, for: fuel) { failure in
                let isSet = failure == nil
                second.fetchStorePromotionVisibility(for: fuel) {
                    answer.resume(returning: (isSet, $0, $1 == nil))
                }
            }
        }
        #expect(answers == (true, .show, true))
    }
}
