/// The types of notifications with their subtypes, as an app's server may ask for them.
///
/// Source: Apple, *notificationType* and *subtype* (App Store Server Notifications).
package enum NotificationPairs {
    private static let subtypes: [String: Set<String>] = [
        "CONSUMPTION_REQUEST": [], "DID_CHANGE_RENEWAL_PREF": ["DOWNGRADE", "UPGRADE"],
        "DID_CHANGE_RENEWAL_STATUS": ["AUTO_RENEW_DISABLED", "AUTO_RENEW_ENABLED"],
        "DID_FAIL_TO_RENEW": ["GRACE_PERIOD"], "DID_RENEW": ["BILLING_RECOVERY"],
        "EXPIRED": ["BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE", "VOLUNTARY"],
        "EXTERNAL_PURCHASE_TOKEN": ["ACTIVE_TOKEN_REMINDER", "CREATED", "UNREPORTED"],
        "GRACE_PERIOD_EXPIRED": [], "METADATA_UPDATE": [], "MIGRATION": [],
        "OFFER_REDEEMED": ["DOWNGRADE", "UPGRADE"], "ONE_TIME_CHARGE": [], "PRICE_CHANGE": [],
        "PRICE_INCREASE": ["ACCEPTED", "PENDING"], "REFUND": [], "REFUND_DECLINED": [],
        "REFUND_REVERSED": [], "RENEWAL_EXTENDED": [],
        "RENEWAL_EXTENSION": ["FAILURE", "SUMMARY"], "RESCIND_CONSENT": [], "REVOKE": [],
        "SUBSCRIBED": ["INITIAL_BUY", "RESUBSCRIBE"], "TEST": [],
    ]

    /// Whether both are known and belong together. Either may be absent, the subtype alone only
    /// with its type.
    package static func isKnown(_ kind: String?, _ subtype: String?) -> Bool {
        guard let kind else { return subtype == nil }
        guard let known = subtypes[kind] else { return false }
        return subtype.map(known.contains) ?? true
    }

    /// All pairs that a type, or none, and a subtype, or none, stand for.
    package static func all(
        of kind: String?, _ subtype: String?
    ) -> [(kind: String, subtype: String?)] {
        if let kind, let subtype { return [(kind, subtype)] }
        return subtypes.filter { kind == nil || $0.key == kind }.flatMap { kind, subtypes in
            [(kind, nil)] + subtypes.map { (kind, $0) }
        }
    }
}
