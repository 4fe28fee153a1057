import Foundation
import StoreKit

/// StoreKit 2 for callers with completion handlers, with a protocol between for tests.
public protocol Buyable {
    var id: String { get }
    var displayPrice: String { get }
    func buy(options: Set<Product.PurchaseOption>) async throws -> Product.PurchaseResult
}

extension Product: Buyable {
    public func buy(
        options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        try await purchase(options: options)
    }
}

public enum Outcome: Equatable {
    case bought(String)
    case waits
    case cancelled
    case failed(String)
}

public final class CompletionStore {
    private let account: UUID?

    public init(account: UUID?) {
        self.account = account
    }

    public func buy(
        _ product: Buyable, quantity: Int = 1, offer: (id: String, jws: String)? = nil,
        completion: @escaping (Outcome) -> Void
    ) {
        let options = self.options(quantity: quantity, offer: offer)
        Task {
            do {
                switch try await product.buy(options: options) {
                case .success(.verified(let transaction)):
                    await transaction.finish()
                    completion(.bought(transaction.productID))
                case .success(.unverified(_, let error)):
                    completion(.failed(ErrorSentences.sentence(for: error)))
                case .pending: completion(.waits)
                case .userCancelled: completion(.cancelled)
                @unknown default: completion(.failed("unknown"))
                }
            } catch StoreKitError.userCancelled {
                completion(.cancelled)
            } catch {
                completion(.failed(ErrorSentences.sentence(for: error)))
            }
        }
    }

    public func options(
        quantity: Int, offer: (id: String, jws: String)?
    ) -> Set<Product.PurchaseOption> {
        var options: Set<Product.PurchaseOption> = []
        if let account = account { options.insert(.appAccountToken(account)) }
        if quantity > 1 { options.insert(.quantity(quantity)) }
        if let offer = offer {
            options.formUnion(
                Product.PurchaseOption.promotionalOffer(offer.id, compactJWS: offer.jws))
        }
        options.insert(.onStorefrontChange { $0.countryCode != "ATA" })
        return options
    }

    public func restore(completion: @escaping (Error?) -> Void) {
        Task {
            do {
                try await AppStore.sync()
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    public func originalVersion(completion: @escaping (Result<String, Error>) -> Void) {
        Task {
            do {
                let app = try await AppTransaction.shared
                switch app {
                case .verified(let app): completion(.success(app.originalAppVersion))
                case .unverified(_, let error): completion(.failure(error))
                }
            } catch {
                completion(.failure(error))
            }
        }
    }
}
