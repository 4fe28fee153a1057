import CrashPoints
import Dispatch
import Foundation
import StoreModel
import StoreWire
import Synchronization

// Work that waits for the customer or for the store.
extension QueueEngine {
    func showSheet(_ item: QueueItem) {
        guard case .success(let parts) = parts else { return }
        noteStorefront(of: item.key, parts)
        if park(.showSheet(item)) { return }
        let flow = SheetFlow(
            sheet: parts.sheet,
            client: ProductsClient(
                connection: .success(parts.connection), retries: parts.retries),
            connection: parts.connection,
            shouldContinue: { self.goesOn(with: item.key, parts) },
            refusal: { self.refusal(parts) })
        // A sheet that asks nothing, with its account signed in, needs no thread to wait on.
        if parts.sheet is AutomaticSheet, flow.isSignedIn, !hasMoved(item.key, parts) {
            return handleNow(.sheetEnded(item.key, flow.run(item.payment)))
        }
        sheets.async { [self] in
            // The app may have given the payment up while it waited for its turn.
            guard look({ $0.items[item.key]?.stage == .atSheet }) else { return }
            handle(.sheetEnded(item.key, flow.run(item.payment)))
        }
    }

    func post(_ item: QueueItem, _ tries: Int) {
        guard case .success(let parts) = parts else { return }
        guard tries > 0 else {
            return courier.async { [self] in
                if !park(.post(item, tries: 0)) { postNow(item, parts) }
            }
        }
        let delay = parts.retries.delayMilliseconds(afterTries: tries)
        courier.asyncAfter(deadline: .now() + .milliseconds(delay)) { [self] in
            if !park(.post(item, tries: tries)) { postNow(item, parts) }
        }
    }

    private func postNow(_ item: QueueItem, _ parts: Parts) {
        guard case .sending(let customer, let tries, let isDoubtful) = item.stage,
            let attemptId = item.attemptId
        else { return }
        if isDoubtful { signInAgain(customer, parts) }
        let body = AttemptRequestBody(
            attemptId: attemptId, productId: item.payment.productIdentifier,
            quantity: item.payment.quantity,
            applicationUsername: item.payment.applicationUsername,
            shownPriceMilliunits: item.terms?.shownPrice?.milliunits,
            shownCurrency: item.terms?.shownPrice?.currency,
            simulatesAskToBuy: item.terms?.simulatesAskToBuy == true ? true : nil,
            discount: item.payment.discount.map { DiscountBody($0) },
            promotionalOffer: item.payment.offers?.promotional.map {
                PromotionalOfferBody(offerId: $0.offerId, jws: $0.jws)
            },
            winBackOfferId: item.payment.offers?.winBackOfferId,
            introductoryOfferEligibility: item.payment.offers?.introductoryEligibility,
            test: item.payment.offers?.test.map { TestPurchaseBody($0) })
        let outcome: PostOutcome
        do throws(StoreFailure) {
            let answer = try parts.connection.post(
                body, as: customer, onDevice: item.deviceGuid, isSigned: item.isForCaller)
            keep(answer.receipts, of: customer, parts)
            keep(answer.signed, of: customer)
            // What is wrong with a payment concerns the customer, not the app.
            if let refusal = answer.refusal, refusal.code.isOfPayment {
                parts.sheet.show(refusal.message)
            }
            outcome = PostOutcome(answer)
        } catch {
            if error.kind == .lost {
                Diagnostic.sayOnce(error.sentence)
                // The payment goes on; its caller need not wait for a store that is gone.
                if tries + 1 >= Retries.impatientTriesMax {
                    feed?.callers.tell(item.key, .unreachable(error))
                }
            }
            outcome = PostOutcome(error)
        }
        CrashPoint.deviceAttemptAnswered.reach()
        handle(.answered(item.key, outcome))
        // Signing in may have happened between the request and its answer.
        if outcome == .signedOut, parts.connection.customer == customer {
            handle(.signedIn(customer))
        }
    }

    /// Writes what came with an answer to the copy; what the disk refuses is asked for again before
    /// the caller is told.
    private func keep(_ purchase: SignedPurchaseBody?, of customer: Customer) {
        guard let purchase, let feed else { return }
        do {
            try feed.keep(purchase, of: customer)
        } catch {
            Diagnostic.sayOnce("\(error)")
        }
    }

    /// Signs the previous account in again when that needs no sheet; true when it worked.
    func signBackIn() -> Bool {
        guard case .success(let parts) = parts,
            let session = parts.connection.session, let before = session.accountBefore
        else { return false }
        signInAgain(Customer(worldId: session.worldId, account: before), parts)
        return parts.connection.account != nil
    }

    /// The automatic sheet can sign its account in again without asking.
    func signInAgain(_ customer: Customer, _ parts: Parts) {
        guard parts.connection.account == nil, parts.sheet is AutomaticSheet,
            let session = parts.connection.session, session.worldId == customer.worldId,
            !session.isLeft,
            let own = parts.connection.configuration.account, own.name == customer.account
        else { return }
        do {
            try parts.connection.signIn(own, in: customer.worldId)
        } catch {
            if error.kind != .otherWorld { Diagnostic.sayOnce(error.sentence) }
        }
    }
}
