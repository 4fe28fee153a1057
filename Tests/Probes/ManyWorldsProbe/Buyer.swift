import BodegaTesting
import Foundation
import FoundationNetworking
import StoreKit
import Synchronization

enum Rocket {
    static let catalogue = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Examples/RocketCar/RocketCar.storekit").standardizedFileURL
    static let app = "com.example.rocketcar"
    static let fuel = "com.example.rocketcar.fuel"
    static let club = "com.example.rocketcar.club"

    static func world() async throws -> BodegaWorld {
        try await BodegaStore.shared.world(catalogue: .file(catalogue), bundleID: app)
    }
}

/// An app that buys, hears what became of it, and finishes.
final class Buyer: NSObject, SKPaymentTransactionObserver, Sendable {
    struct Heard: Sendable {
        var purchases: [String] = []
        var failures: [String] = []
        var revoked: [String] = []
    }

    private let state = Mutex(Heard())
    var heard: Heard { state.withLock { $0 } }

    /// Listens in the task's store.
    func listen() {
        SKPaymentQueue.default().add(self)
    }

    /// Buys in the task's store.
    func buy(_ product: String) {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        SKPaymentQueue.default().add(payment)
    }

    /// Waits until what it heard is enough, for two minutes at most.
    func hears(_ what: String, _ isEnough: (Heard) -> Bool) async throws {
        for _ in 0..<12_000 {
            if isEnough(heard) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Unheard(description: "never heard \(what); heard \(heard)")
    }

    struct Unheard: Error, CustomStringConvertible {
        let description: String
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased:
                let product = transaction.payment.productIdentifier
                state.withLock { $0.purchases.append(product) }
                queue.finishTransaction(transaction)
            case .failed:
                let sentence = transaction.error?.localizedDescription ?? ""
                state.withLock { $0.failures.append(sentence) }
                queue.finishTransaction(transaction)
            default: break
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers products: [String]
    ) {
        state.withLock { $0.revoked += products }
    }
}

/// What a backend learns about the receipt of the task's device.
struct Verdict: Decodable {
    struct Receipt: Decodable {
        struct Purchase: Decodable {
            let product_id: String
        }

        let in_app: [Purchase]
    }

    let status: Int
    let latest_receipt_info: [Receipt.Purchase]?
    let receipt: Receipt?

    /// Sends the receipt to the world's verifyReceipt.
    init(in world: BodegaWorld, secret: String) async throws {
        let path = Bundle.main.appStoreReceiptURL
        let receipt = try path.map { try Data(contentsOf: $0) } ?? Data()
        var request = URLRequest(url: world.verifyReceiptURL)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(
            ["receipt-data": receipt.base64EncodedString(), "password": secret])
        let (answer, _) = try await URLSession.shared.data(for: request)
        self = try JSONDecoder().decode(Verdict.self, from: answer)
    }
}

extension BodegaWorld {
    /// A secret with which subscriptions are verified.
    func makeSecret() async throws -> String {
        struct Made: Decodable {
            let secret: String
        }
        let answer = try await control(
            "POST", "/apps/\(bundleID)/secrets", json: Data("{}".utf8))
        return try JSONDecoder().decode(Made.self, from: answer).secret
    }

    /// What a test does in a world: it subscribes, renews, and has the receipt verified. Nil when
    /// all went well; a sentence that says what was wrong otherwise.
    func live() async throws -> String? {
        let secret = try await makeSecret()
        let buyer = Buyer()
        try await run {
            buyer.listen()
            buyer.buy(Rocket.club)
        }
        try await buyer.hears("the first period") { $0.purchases.count == 1 }
        let renewals = try await advance(.days(31)).renewals
        try await buyer.hears("the second period") { $0.purchases.count == 2 }
        let verdict = try await run { try await Verdict(in: self, secret: secret) }
        let sales = try await transactions()
        guard renewals == 1, sales.count == 2, verdict.status == 0,
            verdict.latest_receipt_info?.count == 2, buyer.heard.failures.isEmpty,
            buyer.heard.purchases == [Rocket.club, Rocket.club]
        else {
            return "\(renewals) renewals, \(sales.count) sales, \(verdict), \(buyer.heard)"
        }
        return nil
    }
}
