import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Notifications of services that the store does not have, which its owner sends.
enum ServiceNotices {
    /// `POST …/notification-targets/{environment}/notifications`
    static func send(
        _ call: StoreCall, _ body: SendNotificationBody, app bundleID: String
    ) async throws -> NotificationBody {
        let environment = try NotificationService.environment(call)
        let time = call.world.time
        return try await call.context.commit { scope in
            let app = try scope.reading.knownApp(bundleID)
            let outbox = Outbox(
                target: try NotificationService.knownTarget(
                    of: app, in: environment, scope.reading),
                maker: try SignedDataMaker(
                    app: app, environment: environment, now: time.now(), scope.reading))
            let number = try outbox.add(body, scope)
            return try NotificationService.found(number, scope.reading).notification
        }
    }
}

extension Outbox {
    /// Stores one that nothing in the store caused.
    fileprivate func add(
        _ asked: SendNotificationBody, _ scope: borrowing WriteScope
    ) throws -> NotificationNumber {
        try asked.check()
        let new = NewNotification(
            uuid: makeUUID().lowercased(),
            notice: NoticeName(asked.notificationType, asked.subtype), madeAt: maker.now)
        switch asked.notificationType {
        case .metadataUpdate, .migration, .priceChange:
            return try addSubscription(new, asked.transactionId ?? "", scope)
        case .rescindConsent: return try addAppData(new, asked.account ?? "", scope)
        case .externalPurchaseToken: return try addToken(new, asked, scope)
        }
    }

    private func addSubscription(
        _ new: NewNotification, _ id: String, _ scope: borrowing WriteScope
    ) throws -> NotificationNumber {
        guard let number = Int64(id), "\(number)" == id,
            let transaction = try scope.reading.transaction(TransactionID(number)),
            transaction.app == target.app, transaction.environment == target.environment,
            try !scope.reading.isRemains(transaction.account),
            try !scope.reading.isDeleted(transaction.account)
        else { throw Refusal.transactionUnknown }
        guard let purchase = try NotifiedPurchase(.transaction(transaction), nil, scope.reading),
            purchase.subscription != nil
        else {
            throw Refusal(
                422, "badField", "transactionId must be that of a subscription.")
        }
        var new = new
        new.account = transaction.account
        new.lane = transaction.original.rawValue
        return try addV2(new, purchase, reason: nil, scope)
    }

    private func addAppData(
        _ new: NewNotification, _ account: String, _ scope: borrowing WriteScope
    ) throws -> NotificationNumber {
        let found = try AccountUpkeepService.find(
            NamedAccountBody(environment: target.environment, name: account), scope.reading)
        guard let got = try scope.reading.appTransaction(of: found.id, in: target.app) else {
            throw Refusal(
                404, "appTransactionUnknown",
                "The customer never had this app on a device; see bodega account app-transaction.")
        }
        var new = new
        new.account = found.id
        new.transaction = maker.appTransaction(got)
        let body = body(of: new)
        new.body = body.json { body.writeAppData(to: &$0) }
        return try scope.add(new, to: target, as: .v2)
    }

    /// A token of the sandbox is known by its first letters.
    ///
    /// Source: Apple, *externalPurchaseId*.
    private func addToken(
        _ new: NewNotification, _ asked: SendNotificationBody, _ scope: borrowing WriteScope
    ) throws -> NotificationNumber {
        let mark = "SANDBOX"
        let isSandbox = target.environment == .sandbox
        let token = asked.externalPurchaseId ?? (isSandbox ? "\(mark)_" : "") + makeUUID()
        _ = try checked(token, "externalPurchaseId", bytesMax: Limits.externalPurchaseIDBytesMax)
        guard token.hasPrefix(mark) == isSandbox else {
            throw Refusal(
                422, "badField",
                "externalPurchaseId begins with \(mark) in the sandbox, and only there.")
        }
        let madeAt = asked.tokenCreationDate ?? maker.now
        guard WorldClock.range.contains(madeAt), madeAt <= maker.now else {
            throw Refusal(
                422, "badField",
                "tokenCreationDate must be in the years 2000 to 2099, and not after "
                    + "\(CalendarDate(maker.now).rfc3339), the world's time.")
        }
        var new = new
        let body = body(of: new)
        new.body = body.json { body.writeToken(token, madeAt: madeAt, to: &$0) }
        return try scope.add(new, to: target, as: .v2)
    }
}

extension SendNotificationBody {
    /// The members that the notification needs are there, and no others.
    fileprivate func check() throws(Refusal) {
        let given = [
            ("subtype", subtype != nil), ("transactionId", transactionId != nil),
            ("account", account != nil), ("externalPurchaseId", externalPurchaseId != nil),
            ("tokenCreationDate", tokenCreationDate != nil),
        ]
        let (needed, taken): (String, [String]) =
            switch notificationType {
            case .externalPurchaseToken: ("subtype", ["externalPurchaseId", "tokenCreationDate"])
            case .metadataUpdate, .migration, .priceChange: ("transactionId", [])
            case .rescindConsent: ("account", [])
            }
        for (name, isGiven) in given where isGiven != (name == needed) && !taken.contains(name) {
            throw Refusal(
                422, "badField",
                "\(name) \(isGiven ? "does not go with" : "is needed for") "
                    + "\(notificationType.rawValue).")
        }
    }
}
