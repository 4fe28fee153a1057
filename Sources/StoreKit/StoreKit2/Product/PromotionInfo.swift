import CStoreKit

extension Product {
    /// Whether this device shows a promoted product on the app's store page.
    ///
    /// ```swift
    /// func hide(_ product: Product) async throws {
    ///     try await Product.PromotionInfo.updateProductVisibility(.hidden, for: product.id)
    /// }
    /// ```
    ///
    /// Apple: <https://developer.apple.com/documentation/storekit/product/promotioninfo>
    @available(iOS 16.4, *)
    public struct PromotionInfo: Equatable {
        /// The product's identifier.
        public let productID: Product.ID
        /// Whether this device shows it; `update()` tells the store page.
        public var visibility: Visibility

        /// Whether this device shows a product.
        public enum Visibility: Int, Hashable, Sendable {
            /// As the catalogue has it.
            case appStoreConnectDefault
            /// Yes.
            case visible
            /// No.
            case hidden
        }

        init(productID: Product.ID, visibility: Visibility) {
            self.productID = productID
            self.visibility = visibility
        }

        /// Saves `visibility`.
        ///
        /// - Throws: `StoreKitError`.
        public func update() async throws {
            try await Self.updateProductVisibility(visibility, for: productID)
        }

        /// The products in the order in which this device shows them; empty when it is the
        /// catalogue's.
        ///
        /// - Throws: `StoreKitError`.
        public static var currentOrder: [PromotionInfo] {
            get async throws {
                try await Self.saying {
                    let promotions = StoreContext.current.promotions
                    var infos: [PromotionInfo] = []
                    for product in try await promotions.order() {
                        let id = product.productIdentifier
                        let visibility = try await promotions.visibility(of: id)
                        infos.append(
                            PromotionInfo(productID: id, visibility: Visibility(visibility)))
                    }
                    return infos
                }
            }
        }

        /// Sets the order in which this device shows products; of none, the catalogue's.
        ///
        /// - Throws: `StoreKitError`.
        public static func updateProductOrder(
            byID order: some Collection<Product.ID>
        ) async throws {
            let identifiers = Array(order)
            try await Self.saying {
                try await StoreContext.current.promotions.setOrder(identifiers)
            }
        }

        /// Sets whether this device shows a product.
        ///
        /// - Throws: `StoreKitError`.
        public static func updateProductVisibility(
            _ visibility: Visibility, for productID: Product.ID
        ) async throws {
            try await Self.saying {
                try await StoreContext.current.promotions.setVisibility(
                    SKProductStorePromotionVisibility(rawValue: visibility.rawValue) ?? .default,
                    of: productID)
            }
        }

        /// Saves the order and the visibility of products.
        ///
        /// - Throws: `StoreKitError`; what came before it stays saved.
        public static func updateAll(
            _ promotions: some Collection<PromotionInfo>
        ) async throws {
            let all = promotions.map { ($0.productID, $0.visibility) }
            try await updateProductOrder(byID: all.map(\.0))
            for (productID, visibility) in all {
                try await updateProductVisibility(visibility, for: productID)
            }
        }

        /// With the errors of StoreKit 2 in place of the ones of StoreKit 1.
        private static func saying<Answer>(
            _ body: () async throws -> Answer
        ) async throws -> Answer {
            do { return try await body() } catch { throw StoreKitError.systemError(error) }
        }
    }
}

extension Product.PromotionInfo.Visibility {
    fileprivate init(_ visibility: SKProductStorePromotionVisibility) {
        self = Self(rawValue: visibility.rawValue) ?? .appStoreConnectDefault
    }
}
