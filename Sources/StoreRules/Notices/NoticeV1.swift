/// The type of one notification of version 1 to the app's server.
///
/// Not among them: `RENEWAL`, which Apple removed in 2021. Source: Apple, *notification_type*.
package enum NoticeV1: String, CaseIterable, Sendable {
    case cancel = "CANCEL"
    case consumptionRequest = "CONSUMPTION_REQUEST"
    case didChangeRenewalPref = "DID_CHANGE_RENEWAL_PREF"
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    case didRecover = "DID_RECOVER"
    case didRenew = "DID_RENEW"
    case initialBuy = "INITIAL_BUY"
    case interactiveRenewal = "INTERACTIVE_RENEWAL"
    case priceIncreaseConsent = "PRICE_INCREASE_CONSENT"
    case refund = "REFUND"
    case revoke = "REVOKE"

    /// Whether the sandbox sends it, too. Source: Apple, *notification_type*.
    package var isSentInSandbox: Bool {
        switch self {
        case .cancel, .didChangeRenewalPref, .didChangeRenewalStatus, .didRenew, .initialBuy,
            .interactiveRenewal, .refund:
            true
        case .consumptionRequest, .didFailToRenew, .didRecover, .priceIncreaseConsent, .revoke:
            false
        }
    }

    /// Whether it reports purchases that a customer made, and those shared with them by their
    /// family. Source: Apple, *in_app_ownership_type* and *notification_type*.
    package var audience: Audience {
        switch self {
        case .cancel, .consumptionRequest, .initialBuy, .priceIncreaseConsent, .refund: .purchaser
        case .revoke: .familyMember
        case .didChangeRenewalPref, .didChangeRenewalStatus, .didFailToRenew, .didRecover,
            .didRenew, .interactiveRenewal:
            .both
        }
    }

    package enum Audience: Hashable, Sendable {
        case purchaser, familyMember, both
    }
}
