import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreVerification
import StoreWire

extension Announcement {
    /// A notification is to be signed or delivered.
    static let notifications = Announcement("notifications")
}

/// The transaction or subscription that a happening concerns.
enum HappeningSubject: Sendable {
    /// Nothing that an app's server knows.
    case none
    case transaction(StoreTransaction)
    /// A subscription, in its newest period.
    case subscription(SubscriptionRecord)
    /// A new period of a subscription, and what is to come after it.
    case renewal(StoreTransaction, SubscriptionRecord, NextRenewal)

    var transaction: TransactionID? {
        switch self {
        case .none: nil
        case .transaction(let transaction), .renewal(let transaction, _, _): transaction.id
        case .subscription(let kept): kept.newest
        }
    }
}

/// Stores what an app's server is to be notified of in the commit of its cause, with the payloads as
/// they are at that moment.
struct Outbox {
    let target: NotificationTarget
    let maker: SignedDataMaker

    private var now: Timestamp { maker.now }

    /// Stores the notifications of a happening to an account, which is an event of the history.
    func add(
        _ happening: Happening, number event: EventNumber, to account: AccountID,
        about subject: HappeningSubject, _ scope: borrowing WriteScope
    ) throws {
        let notices = Notices.kinds(of: happening, target)
        guard !notices.isEmpty,
            let purchase = try NotifiedPurchase(subject, happening.transition, scope.reading)
        else { return }
        func new(_ notice: NoticeName, _ place: Int) -> NewNotification {
            NewNotification(
                uuid: uuid("\(purchase.transaction.id)/\(event)/\(place)"), event: event,
                notice: notice, account: account, lane: purchase.transaction.original.rawValue,
                madeAt: now)
        }
        let all = notices.enumerated().map { new($1, $0) }
        switch target.version {
        case .v2:
            for new in all { try addV2(new, purchase, reason: happening.refundReason, scope) }
        case .v1: try addV1(all, purchase, scope)
        }
    }

    /// Stores that an extension of all subscribers was carried out; version 1 knows none.
    ///
    /// Source: Apple, *summary*.
    func addSummary(of request: MassExtension, _ scope: borrowing WriteScope) throws {
        guard target.version == .v2 else { return }
        var new = NewNotification(
            uuid: uuid(
                "extension/\(target.environment.rawValue)/\(request.last)/\(request.terms.key)"),
            notice: NoticeName(Notices.extensionsEnded), madeAt: now)
        let body = body(of: new)
        new.body = body.json { json in
            json.object("summary") { json in
                body.writeApp(to: &json)
                json.member("environment", plain: maker.environmentName)
                json.member("failedCount", request.failed)
                json.member("productId", request.terms.product.rawValue)
                json.member("requestIdentifier", request.terms.request)
                if let codes = request.terms.storefronts {
                    json.array("storefrontCountryCodes", codes) { $0.element($1) }
                }
                json.member("succeededCount", request.succeeded)
            }
        }
        try scope.add(new, to: target)
    }

    /// Stores one about a purchase, and its subscription as it is then.
    @discardableResult
    func addV2(
        _ notification: NewNotification, _ purchase: NotifiedPurchase, reason: RefundReason?,
        _ scope: borrowing WriteScope
    ) throws -> NotificationNumber {
        var new = notification
        let payload: [UInt8]
        var renewal: [UInt8]?
        if let kept = purchase.subscription {
            (payload, renewal) = try maker.purchase(
                purchase.transaction, kept, next: purchase.next, scope.reading)
        } else {
            payload = try maker.transaction(purchase.transaction, scope.reading)
        }
        let version = try scope.reading.appVersion(on: purchase.transaction.device)
        let body = body(of: new)
        new.body = body.json { json in
            body.writeData(
                to: &json, bundleVersion: version, reason: reason,
                status: purchase.subscription.map { SignedStatus($0.state.phase) })
        }
        (new.transaction, new.renewal) = (payload, renewal)
        return try scope.add(new, to: target, as: .v2)
    }

    private func addV1(
        _ notifications: [NewNotification], _ purchase: NotifiedPurchase,
        _ scope: borrowing WriteScope
    ) throws {
        guard let receipt = try NotifiedReceipt(of: purchase, maker, scope.reading) else { return }
        for var new in notifications {
            new.body = receipt.body(of: new.notice, hasPassword: target.password != nil)
            new.receipt = try receipt.payload
            try scope.add(new, to: target)
        }
    }

    func body(of new: NewNotification) -> NoticeBody {
        NoticeBody(
            notice: new.notice, uuid: new.uuid, app: maker.app, environment: maker.environment,
            environmentName: maker.environmentName, signedAt: now)
    }

    /// The same for the same cause in worlds of the same seed.
    private func uuid(_ cause: String) -> String {
        makeUUID(Array(sha256(Array("notification/\(cause)".utf8)).prefix(16))).lowercased()
    }
}

extension WriteScope {
    /// Nil for an app whose server has no address in the environment.
    borrowing func outbox(
        of app: AppID, in environment: StoreEnvironment, at now: Timestamp
    ) throws -> Outbox? {
        guard let target = try reading.notificationTarget(of: app, in: environment) else {
            return nil
        }
        return Outbox(
            target: target,
            maker: try SignedDataMaker(
                app: reading.app(app), environment: environment, now: now, reading))
    }
}

/// The purchase that a notification is about, and its subscription as it is after what happened.
struct NotifiedPurchase {
    let transaction: StoreTransaction
    /// Nil for other products.
    let subscription: SubscriptionRecord?
    /// Nil where it is to be read.
    var next: NextRenewal?

    /// `change` is that of the subscription. Nil when there is nothing to report.
    init?(
        _ subject: HappeningSubject, _ change: SubscriptionTransition?,
        _ scope: borrowing ReadScope
    ) throws {
        switch subject {
        case .none:
            // The answer to a question about a price, which names only the subscription's state.
            guard let change,
                let kept = try scope.subscription(change.after.original),
                let newest = try scope.transaction(kept.newest)
            else { return nil }
            (transaction, subscription) = (newest, kept.after(change))
        case .subscription(let kept):
            guard let newest = try scope.transaction(kept.newest) else { return nil }
            (transaction, subscription) = (newest, kept.after(change))
        case .renewal(let period, let kept, let next):
            (transaction, subscription, self.next) = (period, kept, next)
        case .transaction(let one):
            transaction = one
            if one.subscription == nil {
                subscription = nil
            } else if one.share == nil {
                subscription = try scope.subscription(one.original)?.after(change)
            } else {
                subscription = try scope.subscription(seenBy: one)
            }
        }
    }
}

extension SubscriptionRecord {
    /// The rules' state after a change, which may not be stored yet.
    fileprivate func after(_ change: SubscriptionTransition?) -> SubscriptionRecord {
        guard let change else { return self }
        var changed = self
        changed.state = change.after
        return changed
    }
}

extension Happening {
    /// The change of the subscription of the account that it happened to.
    fileprivate var transition: SubscriptionTransition? {
        switch self {
        case .subscribed(let change), .renewed(let change), .renewalFailed(let change),
            .gracePeriodEnded(let change), .expired(_, let change), .renewalChanged(let change),
            .extended(let change, _), .priceIncreased(let change):
            change
        case .priceAnswered(_, _, let change), .refunded(_, _, let change): change
        case .bought, .declined, .finished, .restored, .deleted, .appAccountTokenSet, .periodMoved,
            .storefrontChanged, .replaced, .priceAsked,
            .priceQuestionWithdrawn, .refundRequested, .refundDeclined, .refundReversed, .shared,
            .sharedRenewal, .shareEnded, .extensionFailed:
            nil
        }
    }

    fileprivate var refundReason: RefundReason? {
        guard case .refundRequested(let reason) = self else { return nil }
        return reason
    }
}

extension Notices {
    /// Type and subtype of the notifications that a target gets of a happening.
    fileprivate static func kinds(
        of happening: Happening, _ target: NotificationTarget
    ) -> [NoticeName] {
        switch target.version {
        case .v2: v2(of: happening).map { NoticeName($0) }
        case .v1: v1(of: happening, in: target.environment).map { NoticeName($0) }
        }
    }
}
