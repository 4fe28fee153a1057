import Foundation
import StoreKit

/// The same customer in an app that uses StoreKit 2 alone: what `purchase()` does not return comes by
/// `Transaction.updates`.
@MainActor
final class SignedCustomer {
    private var orders: [Order]
    private let atOnceMax: Int
    private let holdSeconds: Double
    private var products: [String: Product] = [:]
    /// Orders under way, deliveries included.
    private var open = 0
    private var delivering: Set<UInt64> = []
    private var lastNews = Date()

    init(orders: [Order], atOnceMax: Int, holdSeconds: Double) {
        self.orders = orders
        self.atOnceMax = atOnceMax
        self.holdSeconds = holdSeconds
    }

    /// Runs until nothing is left; false when that takes too long.
    func run(settleSeconds: Double, secondsMax: Double) -> Bool {
        Say.line("started")
        Say.line("storekit2")
        let listener = Task {
            for await result in Transaction.updates {
                switch result {
                case .verified(let transaction): await deliver(transaction)
                case .unverified(let transaction, let error):
                    Say.line("unverified", "\(transaction.id)", "\(error)")
                }
            }
        }
        defer { listener.cancel() }
        let end = Date(timeIntervalSinceNow: secondsMax)
        while Date() < end {
            beginOrders()
            if orders.isEmpty, open == 0, Date().timeIntervalSince(lastNews) > settleSeconds {
                Say.line("ended")
                return true
            }
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
        }
        Say.line("stuck", "orders \(orders.count) open \(open)")
        return false
    }

    private func beginOrders() {
        while open < atOnceMax, !orders.isEmpty {
            let order = orders.removeFirst()
            open += 1
            lastNews = Date()
            // Said before anything can end the process: an order is begun once.
            switch order {
            case .restore: Say.line("restoring")
            case .buy(let product, let quantity, let name):
                Say.line("asked", product, name, "\(quantity)")
            }
            Task {
                await carryOut(order)
                open -= 1
                lastNews = Date()
            }
        }
    }

    private func carryOut(_ order: Order) async {
        switch order {
        case .restore:
            do {
                try await AppStore.sync()
                Say.line("restore-finished")
            } catch {
                Say.line("restore-failed")
            }
        case .buy(let id, let quantity, let name):
            guard let token = UUID(uuidString: name) else {
                return Say.line("not-understood", name)
            }
            do {
                let product = try await product(id)
                let result = try await product.purchase(
                    options: [.quantity(quantity), .appAccountToken(token)])
                switch result {
                case .success(.verified(let transaction)): await deliver(transaction)
                case .success(.unverified(let transaction, let error)):
                    Say.line("unverified", "\(transaction.id)", "\(error)")
                case .pending: Say.line("deferred", id, name)
                case .userCancelled: Say.line("failed", id, name)
                }
            } catch StoreKitError.networkError {
                // Perhaps it was bought: then it comes by the updates.
                Say.line("unreachable", id, name)
            } catch {
                Say.line("failed", id, name)
            }
        }
    }

    /// Asks for a product until the store answers.
    private func product(_ id: String) async throws -> Product {
        while true {
            if let known = products[id] { return known }
            do {
                products[id] = try await Product.products(for: [id]).first
                if products[id] == nil { throw Product.PurchaseError.productUnavailable }
            } catch StoreKitError.networkError {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private func deliver(_ transaction: Transaction) async {
        lastNews = Date()
        let number = "\(transaction.id)"
        guard transaction.revocationDate == nil else {
            return Say.line("revoked", transaction.productID, number)
        }
        Say.line(
            "purchased", transaction.productID, number,
            transaction.appAccountToken?.uuidString.lowercased() ?? "-")
        // Said each time that it comes: the auditor judges that.
        guard delivering.insert(transaction.id).inserted else { return }
        open += 1
        try? await Task.sleep(for: .seconds(holdSeconds))
        Say.line("delivered", transaction.productID, number)
        await transaction.finish()
        Say.line("finished", transaction.productID, number)
        open -= 1
        lastNews = Date()
    }
}
