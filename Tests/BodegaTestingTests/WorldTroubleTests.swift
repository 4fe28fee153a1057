import BodegaTesting
import Foundation
import FoundationNetworking
import StoreKit
import TestSupport
import Testing

@testable import ManyWorldsProbe

/// What tests get that ask for something wrong.
@Suite struct WorldTroubleTests {
    private func error(
        _ body: () async throws -> Void, location: SourceLocation = #_sourceLocation
    ) async throws -> BodegaError {
        let thrown = await #expect(throws: BodegaError.self, sourceLocation: location) {
            try await body()
        }
        return try #require(thrown, sourceLocation: location)
    }

    @Test func `a catalogue that is not there, or is none, is named with the place`() async throws {
        let store = try await BodegaStore.shared
        let missing = try await error {
            _ = try await store.world(catalogue: .file(URL(fileURLWithPath: "/nowhere/P.storekit")))
        }
        #expect(missing.code == "unreadable" && missing.description.contains("/nowhere/P.storekit"))
        let text = try String(contentsOf: Rocket.catalogue, encoding: .utf8)
            .replacingOccurrences(of: "\"P1M\"", with: "\"P1Q\"")
        let folder = TemporaryFolder()
        let path = try folder.write(text, "Broken.storekit")
        let broken = try await error {
            _ = try await store.world(catalogue: .file(URL(fileURLWithPath: path)))
        }
        #expect(broken.description.contains("Broken.storekit: "))
        #expect(broken.description.contains("recurringSubscriptionPeriod"))
        let cut = try await error { _ = try await store.world(catalogue: .text("{\"version\"")) }
        #expect(cut.description.contains("line 1"))
        let nowhere = try await error {
            _ = try await store.world(catalogue: .file(Rocket.catalogue), storefront: "NOWHERE")
        }
        #expect(!nowhere.description.contains("RocketCar.storekit"))
    }

    @Test func `a name that no device could sign in with is refused`() async throws {
        let world = try await Rocket.world()
        let colon = try await error { _ = try await world.account("anna:maria@example.com") }
        #expect(colon.code == "nameUnusable" && colon.description.contains("colon"))
        let anna = try await world.account("anna@example.com", password: "with:colon-12")
        try await world.run(as: anna) {}
    }

    @Test func `unknown names come with the nearest one`() async throws {
        let world = try await Rocket.world()
        let product = try await error { try await world.setPrice("1.99", of: Rocket.fuel + "s") }
        #expect(product.code == "productUnknown")
        #expect(product.description.hasSuffix("(did you mean \(Rocket.fuel)?)"))
        let other = try await Rocket.world()
        let stranger = try await other.account("buyers@example.com")
        let account = try await error { try await world.topUp("1", for: stranger) }
        #expect(account.code == "accountUnknown")
        #expect(account.description.hasSuffix("(did you mean buyer@example.com?)"))
        let listed = try await error { _ = try await world.transactions(of: stranger) }
        #expect(listed.description.hasSuffix("(did you mean buyer@example.com?)"))
    }

    @Test func `the store's own sentence comes through`() async throws {
        let world = try await Rocket.world()
        let refund = try await error { try await world.refund("1") }
        #expect(refund.code == "transactionUnknown" && refund.description.count > 10)
        let double = try await error { _ = try await world.account("buyer@example.com") }
        #expect(double.description.contains("buyer@example.com"))
    }

    @Test func `a world that has ended says so, to the test and to the app`() async throws {
        let world = try await Rocket.world()
        let buyer = Buyer()
        let queue = try await world.run { SKPaymentQueue.default() }
        let receipt = try await world.run { Bundle.main.appStoreReceiptURL }
        let home = try #require(receipt).deletingLastPathComponent().deletingLastPathComponent()
            .path
        #expect(FileManager.default.fileExists(atPath: home))
        await world.end()
        await world.end()
        let run = try await error { try await world.run {} }
        #expect(run.code == "worldEnded" && run.description.contains(world.name))
        let asked = try await error { _ = try await world.transactions() }
        #expect(asked.code == "worldEnded")
        let payment = SKMutablePayment()
        payment.productIdentifier = Rocket.fuel
        queue.add(buyer)
        queue.add(payment)
        try await buyer.hears("the refusal") { $0.failures.count == 1 }
        #expect(buyer.heard.failures.first?.contains("has ended") == true)
        queue.remove(buyer)
        #expect(!FileManager.default.fileExists(atPath: home))
    }

    @Test func `a world ends with its last owner, and leaves nothing`() async throws {
        let store = try await BodegaStore.shared
        func live() async throws -> (name: String, home: String) {
            let world = try await Rocket.world()
            let receipt = try await world.run { Bundle.main.appStoreReceiptURL }
            return (
                world.name, try #require(receipt).deletingLastPathComponent().path
            )
        }
        let (name, home) = try await live()
        var request = URLRequest(url: store.url.appending(path: "control/v1/worlds/\(name)"))
        request.setValue("Bearer \(store.controlToken)", forHTTPHeaderField: "Authorization")
        for _ in 0..<1_200 {
            let (_, answer) = try await URLSession.shared.data(for: request)
            let isGone = (answer as? HTTPURLResponse)?.statusCode == 404
            if isGone, !FileManager.default.fileExists(atPath: home) { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("the world \(name) is still there, or \(home)")
    }
}
