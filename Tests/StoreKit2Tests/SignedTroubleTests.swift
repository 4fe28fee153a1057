import BodegaTesting
import Foundation
import StoreWire
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// What an app gets when the store is gone, or what the device keeps was tampered with.
@Suite struct SignedTroubleTests {
    @Test func `entitlements are answered from the copy while the store is gone`() async throws {
        let device = Device(world: try await Kiosk.world())
        let bought = try await device.launch { try await Kiosk.buy(Kiosk.archive).id }
        let offline = try await device.launch(device.nobody) {
            try await Transaction.currentEntitlements.all.map(\.id)
        }
        #expect(offline == [bought])
    }

    @Test func `without an answer of the store nothing is bought, and the error says so`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        let product = try await device.launch { try await Kiosk.product(Kiosk.archive) }
        // Nobody is signed in yet, so nobody can approve.
        try await device.launch(device.nobody) {
            do {
                _ = try await product.purchase()
                Issue.record("bought")
            } catch StoreKitError.networkError {}
            do {
                try await AppStore.sync()
                Issue.record("signed in")
            } catch StoreKitError.networkError {}
        }
        try await device.launch { try await AppStore.sync() }
        try await device.launch(device.nobody) {
            do {
                try await AppStore.sync()
                Issue.record("everything was fetched from nobody")
            } catch StoreKitError.networkError {}
            do {
                _ = try await Product.products(for: [Kiosk.archive])
                Issue.record("products came")
            } catch StoreKitError.networkError(let error) {
                #expect(error.code == .cannotConnectToHost)
            }
            do {
                _ = try await product.purchase()
                Issue.record("bought")
            } catch StoreKitError.networkError {}
        }
        // The approval is in the journal, so the next launch buys what was approved.
        let told = try await device.launch {
            try await Collector.updates().first().map(\.unsafePayloadValue.productID)
        }
        #expect(told == [Kiosk.archive])
        #expect(try await device.world.transactions().count == 1)
    }

    @Test(arguments: [true, false])
    func `a purchase whose store goes after approval is told once when it is back`(
        isSoldBefore: Bool
    ) async throws {
        let device = Device(world: try await Kiosk.world())
        let proxy = try VanishingProxy(to: device.world, afterSale: isSoldBefore)
        defer { proxy.close() }
        try await device.launch(proxy.variables) {
            let updates = Collector.updates()
            let product = try await Kiosk.product(Kiosk.archive)
            do {
                let result = try await product.purchase()
                Issue.record("The caller was told \(result).")
            } catch StoreKitError.networkError(let error) {
                #expect(error.code == .networkConnectionLost)
            }
            #expect(try await device.world.transactions().count == (isSoldBefore ? 1 : 0))
            #expect(updates.all.isEmpty)
            proxy.comeBack()
            let told = try #require(try await updates.first().first).payloadValue
            #expect(told.productID == Kiosk.archive)
            #expect(try await Transaction.unfinished.all.map(\.id) == [told.id])
            #expect(try await Transaction.currentEntitlements.all.map(\.id) == [told.id])
            // Whatever tells of it again would come before this.
            try await device.world.sell(Kiosk.issue)
            let heard = try await updates.first(2).map(\.unsafePayloadValue.productID)
            #expect(heard == [Kiosk.archive, Kiosk.issue])
        }
        let sold = try await device.world.transactions().map(\.productID)
        #expect(sold == [Kiosk.archive, Kiosk.issue])
    }

    @Test func `without a store nothing can be bought and no sequence has anything`() async throws {
        let product = try await Kiosk.world().run { try await Kiosk.product(Kiosk.archive) }
        let context = StoreContext(variables: [:], ending: "")
        defer { context.end() }
        try await context.run {
            let all = try await Transaction.all.all
            #expect(all == [])
            #expect(!AppStore.canMakePayments)
            await #expect(throws: Product.PurchaseError.purchaseNotAllowed) {
                _ = try await product.purchase()
            }
            await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
            await #expect(throws: StoreKitError.self) { _ = try await AppTransaction.shared }
            await #expect(throws: StoreKitError.self) {
                _ = try await Product.products(for: [Kiosk.archive])
            }
            for await _ in Transaction.updates { Issue.record("heard something") }
            #expect(await Storefront.current == nil)
        }
    }

    @Test func `an altered payload is unverified by its signature, and still delivered`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        let bought = try await device.launch { try await Kiosk.buy(Kiosk.archive).id }
        let file = try device.copy
        var lines = try file.read().asLines
        let place = try #require(lines.firstIndex { $0.transaction != nil })
        var altered = SignedCopyFile.Contents()
        let body = try #require(lines[place].transaction)
        lines[place].transaction = SignedTransactionBody(
            transactionId: body.transactionId, attemptId: body.attemptId,
            deviceGuid: body.deviceGuid, isFinished: nil,
            transaction: try Self.replacing(Kiosk.archive, by: Kiosk.summer, in: body.transaction))
        for line in lines { altered.take(line) }
        _ = try file.replace(with: altered)
        let results = try await device.launch(device.nobody) {
            var results: [VerificationResult<Transaction>] = []
            for await result in Transaction.unfinished { results.append(result) }
            return results
        }
        guard case .unverified(let transaction, let error)? = results.first else {
            throw Trouble("got \(results)")
        }
        #expect(transaction.id == bought && transaction.productID == Kiosk.summer)
        #expect(error == .invalidSignature)
    }

    @Test func `a copy of another device is unverified by its digest`() async throws {
        let world = try await Kiosk.world()
        let (one, other) = (Device(world: world), Device(world: world))
        _ = try await one.launch { try await Kiosk.buy(Kiosk.archive).id }
        _ = try await other.launch { try await Transaction.all.all }
        _ = try other.copy.replace(with: try one.copy.read())
        let errors = try await other.launch(other.nobody) { try await Self.errors() }
        #expect(errors == [.invalidDeviceVerification])
    }

    @Test func `what leads to no trusted root is unverified by its chain`() async throws {
        let device = Device(world: try await Kiosk.world())
        let roots = device.home.file("roots.pem")
        try Self.makeRoot(at: roots)
        let result = try await device.launch(["STOREKIT_ROOTS": roots]) {
            try await Kiosk.product(Kiosk.archive).purchase()
        }
        guard case .success(.unverified(let transaction, .invalidCertificateChain)) = result else {
            throw Trouble("got \(result)")
        }
        #expect(transaction.productID == Kiosk.archive)
        // It was not finished, and with the right root it is what it was.
        let later = try await device.launch { try await Transaction.unfinished.all }
        #expect(later.map(\.id) == [transaction.id])
    }

    @Test func `roots that cannot be read stop purchases with a sentence`() async throws {
        let device = Device(world: try await Kiosk.world())
        let product = try await device.launch { try await Kiosk.product(Kiosk.archive) }
        let empty = device.home.file("empty.pem")
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: empty))
        for path in [empty, "/nowhere/roots.pem"] {
            _ = try await device.launch(["STOREKIT_ROOTS": path]) {
                await #expect(throws: Product.PurchaseError.purchaseNotAllowed) {
                    _ = try await product.purchase()
                }
            }
        }
        #expect(try await device.world.transactions().isEmpty)
    }

    @Test func `a purchase that cannot be kept is bought once and told at the next launch`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        _ = try await device.launch { try await Kiosk.buy(Kiosk.issue).id }
        let path = try device.copy.path
        do {
            try await device.launch {
                let product = try await Kiosk.product(Kiosk.archive)
                // It was read. Now a folder is in its place, which root cannot write into either.
                #expect(try await Transaction.unfinished.all.count == 1)
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: false)
                _ = try await product.purchase()
            }
            Issue.record("a purchase was told that is on no disk")
        } catch StoreKitError.systemError {}
        try FileManager.default.removeItem(atPath: path)
        let told = try await device.launch {
            try await Collector.updates().first(2).map(\.unsafePayloadValue.productID)
        }
        #expect(told.sorted() == [Kiosk.archive, Kiosk.issue])
        #expect(try await device.world.transactions().count == 2)
    }

    @Test func `a root that was pinned is not replaced by the one that a store names later`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        _ = try await device.launch { try await Transaction.all.all }
        // As if another store had been met first in this world.
        let pem = device.home.file("root.pem")
        try Self.makeRoot(at: pem)
        let home = try HomeFolder(path: device.home.file("home"))
        let world = try #require(try home.deviceSession()).worldId
        try FileManager.default.removeItem(atPath: home.rootsFile)
        try RootPins(home: home).pin(Data(try PEMCertificates.read(pem)[0]), of: world)
        let result = try await device.launch {
            try await Kiosk.product(Kiosk.archive).purchase()
        }
        guard case .success(.unverified(_, .invalidCertificateChain)) = result else {
            throw Trouble("got \(result)")
        }
    }

    @Test func `a device says once whose root it trusts, and that of a test never`() throws {
        let folder = TemporaryFolder()
        let pem = folder.path + "/root.pem"
        try Self.makeRoot(at: pem)
        let root = Data(try PEMCertificates.read(pem)[0])
        DurableFile.syncNothing(below: folder.path + "/tests")
        func linesTold(by home: HomeFolder) throws -> Int {
            let pins = RootPins(home: home)
            try pins.pin(root, of: "world")
            for _ in 0..<2 { #expect(try pins.rootToTrust(of: "world") == Array(root)) }
            let told = try DurableFile.read(home.rootsToldFile) ?? []
            return told.count { $0 == UInt8(ascii: "\n") }
        }
        #expect(try linesTold(by: HomeFolder(path: folder.path + "/home")) == 1)
        #expect(try linesTold(by: HomeFolder(path: folder.path + "/tests/home")) == 0)
    }

    @Test func `a device that an earlier version registered meets the root`() async throws {
        let device = Device(world: try await Kiosk.world())
        _ = try await device.launch { try await AppStore.sync() }
        let home = try HomeFolder(path: device.home.file("home"))
        try FileManager.default.removeItem(atPath: home.rootsFile)
        let bought = try await device.launch { try await Kiosk.buy(Kiosk.archive).id }
        let listed = try await device.launch { try await Transaction.all.all.map(\.id) }
        #expect(listed == [bought])
    }

    @Test func `a payload is base64url without padding, of a length that bytes have`() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        func payload(_ letters: String) -> Data? { SignedText("e30.\(letters).e30")?.payload }
        for letter in (UInt8.min..<0x80).map({ Character(UnicodeScalar($0)) }) where letter != "." {
            #expect((payload("e3\(letter)A")?.count == 3) == alphabet.contains(letter), "\(letter)")
        }
        for count in 0...9 {
            let letters = String(repeating: "A", count: count)
            let bytes = Data(repeating: 0, count: count * 3 / 4)
            #expect(payload(letters) == (count % 4 == 1 ? nil : bytes), "\(count)")
        }
        #expect(payload("e30é") == nil)
    }

    @Test func `a purchase deleted before its answer arrived does not come back`() async throws {
        let device = Device(world: try await Kiosk.world())
        let context = device.context()
        defer { context.end() }
        try await context.run {
            let bought = try await Kiosk.buy(Kiosk.archive).id
            let feed = try #require(context.engine.feed)
            let customer = try #require(feed.customer())
            // The answer to the purchase, which comes once more below.
            let lines = try feed.library.kept(of: customer).contents.asLines
            let answer = SignedPurchaseBody(
                header: try #require(lines.compactMap(\.header).first),
                transaction: try #require(lines.compactMap(\.transaction).first), groups: nil)
            try await device.world.control("DELETE", "/transactions/\(bought)")
            try await AppStore.sync()
            #expect(try await Transaction.all.all.isEmpty)
            try feed.keep(answer, of: customer)
            #expect(try feed.library.kept(of: customer).copy.entries.isEmpty)
        }
        let later = try await device.launch(device.nobody) { try await Transaction.all.all }
        #expect(later.isEmpty)
    }

    // MARK: -

    private static func errors() async throws
        -> [VerificationResult<Transaction>.VerificationError]
    {
        var errors: [VerificationResult<Transaction>.VerificationError] = []
        for await case .unverified(_, let error) in Transaction.all { errors.append(error) }
        return errors
    }

    /// The text of a JWS without its header, with other words in its payload.
    private static func replacing(
        _ text: String, by other: String, in jws: String
    ) throws -> String {
        let parts = jws.split(separator: ".")
        let payload = try #require(SignedText("e30.\(parts[0]).e30")).payload
        let changed = String(decoding: payload, as: UTF8.self)
            .replacingOccurrences(of: text, with: other)
        let letters = Data(changed.utf8).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
        return "\(letters).\(parts[1])"
    }

    /// A root that has nothing to do with the store.
    private static func makeRoot(at path: String) throws {
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-nodes",
            "-keyout", path + ".key", "-out", path, "-subj", "/CN=Somebody", "-days", "30",
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
    }
}

/// Stands between a device and a store that goes with the first purchase, until it comes back.
private final class VanishingProxy: Sendable {
    private enum Life {
        case here, gone, back
    }

    private let relay: Relay
    private let world: BodegaWorld
    private let life = Mutex(Life.here)

    /// `afterSale` has the store sell before it goes, so that only its answers are lost.
    init(to world: BodegaWorld, afterSale: Bool) throws {
        self.world = world
        relay = try Relay(to: try #require(world.url.port))
        relay.start { [self] request, device in
            let isPurchase = request.lines.first?.contains("/device/v1/attempts?") == true
            let isGone = life.withLock { life in
                if isPurchase, life == .here { life = .gone }
                return life == .gone
            }
            if isGone, !(isPurchase && afterSale) { return false }
            let answer = try relay.answer(to: request.bytes)
            // It may have gone while it was asked.
            if life.withLock({ $0 == .gone }) { return false }
            device.write(answer)
            return true
        }
    }

    var variables: [String: String] {
        ["STOREKIT_URL": "http://127.0.0.1:\(relay.port)" + world.url.path]
    }

    func comeBack() { life.withLock { $0 = .back } }

    func close() { relay.close() }
}
