/// One notification of version 2 to the app's server, without its data.
package struct NoticeV2: Hashable, Sendable {
    /// What the store can report. Source: Apple, *notificationType*.
    ///
    /// Not among them: `EXTERNAL_PURCHASE_TOKEN`, `METADATA_UPDATE`, `MIGRATION`, `PRICE_CHANGE`,
    /// `RESCIND_CONSENT` and `UNCLAIM_SEATS`, which report services that the store does not have;
    /// and `TEST`, which follows from a request rather than from anything that happened.
    package enum Kind: String, CaseIterable, Sendable {
        case consumptionRequest = "CONSUMPTION_REQUEST"
        case didChangeRenewalPref = "DID_CHANGE_RENEWAL_PREF"
        case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
        case didFailToRenew = "DID_FAIL_TO_RENEW"
        case didRenew = "DID_RENEW"
        case expired = "EXPIRED"
        case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
        case offerRedeemed = "OFFER_REDEEMED"
        case oneTimeCharge = "ONE_TIME_CHARGE"
        case priceIncrease = "PRICE_INCREASE"
        case refund = "REFUND"
        case refundDeclined = "REFUND_DECLINED"
        case refundReversed = "REFUND_REVERSED"
        case renewalExtended = "RENEWAL_EXTENDED"
        case renewalExtension = "RENEWAL_EXTENSION"
        case revoke = "REVOKE"
        case subscribed = "SUBSCRIBED"
    }

    /// Source: Apple, *subtype*.
    package enum Subtype: String, CaseIterable, Sendable {
        case accepted = "ACCEPTED"
        case autoRenewDisabled = "AUTO_RENEW_DISABLED"
        case autoRenewEnabled = "AUTO_RENEW_ENABLED"
        case billingRecovery = "BILLING_RECOVERY"
        case billingRetry = "BILLING_RETRY"
        case downgrade = "DOWNGRADE"
        case failure = "FAILURE"
        case gracePeriod = "GRACE_PERIOD"
        case initialBuy = "INITIAL_BUY"
        case pending = "PENDING"
        case priceIncrease = "PRICE_INCREASE"
        case productNotForSale = "PRODUCT_NOT_FOR_SALE"
        case resubscribe = "RESUBSCRIBE"
        case summary = "SUMMARY"
        case upgrade = "UPGRADE"
        case voluntary = "VOLUNTARY"
    }

    package let kind: Kind
    package let subtype: Subtype?

    package init(_ kind: Kind, _ subtype: Subtype? = nil) {
        self.kind = kind
        self.subtype = subtype
    }
}
