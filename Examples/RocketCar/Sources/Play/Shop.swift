import Foundation
import StoreKit

/// The game's products at the store: requested at the start, and again until it answers.
final class Shop {
    static let secondsBetweenTries = 5.0

    private let backend: Backend
    private let changed: () -> Void
    private(set) var shelf = GameState.Shelf.asking
    private var products: [SKProduct] = []
    private var list: ProductList?
    private var isAsking = false
    private var timer: Timer?

    init(backend: Backend, changed: @escaping () -> Void) {
        self.backend = backend
        self.changed = changed
    }

    deinit {
        timer?.invalidate()
    }

    func product(_ identifier: String) -> SKProduct? {
        products.first { $0.productIdentifier == identifier }
    }

    func title(of identifier: String) -> String {
        product(identifier)?.localizedTitle ?? identifier
    }

    /// Asks the backend for its products, then the store which of them are for sale.
    func ask() {
        guard !isAsking else { return }
        isAsking = true
        backend.products { [self] result in
            // Without its server, the game still sells the products it was shipped with.
            let known = (try? result.get()) ?? Garage.knownProducts
            let list = ProductList { [self] result in answered(result) }
            self.list = list
            list.ask(Set(known))
        }
    }

    private func answered(_ result: Result<SKProductsResponse, any Error>) {
        isAsking = false
        switch result {
        case .success(let response):
            timer?.invalidate()
            products = response.products.sorted { $0.localizedTitle < $1.localizedTitle }
            shelf = .open(products.map(Self.offer))
        case .failure(let error):
            // A shelf that is already filled stays: the payment itself asks the store.
            if products.isEmpty { shelf = .closed(reason: error.localizedDescription) }
            askLater()
        }
        changed()
    }

    private func askLater() {
        timer?.invalidate()
        let call = MainThreadCall { [weak self] in self?.ask() }
        timer = Timer.scheduledTimer(
            withTimeInterval: Self.secondsBetweenTries, repeats: false
        ) { _ in call() }
    }

    private static func offer(_ product: SKProduct) -> Offer {
        let quantities = product.productIdentifier == Garage.fuel ? 1...10 : 1...1
        return Offer(
            product: product.productIdentifier, title: product.localizedTitle,
            detail: product.localizedDescription,
            prices: quantities.map { ProductList.price(of: product, quantity: $0) })
    }
}
