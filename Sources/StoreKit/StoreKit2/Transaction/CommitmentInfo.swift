public import Foundation

extension Transaction {
    /// The commitment that one charged period of a subscription belongs to.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public struct CommitmentInfo: Hashable, Sendable {
        /// When the commitment ends.
        public let expirationDate: Date
        /// The number of this period in the commitment, from 1.
        public let billingPeriodNumber: UInt64
        /// The number of periods of the commitment.
        public let totalBillingPeriods: UInt64
        /// The price of the whole commitment.
        public let price: Decimal

        /// Nil when something is missing.
        init?(_ payload: PayloadMembers) {
            guard let end = payload.date("commitmentExpiresDate"),
                let number = payload.unsigned("billingPeriodNumber"),
                let count = payload.unsigned("totalBillingPeriods"),
                let price = payload.milliunits("commitmentPrice")
            else { return nil }
            expirationDate = end
            billingPeriodNumber = number
            totalBillingPeriods = count
            self.price = price
        }
    }
}
