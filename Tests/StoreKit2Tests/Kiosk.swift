import BodegaTesting
import Foundation
import StoreKit
import Synchronization

/// The kiosk's products, in worlds of a store that all tests of this process share.
enum Kiosk {
    static let catalogue = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Examples/Kiosk/Kiosk.storekit").standardizedFileURL
    static let app = "com.example.kiosk"
    static let issue = "com.example.kiosk.issue"
    static let archive = "com.example.kiosk.archive"
    static let summer = "com.example.kiosk.summer"
    static let monthly = "com.example.kiosk.monthly"
    static let yearly = "com.example.kiosk.yearly"
    static let group = "7D3E0001"
    static let winBack = "come-back"
    static let codeOffer = "Fair"
    private static let code = "FAIR26"

    static func world() async throws -> BodegaWorld {
        try await BodegaStore.shared.world(catalogue: .file(catalogue), bundleID: app)
    }

    /// The same with an offer for those who had the monthly subscription.
    static func worldWithWinBack() async throws -> BodegaWorld {
        let offer = """
            "winbackOffers" : [ {
              "displayPrice" : "0.99", "internalID" : "5A1C0024", "isEligible" : true,
              "numberOfPeriods" : 1, "offerID" : "\(winBack)", "paymentMode" : "payAsYouGo",
              "referenceName" : "Come back", "subscriptionPeriod" : "P1M"
            } ],
            """
        let monthly = "\"productID\" : \"com.example.kiosk.monthly\","
        let text = try String(contentsOf: catalogue, encoding: .utf8)
            .replacingOccurrences(of: monthly, with: offer + monthly)
            .replacingOccurrences(of: "\"major\" : 2", with: "\"major\" : 4")
        return try await BodegaStore.shared.world(catalogue: .text(text), bundleID: app)
    }

    /// The same with an offer of the monthly subscription for those who have a code.
    static func worldWithCode() async throws -> BodegaWorld {
        let offer = """
            "codeOffers" : [ {
              "displayPrice" : "0.49", "eligibility" : [ "existing", "expired", "new" ],
              "internalID" : "5A1C0025", "isStackable" : true, "numberOfPeriods" : 1,
              "paymentMode" : "payAsYouGo", "referenceName" : "\(codeOffer)",
              "subscriptionPeriod" : "P1M"
            } ],
            """
        let none = "\"codeOffers\" : [\n\n          ],"
        let text = try String(contentsOf: catalogue, encoding: .utf8)
        guard let place = text.range(of: none) else { throw Trouble("no place for the offer") }
        let world = try await BodegaStore.shared.world(
            catalogue: .text(text.replacingCharacters(in: place, with: offer)), bundleID: app)
        try await world.post(
            "/apps/\(app)/products/\(monthly)/offer-codes",
            ["offerId": codeOffer, "word": code, "redemptionsMax": 10])
        return world
    }

    /// The buyer redeems the code outside of the app.
    static func redeemCode(in world: BodegaWorld) async throws {
        try await world.post(
            "/apps/\(app)/offer-codes/redeem", ["name": world.buyer.name, "code": code])
    }

    static func product(_ identifier: String) async throws -> Product {
        guard let product = try await Product.products(for: [identifier]).first else {
            throw Trouble("\(identifier) is not for sale")
        }
        return product
    }

    /// Buys, and gives the transaction, which must be verified.
    static func buy(
        _ identifier: String, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let result = try await product(identifier).purchase(options: options)
        guard case .success(let verification) = result else { throw Trouble("got \(result)") }
        return try verification.payloadValue
    }
}

struct Trouble: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Collects what a sequence brings in a task of its own.
final class Collector<Element: Sendable>: Sendable {
    private let heard = Mutex<[Element]>([])
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ listen: @escaping @Sendable (_ hear: @Sendable (Element) -> Void) async -> Void) {
        let task = Task { [heard = UncheckedReference(self)] in
            await listen { element in heard.value?.hear(element) }
        }
        self.task.withLock { $0 = task }
    }

    deinit {
        end()
    }

    private func hear(_ element: Element) {
        heard.withLock { $0.append(element) }
    }

    var all: [Element] { heard.withLock { $0 } }

    /// Waits until this many have come, for two minutes at most.
    func first(_ count: Int = 1) async throws -> [Element] {
        for _ in 0..<12_000 {
            if all.count >= count { return all }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Trouble("heard \(all.count) of \(count): \(all)")
    }

    func end() {
        task.withLock { $0 }?.cancel()
    }

    /// Waits until the task has ended.
    func ended() async {
        await task.withLock { $0 }?.value
    }
}

/// A collector, as its task knows it.
private struct UncheckedReference<Object: AnyObject & Sendable>: Sendable {
    private(set) weak var value: Object?

    init(_ value: Object) {
        self.value = value
    }
}

extension Collector where Element == VerificationResult<Transaction> {
    /// Listens to `Transaction.updates`.
    static func updates() -> Collector {
        // Begun here, not when the task has its turn.
        let updates = Transaction.updates.makeAsyncIterator()
        return Collector { hear in
            var updates = updates
            while let result = await updates.next() { hear(result) }
        }
    }
}

extension Collector where Element == Product.SubscriptionInfo.Status {
    static func statuses() -> Collector {
        let updates = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
        return Collector { hear in
            var updates = updates
            while let status = await updates.next() { hear(status) }
        }
    }
}

extension Transaction.Transactions {
    /// All of a finite sequence, each verified.
    var all: [Transaction] {
        get async throws {
            var all: [Transaction] = []
            for await result in self { all.append(try result.payloadValue) }
            return all
        }
    }

    var products: [String] {
        get async throws { try await all.map(\.productID) }
    }
}

extension BodegaWorld {
    func post(_ path: String, _ body: [String: any Sendable]? = nil) async throws {
        try await control(
            "POST", path, json: try body.map { try JSONSerialization.data(withJSONObject: $0) })
    }

    /// Sells to a customer, the buyer unless another is named, outside of any app.
    func sell(_ productID: String, to account: Account? = nil) async throws {
        try await post(
            "/purchases",
            [
                "account": (account ?? buyer).name, "bundleId": Kiosk.app,
                "productId": productID, "attemptId": UUID().uuidString,
            ])
    }

    /// The numbers of the purchases that wait for approval.
    var approvals: [Int] {
        get async throws {
            struct Approvals: Decodable {
                struct Approval: Decodable {
                    let number: Int
                }

                let approvals: [Approval]
            }

            let answer = try await control("GET", "/approvals")
            return try JSONDecoder().decode(Approvals.self, from: answer).approvals.map(\.number)
        }
    }
}
