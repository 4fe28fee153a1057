extension Product {
    /// How far a view is with getting a product.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public enum TaskState: Sendable {
        /// It has begun.
        case loading
        /// The store does not sell it.
        case unavailable
        /// It did not work, for this reason.
        case failure(any Error)
        /// The product is there.
        case success(Product)
    }

    /// How far a view is with getting products.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public enum CollectionTaskState: Sendable {
        /// It has begun.
        case loading
        /// It did not work, for this reason.
        case failure(any Error)
        /// The products are there; those that the store does not sell are named.
        case success([Product], unavailable: [Product.ID])
    }
}
