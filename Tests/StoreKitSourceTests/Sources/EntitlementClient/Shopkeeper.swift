import Foundation
import StoreKit

public typealias Transaction = StoreKit.Transaction
public typealias RenewalInfo = StoreKit.Product.SubscriptionInfo.RenewalInfo
public typealias RenewalState = StoreKit.Product.SubscriptionInfo.RenewalState

public enum ShopkeeperError: Error {
    case failedVerification
}

/// One object that lists, buys and listens, for the screens of a shop.
@MainActor
public final class Shopkeeper {
    public private(set) var cars: [Product] = []
    public private(set) var fuel: [Product] = []
    public private(set) var subscriptions: [Product] = []
    public private(set) var ownedIdentifiers: Set<String> = []
    public private(set) var groupState: RenewalState?

    private var listener: Task<Void, Error>?

    public init() {}

    deinit {
        listener?.cancel()
    }

    public func open(_ identifiers: [String]) async {
        listener = listen()
        await load(identifiers)
        await updateOwned()
    }

    private func listen() -> Task<Void, Error> {
        Task.detached {
            for await result in Transaction.updates {
                do {
                    let transaction = try Self.verified(result)
                    await self.updateOwned()
                    await transaction.finish()
                } catch {
                    print("a transaction failed verification: \(error)")
                }
            }
        }
    }

    private func load(_ identifiers: [String]) async {
        do {
            for product in try await Product.products(for: identifiers) {
                switch product.type {
                case .consumable: fuel.append(product)
                case .nonConsumable: cars.append(product)
                case .autoRenewable: subscriptions.append(product)
                default: print("unknown kind: \(product.type.rawValue)")
                }
            }
            cars.sort { $0.price < $1.price }
            subscriptions.sort {
                ($0.subscription?.groupLevel ?? 0) < ($1.subscription?.groupLevel ?? 0)
            }
        } catch {
            print("no products: \(error.localizedDescription)")
        }
    }

    public func purchase(_ product: Product) async throws -> Transaction? {
        let result = try await product.purchase()
        switch result {
        case .success(let verification):
            let transaction = try Self.verified(verification)
            await updateOwned()
            await transaction.finish()
            return transaction
        case .userCancelled, .pending:
            return nil
        @unknown default:
            return nil
        }
    }

    public func isPurchased(_ identifier: String) async throws -> Bool {
        guard let result = await Transaction.latest(for: identifier) else { return false }
        let transaction = try Self.verified(result)
        return transaction.revocationDate == nil && !transaction.isUpgraded
    }

    private func updateOwned() async {
        var owned: Set<String> = []
        for await result in Transaction.currentEntitlements {
            guard let transaction = try? Self.verified(result) else { continue }
            switch transaction.productType {
            case .nonConsumable, .autoRenewable: owned.insert(transaction.productID)
            case .nonRenewable:
                let year = DateComponents(year: 1)
                let end = Calendar.current.date(byAdding: year, to: transaction.purchaseDate)
                if let end = end, end > Date() { owned.insert(transaction.productID) }
            default: break
            }
        }
        ownedIdentifiers = owned
        groupState = try? await subscriptions.first?.subscription?.status.first?.state
    }

    nonisolated public static func verified<T>(_ result: VerificationResult<T>) throws -> T {
        switch result {
        case .unverified: throw ShopkeeperError.failedVerification
        case .verified(let safe): return safe
        }
    }
}
