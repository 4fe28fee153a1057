import StoreModel

// The row of a happening in a world's history.
extension Event.Kind {
    /// Several happenings have one kind: devices treat them alike.
    init(_ happening: Happening) {
        self =
            switch happening {
            case .bought, .subscribed: .purchased
            case .finished: .finished
            case .restored: .restored
            case .deleted: .deleted
            case .appAccountTokenSet: .appAccountTokenSet
            case .periodMoved: .periodMoved
            case .replaced: .replaced
            case .declined: .declined
            case .refunded, .shareEnded: .revoked
            case .refundRequested: .refundRequested
            case .refundDeclined: .refundDeclined
            case .refundReversed: .refundReversed
            case .storefrontChanged: .storefrontChanged
            case .priceAsked, .priceAnswered, .priceQuestionWithdrawn: .priceConsent
            case .renewed, .sharedRenewal: .renewed
            case .renewalFailed: .renewalFailed
            case .gracePeriodEnded: .gracePeriodEnded
            case .expired: .expired
            case .renewalChanged: .renewalChanged
            case .extended: .extended
            case .extensionFailed: .extensionFailed
            case .priceIncreased: .priceIncreased
            case .shared: .shared
            }
    }
}

extension Happening {
    /// The subject of its event, as `Event.Kind` says.
    var eventSubject: String? {
        switch self {
        case .declined(let attempt): attempt.rawValue
        case .refundRequested(let reason): reason.rawValue
        case .storefrontChanged(let place): place.countryCode
        case .priceAsked(let question), .priceQuestionWithdrawn(let question),
            .priceAnswered(let question, _, _):
            "\(question)"
        case .expired(let reason, _): "\(reason.rawValue)"
        case .renewalFailed(let change):
            change.after.phase.graceUntil.map { CalendarDate($0).rfc3339 }
        case .renewalChanged(let change): change.after.renewsAs?.rawValue
        case .extended(_, let request): request
        case .extensionFailed(let request): request
        case .bought, .finished, .restored, .deleted, .appAccountTokenSet, .subscribed, .replaced,
            .renewed, .gracePeriodEnded, .periodMoved, .priceIncreased, .refunded,
            .refundDeclined, .refundReversed, .shared, .sharedRenewal, .shareEnded:
            nil
        }
    }
}

extension Subscription {
    /// The product of the next period; nil when renewal is off.
    fileprivate var renewsAs: ProductID? { isAutoRenewing ? productToRenew : nil }
}

extension SubscriptionRecord {
    /// The transition from an earlier state to the present one.
    func changed(from before: Subscription) -> SubscriptionTransition {
        SubscriptionTransition(from: before, to: state)
    }
}
