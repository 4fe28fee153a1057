import Observation
import StoreKit

/// The state of a shop's screen.
@MainActor @Observable
public final class ShopModel {
    public enum Phase: Sendable {
        case idle, buying(Product.ID), waiting
        case failed(any Error)
    }

    public private(set) var products: [Product] = []
    public private(set) var phase = Phase.idle
    @ObservationIgnored private var updates: Task<Void, Never>?

    private let identifiers: [Product.ID]

    public init(identifiers: [Product.ID]) {
        self.identifiers = identifiers
    }

    public func appear() {
        updates = Task { [weak self] in
            for await result in Transaction.updates {
                guard let transaction = try? result.payloadValue else { continue }
                self?.phase = .idle
                await transaction.finish()
            }
        }
    }

    public func disappear() {
        updates?.cancel()
        updates = nil
    }

    public func load() async {
        do {
            products = try await Product.products(for: Set(identifiers))
                .sorted(using: KeyPathComparator(\.price))
        } catch {
            phase = .failed(error)
        }
    }

    public func buy(_ product: Product, for user: UUID) async {
        phase = .buying(product.id)
        do {
            let result = try await product.purchase(options: [.appAccountToken(user)])
            switch result {
            case .success(let verification):
                let transaction = try verification.payloadValue
                await transaction.finish()
                phase = .idle
            case .pending: phase = .waiting
            case .userCancelled: phase = .idle
            @unknown default: phase = .idle
            }
        } catch {
            phase = .failed(error)
        }
    }

    public func goOn() async {
        for await intent in PurchaseIntent.intents {
            var options: Set<Product.PurchaseOption> = []
            if let offer = intent.offer, offer.type == .winBack {
                options.insert(.winBackOffer(offer))
            }
            _ = try? await intent.product.purchase(options: options)
        }
    }
}
