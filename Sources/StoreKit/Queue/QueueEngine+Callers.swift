import CrashPoints
import Dispatch
import Foundation
import StoreModel
import StoreWire
import Synchronization

// Purchases and finishes of apps that use StoreKit 2.
extension QueueEngine {
    /// Buys for a caller, who waits without a thread. Once the payment has begun it goes on, whatever
    /// becomes of the caller.
    func buy(
        _ payment: PaymentContents,
        mayContinue: @escaping @Sendable (StoreModel.Storefront) -> Bool
    ) async -> PurchaseCallers.Outcome {
        guard let feed else { return .cancelled }
        let attemptId = UUID().uuidString
        let moment = clock.now().milliseconds
        audience.enter()
        defer {
            audience.leave()
            audienceLeft()
        }
        return await feed.callers.outcome(of: attemptId, mayContinue: mayContinue) { [self] in
            callerArrived()
            handle(
                .paymentAdded(
                    attemptId: attemptId, payment, atMilliseconds: moment, isForCaller: true))
        }
    }

    /// Tells a caller what became of a payment; of a purchase, once the copy on disk has it (`bring`).
    func tellCaller(_ update: QueueAction.Update) {
        guard let feed else { return }
        switch update.presented {
        case .purchasing, .purchased, .restored: break
        case .deferred: feed.callers.tell(update.key, .pending)
        case .failed(let reason): feed.callers.tell(update.key, .failed(reason))
        }
    }

    /// Makes sure that the copy on disk has what was bought; its callers wait for that.
    func bringSigned(_ keys: [QueueKey], _ customer: Customer, tries: Int) {
        // Read now: another task may finish what the copy has before this is done.
        let bought = look { state in
            keys.compactMap { key in
                state.items[key]?.presented.purchase.map { (key, $0.transactionIdentifier) }
            }
        }
        bring(bought, customer, tries: tries)
    }

    private func bring(
        _ bought: [(key: QueueKey, id: String)], _ customer: Customer, tries: Int
    ) {
        guard case .success(let parts) = parts, let feed else { return }
        let keys = bought.map(\.key)
        receipts.async { [self] in
            let outcome: PurchaseCallers.Outcome
            do {
                try feed.bring(bought.map(\.id), of: customer)
                CrashPoint.deviceCopyWritten.reach()
                return events.async { [self] in
                    handleNow(.receiptReady(keys))
                    // Whatever has become of the payment in the queue, its caller bought it.
                    for (key, id) in bought { feed.callers.tell(key, .bought(id: id, customer)) }
                }
            } catch let failure as StoreFailure {
                if failure.kind == .cancelled { return }
                Diagnostic.sayOnce(failure.sentence)
                outcome = .unreachable(failure)
            } catch {
                Diagnostic.sayOnce("\(error)")
                outcome = .unsaved(error)
            }
            if tries + 1 == Retries.impatientTriesMax {
                for key in keys { feed.callers.tell(key, outcome) }
            }
            let delay = parts.retries.delayMilliseconds(afterTries: tries + 1)
            receipts.asyncAfter(deadline: .now() + .milliseconds(delay)) {
                if !self.park(.bringSigned(keys, customer)) {
                    self.bring(bought, customer, tries: tries + 1)
                }
            }
        }
    }

    /// Asks for news anew where they are followed: more of them are wanted.
    func newsWantedAnew() {
        events.async { [self] in
            if isLaunched.withLock({ $0 }), !audience.isEmpty { listener?.start() }
        }
    }

    /// Tells the feed what the original API changed, before observers hear of it.
    func noteChange(by event: QueueEvent) {
        switch event {
        case .answered(let key, .done) where look({ $0.items[key]?.isForCaller }) != true:
            feed?.changedByQueue()
        case .codeRedeemed, .restoredCame: feed?.changedByQueue()
        default: break
        }
    }

    // MARK: - Finishing

    /// Finishes a transaction by its number. When this returns, the journal holds the finish, and the
    /// store was told once, if it could be reached.
    func finish(_ id: UInt64) async {
        guard let feed, case .success(let parts) = parts,
            let customer = feed.library.customer(having: id, rather: parts.connection.customer)
        else { return }
        // Apps finish what they get again and again.
        let kept = try? feed.library.kept(of: customer)
        if kept?.copy.entries[id]?.isFinished == true { return }
        await withCheckedContinuation { continuation in
            events.async { [self] in
                handleNow(
                    .finishNamed(
                        TransactionName(worldId: customer.worldId, transactionId: "\(id)"),
                        customer))
                // Behind the first try to send it.
                finishes.async { continuation.resume() }
            }
        }
    }

    /// Writes and sends the finish of a transaction that the queue does not have.
    func finishUnlisted(_ name: TransactionName, _ customer: Customer) {
        if journalFinish(name, customer) { sendFinish(name, tries: 0) }
    }

    /// Signs the account of the automatic sheet in, which asks nobody, unless the customer signed it
    /// out. Nil when that is not possible.
    func signInQuietly(_ parts: Parts) -> Customer? {
        if signBackIn() { return parts.connection.customer }
        guard parts.sheet is AutomaticSheet, parts.connection.session?.isLeft != true,
            let account = parts.connection.configuration.account
        else { return nil }
        do throws(StoreFailure) {
            try parts.connection.signIn(account)
        } catch {
            Diagnostic.sayOnce(error.sentence)
        }
        return parts.connection.customer
    }
}
