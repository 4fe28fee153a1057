public import Foundation
import StoreModel
import StoreWire

extension BodegaWorld {
    /// A transaction as the store recorded it.
    ///
    /// ```swift
    /// func paidPeriods(of product: String, in world: BodegaWorld) async throws -> Int {
    ///     try await world.transactions().count { $0.productID == product && !$0.isRevoked }
    /// }
    /// ```
    public struct Sale: Hashable, Sendable {
        /// Its number, as receipts have it.
        public let transactionID: String
        /// The number of the first transaction of the subscription, or its own.
        public let originalTransactionID: String
        /// The product that was sold.
        public let productID: String
        /// The app that it was sold in.
        public let bundleID: String
        /// The name of the buyer, or of the family member who has this copy.
        public let account: String
        /// How many.
        public let quantity: Int
        /// When, by the world's clock.
        public let purchaseDate: Date
        /// The end of the period that it paid for; nil unless it is of a subscription.
        public let expiresDate: Date?
        /// The price of the whole quantity, in thousandths of the currency's unit.
        public let priceMilliunits: Int64
        /// The currency's code, such as `USD`.
        public let currency: String
        /// Whether an app finished it.
        public let isFinished: Bool
        /// Whether it was refunded or taken back.
        public let isRevoked: Bool

        init(_ body: SaleBody) {
            transactionID = body.sold.transactionId
            originalTransactionID = body.sold.originalTransactionId
            productID = body.sold.productId
            bundleID = body.sold.bundleId
            account = body.account
            quantity = body.sold.quantity
            purchaseDate = Date(milliseconds: body.sold.purchasedAt)
            expiresDate = body.expiresAt.map { Date(milliseconds: $0.milliseconds) }
            priceMilliunits = body.sold.priceMilliunits
            currency = body.sold.currency
            isFinished = body.finishedAt != nil
            isRevoked = body.sold.revokedAt != nil
        }
    }
}

extension Date {
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    var timestamp: Timestamp {
        Timestamp(milliseconds: Int64((timeIntervalSince1970 * 1_000).rounded()))
    }
}
