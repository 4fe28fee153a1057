import CrashPoints
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Sets how an account's purchases proceed, and resolves what interrupted them.
enum AccountSettingsService {
    /// `POST /control/v1/accounts/settings`: purchases that wait go on waiting.
    static func set(_ call: StoreCall, _ body: AccountSettingsBody) async throws -> AccountBody {
        try await AccountUpkeepService.change(
            call, body.named, event: .accountChanged
        ) { scope, account in
            let before = try scope.reading.settings(of: account.id)
            let settings = AccountSettings(
                needsApproval: body.needsApproval ?? before.needsApproval,
                interruptsPurchases: body.interruptsPurchases ?? before.interruptsPurchases,
                failsRenewals: body.failsRenewals ?? before.failsRenewals)
            try scope.setSettings(settings, of: account.id)
        }
    }

    /// `POST /control/v1/accounts/resolve`: makes the interrupted purchases; a repeated request
    /// finds none left.
    static func resolve(_ call: StoreCall, _ body: NamedAccountBody) async throws
        -> ResolvedPurchasesBody
    {
        let time = call.world.time
        let resolved = try await call.context.commit { scope in
            let account = try AccountUpkeepService.find(body, scope.reading)
            let waiting = try scope.reading.interruptedPurchases(of: account.id)
            var resolved: [ResolvedPurchaseBody] = []
            for each in waiting {
                let attempt = try each.complete(scope, time: time)
                try scope.answer(each, .approved, now: time.recordNow())
                resolved.append(ResolvedPurchaseBody(each, became: attempt))
            }
            return (account: account, purchases: resolved)
        }
        CrashPoint.storeApprovalCommitted.reach()
        call.world.renewals.wake()
        call.world.updates.wake(resolved.account.id)
        call.world.wakeFamily(of: resolved.account.id)
        call.log.event(
            StoreEvent.interruptionResolved,
            ("account", .number(resolved.account.id.rawValue)),
            ("purchases", .number(Int64(resolved.purchases.count))))
        return ResolvedPurchasesBody(purchases: resolved.purchases)
    }
}

extension ResolvedPurchaseBody {
    fileprivate init(_ waiting: WaitingPurchase, became attempt: Attempt) {
        self.init(
            attemptId: attempt.id.rawValue, bundleId: waiting.session.bundleID,
            productId: waiting.request.product.rawValue, quantity: waiting.request.quantity,
            transactionId: attempt.transaction.map { "\($0)" },
            refusal: RefusalBody(of: attempt))
    }
}
