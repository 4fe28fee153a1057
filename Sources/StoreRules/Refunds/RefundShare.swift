package import StoreModel

/// The facts for deciding on a refund.
package struct RefundFacts: Hashable, Sendable {
    package let kind: ProductKind
    package let purchasedAt: Timestamp
    /// The end of the paid period of an auto-renewable subscription.
    package let expiresAt: Timestamp?
    /// Another product replaced the period, and its rest was refunded then.
    package let isUpgraded: Bool
    /// The amount charged and not refunded yet.
    package let charged: Money
    /// Whether it was revoked, by hand or by a refund.
    package let isTakenBack: Bool

    package init(
        kind: ProductKind, purchasedAt: Timestamp, expiresAt: Timestamp? = nil,
        isUpgraded: Bool = false, charged: Money, isTakenBack: Bool = false
    ) {
        self.kind = kind
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.isUpgraded = isUpgraded
        self.charged = charged
        self.isTakenBack = isTakenBack
    }
}

/// How much of a purchase can still be refunded.
enum RefundShare {
    /// For a subscription, the rest of its period at this moment; for anything else, the part that
    /// the app reported as not consumed; in thousandths of a percent, rounded to the nearest.
    /// Source: Apple, *revocationPercentage*.
    static func left(
        of facts: RefundFacts, _ answer: Consumption?, at now: Timestamp
    ) throws(RefundRequestRefusal) -> Int64 {
        guard facts.kind == .autoRenewable else {
            guard let consumed = answer?.consumptionPercentage else { throw .consumptionUnknown }
            return Percentage.whole - consumed
        }
        guard let end = facts.expiresAt, !facts.isUpgraded else { return 0 }
        let whole = end.milliseconds - facts.purchasedAt.milliseconds
        let left = max(0, min(whole, end.milliseconds - now.milliseconds))
        guard whole > 0 else { return 0 }
        return part(left, of: whole, times: Percentage.whole)
    }

    /// `part` · `factor` / `whole`, rounded to the nearest. The parts are not below 0, and `part` is
    /// not above `whole`.
    private static func part(_ part: Int64, of whole: Int64, times factor: Int64) -> Int64 {
        var product = part.multipliedFullWidth(by: factor)
        let (low, carries) = product.low.addingReportingOverflow(UInt64(whole / 2))
        product = (product.high + (carries ? 1 : 0), low)
        return whole.dividingFullWidth(product).quotient
    }
}
