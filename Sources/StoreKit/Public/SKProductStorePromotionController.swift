public import CStoreKit
public import Foundation

/// The promoted products that this device shows on the app's store page, and their order.
///
/// ```swift
/// func promote(_ product: SKProduct) async throws {
///     let controller = SKProductStorePromotionController.default()
///     try await controller.update(promotionVisibility: .show, for: product)
///     try await controller.update(promotionOrder: [product])
/// }
/// ```
///
/// Apple: <https://developer.apple.com/documentation/storekit/skproductstorepromotioncontroller>
open class SKProductStorePromotionController: NSObject, @unchecked Sendable {
    private let promotions: StorePromotions
    /// Handlers are called in it. The device's controller does not keep it, since it keeps the
    /// controller.
    private let context: @Sendable () -> StoreContext?

    /// Another controller for the device's settings, for tests that override what they need.
    public override init() {
        let context = StoreContext.current
        promotions = context.promotions
        self.context = { context }
    }

    init(
        promotions: StorePromotions,
        in context: @escaping @Sendable () -> StoreContext? = { nil }
    ) {
        self.promotions = promotions
        self.context = context
    }

    /// The controller of this device.
    open class func `default`() -> Self {
        guard let controller = StoreContext.current.promotionController as? Self else {
            fatalError(
                "SKProductStorePromotionController.default() was called on a subclass: create one")
        }
        return controller
    }

    // Handlers are called on other threads, which sources in Swift 5 mode do not declare:
    // `@preconcurrency` accepts them without a warning, as for imports from Apple's headers.

    private func inContext(_ body: sending @escaping () async -> Void) {
        let context = context()
        Task {
            if let context { await context.run(body) } else { await body() }
        }
    }

    // MARK: - Visibility

    /// Reads whether this device shows a product.
    open func promotionVisibility(
        for product: SKProduct
    ) async throws -> SKProductStorePromotionVisibility {
        try await promotions.visibility(of: product.productIdentifier)
    }

    /// Reads whether this device shows a product. The handler is called on one of StoreKit's
    /// threads.
    @preconcurrency
    open func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: (
            @Sendable (SKProductStorePromotionVisibility, (any Error)?) -> Void
        )? = nil
    ) {
        inContext { [self] in
            do {
                completionHandler?(try await promotionVisibility(for: product), nil)
            } catch {
                completionHandler?(.default, error)
            }
        }
    }

    /// Sets whether this device shows a product.
    open func update(
        promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct
    ) async throws {
        try await promotions.setVisibility(promotionVisibility, of: product.productIdentifier)
    }

    /// Sets whether this device shows a product. The handler is called on one of StoreKit's
    /// threads.
    @preconcurrency
    open func update(
        storePromotionVisibility promotionVisibility: SKProductStorePromotionVisibility,
        for product: SKProduct, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        inContext { [self] in
            do {
                try await update(promotionVisibility: promotionVisibility, for: product)
                completionHandler?(nil)
            } catch {
                completionHandler?(error)
            }
        }
    }

    // MARK: - Order

    /// Reads the order in which this device shows products; empty when it is the catalogue's.
    open func promotionOrder() async throws -> [SKProduct] {
        try await promotions.order()
    }

    /// Reads the order in which this device shows products. The handler is called on one of
    /// StoreKit's threads.
    @preconcurrency
    open func fetchStorePromotionOrder(
        completionHandler: (@Sendable ([SKProduct], (any Error)?) -> Void)? = nil
    ) {
        inContext { [self] in
            do {
                completionHandler?(try await promotionOrder(), nil)
            } catch {
                completionHandler?([], error)
            }
        }
    }

    /// Sets the order in which this device shows products; empty for the catalogue's.
    open func update(promotionOrder: [SKProduct]) async throws {
        try await promotions.setOrder(promotionOrder.map(\.productIdentifier))
    }

    /// Sets the order in which this device shows products. The handler is called on one of
    /// StoreKit's threads.
    @preconcurrency
    open func update(
        storePromotionOrder promotionOrder: [SKProduct],
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        inContext { [self] in
            do {
                try await update(promotionOrder: promotionOrder)
                completionHandler?(nil)
            } catch {
                completionHandler?(error)
            }
        }
    }
}
