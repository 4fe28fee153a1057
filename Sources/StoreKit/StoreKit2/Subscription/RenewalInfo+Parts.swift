public import Foundation

extension Product.SubscriptionInfo.RenewalInfo {
    /// Whether the price of a subscription rises, and whether the customer agreed to it.
    @available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @frozen public enum PriceIncreaseStatus: Hashable, Sendable, BitwiseCopyable {
        /// It does not rise.
        case noIncreasePending
        /// It rises, and the customer did not answer yet.
        case pending
        /// It rises, and the customer agreed or need not.
        case agreed

        /// Its name for people, in English.
        @available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
        public var localizedDescription: String {
            switch self {
            case .noIncreasePending: "No Increase Pending"
            case .pending: "Pending"
            case .agreed: "Agreed"
            }
        }
    }

    /// What comes after the commitment that runs.
    @available(iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *)
    public struct CommitmentInfo: Hashable, Sendable {
        /// The product that follows.
        public let autoRenewPreference: String
        /// How it will be charged.
        public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType
        /// When the commitment ends.
        public let renewalDate: Date
        /// The price of the next commitment.
        public let renewalPrice: Decimal
        /// Whether one will follow.
        public let willAutoRenew: Bool

        /// Nil when something is missing.
        init?(_ payload: PayloadMembers) {
            guard let product = payload.text("commitmentAutoRenewProductId"),
                let plan = payload.text("commitmentRenewalBillingPlanType"),
                let date = payload.date("commitmentRenewalDate"),
                let price = payload.milliunits("commitmentRenewalPrice"),
                let status = payload.integer("commitmentAutoRenewStatus")
            else { return nil }
            autoRenewPreference = product
            renewalBillingPlanType = .init(signedName: plan)
            renewalDate = date
            renewalPrice = price
            willAutoRenew = status == 1
        }
    }

    /// What an app that keeps its own catalogue will sell at the next renewal.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// The developer's text that keeps its requests in order.
        public let consistencyToken: String
        /// The developer's number of the request that sold it.
        public let requestReferenceID: String
        /// The code that taxes are computed by.
        public let taxCode: String
        /// The description of the subscription.
        public let description: String
        /// The name of the subscription.
        public let displayName: String
        /// The length of one period.
        public let period: Product.SubscriptionPeriod
        /// What will be sold.
        public let items: [Item]

        /// One thing that will be sold.
        public struct Item: Hashable, Sendable {
            /// What it is.
            public let details: Transaction.AdvancedCommerceInfo.Item.Details
        }

        /// Nil when something is missing.
        init?(_ payload: PayloadMembers) {
            guard let token = payload.text("consistencyToken"),
                let reference = payload.text("requestReferenceId"),
                let taxCode = payload.text("taxCode"),
                let descriptors = payload.object("descriptors"),
                let description = descriptors.text("description"),
                let displayName = descriptors.text("displayName"),
                let period = payload.period("period")
            else { return nil }
            consistencyToken = token
            requestReferenceID = reference
            self.taxCode = taxCode
            self.description = description
            self.displayName = displayName
            self.period = period
            items = (payload.objects("items") ?? []).compactMap {
                Transaction.AdvancedCommerceInfo.Item.Details($0).map { Item(details: $0) }
            }
        }
    }
}
