import StoreDatabase
import StoreModel
import StoreRules
import StoreWire

/// A subscription's next renewal in signed data. Source: Apple,
/// *JWSRenewalInfoDecodedPayload*.
struct SignedRenewal {
    let kept: SubscriptionRecord
    let appTransaction: AppTransactionID?
    let next: NextRenewal
    let environmentName: String
    let device: SignedDevice?
    let signedAt: Timestamp

    func write(to json: inout JSONWriter) {
        let state = kept.state
        let info = RenewalInfo(state)
        if let token = kept.appAccountToken { json.member("appAccountToken", plain: token.text) }
        if let appTransaction { json.member("appTransactionId", plain: "\(appTransaction)") }
        json.member("autoRenewProductId", info.product.rawValue)
        json.member("autoRenewStatus", state.isAutoRenewing ? 1 : 0)
        if let price = next.price { json.member("currency", plain: price.currency.code) }
        device?.write(to: &json)
        let winBacks = next.winBacks.compactMap(\.id)
        if !winBacks.isEmpty {
            json.array("eligibleWinBackOfferIds", winBacks) { $0.element($1) }
        }
        json.member("environment", plain: environmentName)
        // A subscription in its days of grace has not expired.
        if state.phase.graceUntil == nil, let intent = info.expirationIntent {
            json.member("expirationIntent", intent)
        }
        if let end = state.phase.graceUntil {
            json.member("gracePeriodExpiresDate", end.milliseconds)
        }
        if let isTried = info.isInBillingRetry { json.member("isInBillingRetryPeriod", isTried) }
        info.offer?.write(to: &json)
        json.member("originalTransactionId", plain: "\(kept.original)")
        if let increase = info.increase { json.member("priceIncreaseStatus", increase ? 1 : 0) }
        json.member("productId", state.product.rawValue)
        json.member("recentSubscriptionStartDate", state.runStartedAt.milliseconds)
        json.member("renewalDate", state.expiresAt.milliseconds)
        if let price = next.price { json.member("renewalPrice", price.milliunits) }
        json.member("signedDate", signedAt.milliseconds)
    }
}

/// A subscription's status by its number. Source: Apple, *status*.
enum SignedStatus: Int, CaseIterable {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case gracePeriod = 4
    case revoked = 5

    init(_ phase: Subscription.Phase) {
        self =
            switch phase {
            case .active: .active
            case .expired: .expired
            case .billingRetry: .billingRetry
            case .gracePeriod: .gracePeriod
            case .revoked: .revoked
            }
    }
}

extension SubscriptionRecord {
    /// The app's user of the next period, as servers see it.
    var appAccountToken: AppAccountToken? {
        applicationUsername.flatMap { AppAccountToken(applicationUsername: $0) }
    }
}
