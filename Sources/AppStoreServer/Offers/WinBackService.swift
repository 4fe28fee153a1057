import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreWire

/// Win-back offers for former subscribers: lists them, and takes one as the customer would in the
/// store's own app.
enum WinBackService {
    static func list(_ call: StoreCall, _ original: String) async throws -> WinBacksBody {
        try await SubscriptionService.afterSettling(call, original) { id, scope in
            let found = try scope.reading.subscription(id)
            guard let kept = found else { throw Refusal.subscriptionUnknown }
            return WinBacksBody(
                offers: try scope.reading.winBacks(of: kept).map {
                    OfferBody($0, in: kept.state.price.currency)
                },
                currency: kept.state.price.currency.code)
        }
    }

    /// `POST /control/v1/subscriptions/{original}/win-back`: buys its product again at the offer's
    /// price, on the device on which it was last bought. A repeated request is refused, because the
    /// subscription is active by then.
    static func take(_ call: StoreCall, _ body: TakeWinBackBody, _ original: String) async throws
        -> SubscriptionBody
    {
        let offer = body.offerId
        let time = call.world.time
        let taken = try await SubscriptionService.afterSettling(call, original) { id, scope in
            let wanted = try purchase(of: id, with: offer, scope.reading)
            let outcome = try wanted.decide(scope, time: time)
            // The refusal undoes it all: nothing is kept for the next time.
            if let refusal = Refusal(ofOffer: outcome.attempt) { throw refusal }
            return Taken(original: id, purchase: wanted, outcome: outcome)
        }
        PurchaseService.tell(taken.outcome, of: taken.purchase, in: call.context)
        return try call.world.database.read {
            try SubscriptionService.answer(taken.original, at: time.now(), $0)
        }
    }

    private struct Taken: Sendable {
        let original: TransactionID
        let purchase: Purchase
        let outcome: Purchase.Outcome
    }

    private static func purchase(
        of original: TransactionID, with offer: String, _ scope: borrowing ReadScope
    ) throws -> Purchase {
        guard let kept = try scope.subscription(original),
            let account = try scope.account(kept.account),
            let session = try scope.session(of: account, on: kept.device)
        else { throw Refusal.subscriptionUnknown }
        if try scope.isDeleted(account.id) { throw Refusal.accountDeleted }
        return Purchase(
            request: PurchaseRequest(
                attempt: AttemptID("win-back/\(kept.newest)"), product: kept.state.product,
                quantity: 1, applicationUsername: kept.applicationUsername,
                offer: .winBack(offer)),
            session: session, account: account, environment: kept.environment)
    }
}
