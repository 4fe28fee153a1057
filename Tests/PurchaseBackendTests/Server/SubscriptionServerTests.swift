import Foundation
import StoreCaller
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// Subscriptions over sockets, with the worker that runs by itself.
@Suite(.ownThreads) struct SubscriptionServerTests {
    private typealias Answers = SubscriptionAnswers

    private static let list = """
        {"bundleId": "com.example.rocketcar", "products": [
          {"productId": "gold.month", "kind": "autoRenewable", "service": "gold"}]}
        """

    private func site(storeURL: String? = nil) throws -> Site {
        let folder = TemporaryFolder()
        try folder.write(Self.list, "subscriptions.json")
        return try Site(folder: folder) { configuration in
            configuration.productListFile = folder.path + "/subscriptions.json"
            configuration.sharedSecret = try? SharedSecret("secret", from: "the test")
        }
    }

    private func owned(_ site: Site, _ token: String) throws -> [UserSubscriptionBody] {
        let answer = try site.send("GET", "/v1/purchases", token: token)
        return try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body).subscriptions
    }

    @Test func `a renewal is found without the app, also after temporary trouble`() throws {
        let site = try site()
        defer { site.stop() }
        let token = try site.signUp("dora")
        // A period of a second by the store's clock, which stands.
        let first = Answers.Period(ends: Answers.start + 1_000)
        let second = first.renewed("1000000000000002")
        site.store.behave(.answer(Answers.unified([first])))
        let body = try Rig.submission(product: "gold.month")
        let answer = try site.send("POST", "/v1/receipts", token: token, body)
        #expect(try answer.outcome.status == .granted)
        site.store.behave(.half(Answers.unified([second, first])))
        let asked = site.store.requestCount
        try eventually { site.store.requestCount > asked }
        var far = second
        far.ends = Answers.start + Answers.month
        site.store.behave(.answer(Answers.unified([far, first], at: second.begins)))
        try eventually { try owned(site, token).first?.expires == far.ends }
        #expect(site.store.bodies.allSatisfy { $0.contains("\"password\":\"secret\"") })
    }

    @Test func `a product list with subscriptions requires the shared secret`() throws {
        let folder = TemporaryFolder()
        try folder.write(Self.list, "subscriptions.json")
        let error = #expect(throws: BackendError.self) {
            try Site(folder: folder) {
                $0.productListFile = folder.path + "/subscriptions.json"
            }
        }
        #expect(error?.code == .badConfiguration)
        #expect(error?.detail.contains("gold.month") == true)
        #expect(error?.detail.contains("--shared-secret-file") == true)
        #expect(error?.detail.contains("BODEGA_SHARED_SECRET") == true)
    }
}
