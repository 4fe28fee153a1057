public import Foundation

extension Transaction {
    /// What an app sold that keeps its own catalogue.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public struct AdvancedCommerceInfo: Hashable, Sendable {
        /// The developer's number of the request that sold it.
        public let requestReferenceID: String
        /// The code that taxes are computed by.
        public let taxCode: String
        /// The tax, as estimated at the sale.
        public let estimatedTax: Decimal
        /// The rate of the tax.
        public let taxRate: Decimal
        /// The price without the tax.
        public let taxExclusivePrice: Decimal
        /// The description of a subscription; nil for other products.
        public let description: String?
        /// The name of a subscription; nil for other products.
        public let displayName: String?
        /// The length of one period of a subscription; nil for other products.
        public let period: Product.SubscriptionPeriod?
        /// What was sold.
        public let items: [Item]

        init?(_ payload: PayloadMembers) {
            guard let reference = payload.text("requestReferenceId"),
                let taxCode = payload.text("taxCode"),
                let estimatedTax = payload.milliunits("estimatedTax"),
                let taxRate = payload.decimal("taxRate"),
                let taxExclusivePrice = payload.milliunits("taxExclusivePrice")
            else { return nil }
            requestReferenceID = reference
            self.taxCode = taxCode
            self.estimatedTax = estimatedTax
            self.taxRate = taxRate
            self.taxExclusivePrice = taxExclusivePrice
            let descriptors = payload.object("descriptors")
            description = descriptors?.text("description")
            displayName = descriptors?.text("displayName")
            period = payload.period("period")
            items = (payload.objects("items") ?? []).compactMap { Item($0) }
        }
    }
}

@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
extension Transaction.AdvancedCommerceInfo {
    /// One thing that was sold.
    public struct Item: Hashable, Sendable {
        /// What it is.
        public let details: Details
        /// What of it was refunded; nil if nothing.
        public let refunds: [Refund]?
        /// When it was revoked.
        public let revocationDate: Date?

        init?(_ payload: PayloadMembers) {
            guard let details = Details(payload) else { return nil }
            self.details = details
            refunds = payload.objects("refunds").map { $0.compactMap { Refund($0) } }
            revocationDate = payload.date("revocationDate")
        }

        /// What a thing is, and its price.
        public struct Details: Hashable, Sendable {
            /// The developer's name of it.
            public let sku: String
            /// Its name for customers.
            public let displayName: String
            /// Its description for customers.
            public let description: String
            /// The offer that it was sold with.
            public let offer: Offer?
            /// Its price.
            public let price: Decimal

            init?(_ payload: PayloadMembers) {
                guard let sku = payload.text("SKU"),
                    let displayName = payload.text("displayName"),
                    let description = payload.text("description"),
                    let price = payload.milliunits("price")
                else { return nil }
                self.sku = sku
                self.displayName = displayName
                self.description = description
                self.price = price
                offer = payload.object("offer").flatMap { Offer($0) }
            }
        }
    }

    /// A lower price for the beginning.
    public struct Offer: Hashable, Sendable {
        /// The price of one period.
        public let price: Decimal
        /// The length of one period.
        public let period: Product.SubscriptionPeriod
        /// The number of periods.
        public let periodCount: Int
        /// Why it was offered.
        public let reason: Reason

        init?(_ payload: PayloadMembers) {
            guard let price = payload.milliunits("price"),
                let period = payload.period("period"),
                let count = payload.integer("periodCount"),
                let reason = payload.text("reason")
            else { return nil }
            self.price = price
            self.period = period
            periodCount = count
            self.reason = Reason(rawValue: reason)
        }

        /// Why something was offered.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The value as Apple writes it, also one that this module does not know.
            public let rawValue: String

            /// A value, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// To win a customer.
            public static let acquisition = Reason(rawValue: "ACQUISITION")
            /// To keep a customer.
            public static let retention = Reason(rawValue: "RETENTION")
            /// To have a customer come back.
            public static let winBack = Reason(rawValue: "WIN_BACK")
        }
    }

    /// What was paid back of one thing.
    public struct Refund: Hashable, Sendable {
        /// Why it was paid back.
        public let reason: Reason
        /// How the amount was found.
        public let type: RefundType
        /// When it was paid back.
        public let date: Date
        /// What was paid back.
        public let amount: Decimal

        init?(_ payload: PayloadMembers) {
            guard let reason = payload.text("refundReason"), let type = payload.text("refundType"),
                let date = payload.date("refundDate"),
                let amount = payload.milliunits("refundAmount")
            else { return nil }
            self.reason = Reason(rawValue: reason)
            self.type = RefundType(rawValue: type)
            self.date = date
            self.amount = amount
        }

        /// Why something was paid back.
        public struct Reason: RawRepresentable, Hashable, Sendable {
            /// The value as Apple writes it, also one that this module does not know.
            public let rawValue: String

            /// A value, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The law requires it.
            public static let legal = Reason(rawValue: "LEGAL")
            /// The subscription's items were changed.
            public static let modifyItems = Reason(rawValue: "MODIFY_ITEMS_REFUND")
            /// The customer did not mean to buy it.
            public static let unintended = Reason(rawValue: "UNINTENDED_PURCHASE")
            /// The customer did not get it.
            public static let unfulfilled = Reason(rawValue: "FULFILLMENT_ISSUE")
            /// The customer does not like it.
            public static let unsatisfied = Reason(rawValue: "UNSATISFIED_WITH_PURCHASE")
            /// Another reason.
            public static let other = Reason(rawValue: "OTHER")
        }

        /// How the amount of a refund was found.
        public struct RefundType: RawRepresentable, Hashable, Sendable {
            /// The value as Apple writes it, also one that this module does not know.
            public let rawValue: String

            /// A value, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The developer chose it.
            public static let custom = RefundType(rawValue: "CUSTOM")
            /// The price of the time left.
            public static let proRated = RefundType(rawValue: "PRORATED")
            /// The whole price.
            public static let full = RefundType(rawValue: "FULL")
        }
    }
}
