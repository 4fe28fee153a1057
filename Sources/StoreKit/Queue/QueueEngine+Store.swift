import CrashPoints
import Dispatch
import Foundation
import StoreModel
import StoreWire
import Synchronization

// What waits for a person or for the store.
extension QueueEngine {
    func showSheet(_ item: QueueItem) {
        guard case .success(let parts) = parts, !park(.showSheet(item)) else { return }
        sheets.async { [self] in
            let before = parts.connection.session?.storefrontIdentifier
            let flow = SheetFlow(
                sheet: parts.sheet,
                client: ProductsClient(
                    connection: .success(parts.connection), retries: parts.retries),
                connection: parts.connection,
                shouldContinueElsewhere: { self.askDelegate(item, parts) })
            let outcome = flow.run(
                productIdentifier: item.payment.productIdentifier,
                quantity: item.payment.quantity)
            tellStorefront(before, parts)
            handle(.sheetEnded(item.key, outcome))
        }
    }

    func post(_ item: QueueItem, _ tries: Int) {
        guard case .success(let parts) = parts else { return }
        guard tries > 0 else {
            return courier.async { self.postNow(item, parts) }
        }
        let delay = parts.retries.delayMilliseconds(afterTries: tries)
        courier.asyncAfter(deadline: .now() + .milliseconds(delay)) { [self] in
            if !park(.post(item, tries: tries)) { postNow(item, parts) }
        }
    }

    private func postNow(_ item: QueueItem, _ parts: Parts) {
        guard case .sending(let customer, _, let isDoubtful) = item.stage,
            let attemptId = item.attemptId
        else { return }
        if isDoubtful { signInAgain(customer, parts) }
        let body = AttemptRequestBody(
            attemptId: attemptId, productId: item.payment.productIdentifier,
            quantity: item.payment.quantity,
            applicationUsername: item.payment.applicationUsername)
        let outcome: PostOutcome
        do throws(StoreFailure) {
            outcome = PostOutcome(
                try parts.connection.post(body, as: customer, onDevice: item.deviceGuid))
        } catch {
            if error.kind == .lost { Message.sayOnce(error.sentence) }
            outcome = PostOutcome(error)
        }
        CrashPoint.deviceAttemptAnswered.reach()
        handle(.answered(item.key, outcome))
        // Signing in may have come between the question and its answer.
        if outcome == .signedOut, parts.connection.customer == customer {
            handle(.signedIn(customer))
        }
    }

    /// Signs in again who was signed in before, when that takes no person; true when it worked.
    func signBackIn() -> Bool {
        guard case .success(let parts) = parts,
            let session = parts.connection.session, let before = session.accountBefore
        else { return false }
        signInAgain(Customer(worldId: session.worldId, account: before), parts)
        return parts.connection.account != nil
    }

    /// The automatic sheet can sign its account in again without asking anybody.
    func signInAgain(_ customer: Customer, _ parts: Parts) {
        guard parts.connection.account == nil, parts.sheet is AutomaticSheet,
            parts.connection.session?.worldId == customer.worldId,
            let own = parts.connection.configuration.account, own.name == customer.account
        else { return }
        let before = parts.connection.session?.storefrontIdentifier
        do {
            try parts.connection.signIn(own, in: customer.worldId)
            tellStorefront(before, parts)
        } catch {
            if error.kind != .otherWorld { Message.sayOnce(error.sentence) }
        }
    }

    private func tellStorefront(_ before: String?, _ parts: Parts) {
        let now = parts.connection.session?.storefrontIdentifier
        if now != nil, now != before { board.tellStorefrontChanged(queue: queue) }
    }

    // MARK: - The delegate

    private func askDelegate(_ item: QueueItem, _ parts: Parts) -> Bool {
        guard let session = parts.connection.session else { return true }
        return DispatchQueue.main.sync { [self] in
            guard let queue, let delegate = queue.delegate,
                let transaction = board.transaction(item.key)
            else { return true }
            let storefront = SKStorefront(
                countryCode: session.countryCode, identifier: session.storefrontIdentifier)
            return delegate.paymentQueue(
                queue, shouldContinue: transaction, in: storefront)
        }
    }
}
