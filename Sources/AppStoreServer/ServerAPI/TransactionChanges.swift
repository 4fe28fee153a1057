import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Changes of transactions by an app's server. A repeated request changes nothing more.
enum TransactionChanges {
    /// *Finish Transaction*.
    static func finish(_ call: StoreCall, _ id: String) async throws -> HTTPResponse {
        let time = call.world.time
        return try await ServerAPI.serve(call) { _ in
            let (account, finished) = try await call.context.commit { scope in
                let caller = try ServerAPICaller(call, scope.reading)
                let found = try caller.transaction(id, scope.reading)
                return (
                    found.account, try FinishService.finish(found, at: time.recordNow(), scope)
                )
            }
            CrashPoint.storeFinishCommitted.reach()
            if finished.isNew {
                call.world.updates.wake(account)
                call.log.event(
                    StoreEvent.finished, ("account", .number(account.rawValue)),
                    ("transaction", .number(finished.transaction.rawValue)))
            }
            return ServerAPI.empty(200)
        }
    }

    /// *Set App Account Token*: of a purchase, or of a subscription's present period and those to
    /// come; earlier periods keep theirs.
    static func setAppAccountToken(_ call: StoreCall, _ id: String) async throws -> HTTPResponse {
        let time = call.world.time
        return try await ServerAPI.serve(call) { _ in
            let text = try ServerAPI.object(call)["appAccountToken"]?.string ?? ""
            guard let token = AppAccountToken(applicationUsername: text) else {
                throw ServerAPIError.invalidAppAccountTokenUUID
            }
            let first = try await call.context.commit { scope in
                let caller = try ServerAPICaller(call, scope.reading)
                let first = try caller.transaction(
                    id, scope.reading, unknown: .originalTransactionIDNotFound)
                guard first.share == nil else {
                    throw ServerAPIError.familyTransactionNotSupported
                }
                guard first.original == first.id, first.restoration == nil else {
                    throw ServerAPIError.transactionIDIsNotOriginalTransactionID
                }
                guard let found = try scope.reading.subscription(first.id) else {
                    if first.applicationUsername != token.text {
                        try set(token, of: first, at: time.recordNow(), scope)
                    }
                    return first
                }
                // A period that is due begins with the token before.
                var kept = try Settlement.settled(
                    found, until: time.now(), time: time, scope)
                guard let newest = try scope.reading.transaction(kept.newest) else {
                    throw DatabaseError(
                        code: .notADatabase, detail: "a subscription without transaction")
                }
                let isSet =
                    kept.applicationUsername == token.text
                    && newest.applicationUsername == token.text
                if !isSet {
                    kept.applicationUsername = token.text
                    try scope.save(kept)
                    try set(token, of: newest, at: time.recordNow(), scope)
                }
                return first
            }
            call.world.renewals.wake()
            call.world.updates.wake(first.account)
            call.world.wakeFamily(of: first.account)
            call.log.event(
                StoreEvent.appAccountTokenSet, ("account", .number(first.account.rawValue)),
                ("transaction", .number(first.id.rawValue)))
            return ServerAPI.empty(200)
        }
    }

    private static func set(
        _ token: AppAccountToken, of transaction: StoreTransaction, at time: Timestamp,
        _ scope: borrowing WriteScope
    ) throws {
        try scope.setApplicationUsername(token.text, of: transaction.id)
        try scope.record(.appAccountTokenSet, of: transaction, at: time)
    }

    /// *Extend a Subscription Renewal Date*.
    static func extend(_ call: StoreCall, _ id: String) async throws -> HTTPResponse {
        let time = call.world.time
        return try await ServerAPI.serve(call) { caller in
            let (days, request) = try RenewalExtension.terms(in: try ServerAPI.object(call))
            let original = try call.world.database.read { scope in
                let first = try caller.transaction(
                    id, scope, malformed: .invalidOriginalTransactionID,
                    unknown: .originalTransactionIDNotFound)
                guard first.original == first.id else {
                    throw ServerAPIError.originalTransactionIDNotFound
                }
                guard first.share == nil else {
                    throw ServerAPIError.familySharedSubscriptionExtensionIneligible
                }
                guard first.kind == .autoRenewable else {
                    throw ServerAPIError.subscriptionExtensionIneligible
                }
                return first.id
            }
            let kept: SubscriptionRecord
            do {
                kept = try await SubscriptionService.carryOut(
                    .extend(days: days, from: nil, request: request), on: "\(original)", call
                ) { id, scope in
                    _ = try ServerAPICaller(call, scope)
                    guard let kept = try scope.subscription(id) else {
                        throw ServerAPIError.subscriptionExtensionIneligible
                    }
                    try RenewalExtension.check(kept, request, at: time.now(), scope)
                }
            } catch let refusal as Refusal where refusal.status == 409 {
                // The period ended, or its payment began, a moment ago.
                throw ServerAPIError.subscriptionExtensionIneligible
            }
            let line = try call.world.database.read { try $0.transaction(kept.newest) }
            return try .json(
                encoding: ExtendRenewalDateAnswer(
                    effectiveDate: kept.state.expiresAt, originalTransactionId: "\(original)",
                    success: true, webOrderLineItemId: line.map { "\($0.webOrderLineItem)" }))
        }
    }
}
