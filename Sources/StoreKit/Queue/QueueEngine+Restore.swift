import CrashPoints
import Dispatch
import Foundation
import StoreWire
import Synchronization

// Restores what an account owns.
extension QueueEngine {
    /// Restores past purchases, or tells observers why that failed.
    func restore(applicationUsername: String?) {
        let username = applicationUsername.flatMap { $0.isEmpty ? nil : $0 }
        let restoreId = UUID().uuidString
        feed?.callers.begins(restoreId)
        handle(.restoreCalled(restoreId: restoreId, applicationUsername: username))
    }

    func showRestoreSheet(_ restoreId: String) {
        let parts: Parts
        switch usable {
        case .success(let usable): parts = usable
        case .failure(let reason):
            return handleNow(.restoreSheetEnded(restoreId: restoreId, .ended(reason)))
        }
        if park(.showRestoreSheet(restoreId: restoreId)) { return }
        sheets.async { [self] in
            let flow = SheetFlow(
                sheet: parts.sheet,
                client: ProductsClient(
                    connection: .success(parts.connection), retries: parts.retries),
                connection: parts.connection, shouldContinue: { true })
            let outcome = flow.runRestore()
            handle(.restoreSheetEnded(restoreId: restoreId, outcome))
        }
    }

    /// Requests a page once observers have received the one before: a slow app is not flooded, and
    /// without an observer nothing is requested.
    func askToRestore(_ question: RestoreRequestBody, _ customer: Customer) {
        calls.onMain { [self] in
            if park(.askToRestore(question, customer)) { return }
            askToRestore(question, customer, tries: 0)
        }
    }

    /// Tries only a few times while the store cannot be reached: the app is waiting.
    private func askToRestore(
        _ question: RestoreRequestBody, _ customer: Customer, tries: Int
    ) {
        guard case .success(let parts) = parts else { return }
        let delay = tries == 0 ? 0 : parts.retries.delayMilliseconds(afterTries: tries)
        restores.asyncAfter(deadline: .now() + .milliseconds(delay)) { [self] in
            do throws(StoreFailure) {
                let page = try bringPage(question, customer, parts)
                handle(.restoredCame(restoreId: question.restoreId, page, customer))
            } catch {
                // An account that lost its session may be signed in again without asking.
                let mayPass = [.lost, .signedOut].contains(error.kind)
                guard mayPass, tries + 1 < Retries.impatientTriesMax else {
                    return handle(
                        .restoreFailed(
                            restoreId: question.restoreId, FailureReason(.unknown, error.sentence)))
                }
                Diagnostic.sayOnce(error.sentence)
                askToRestore(question, customer, tries: tries + 1)
            }
        }
    }

    /// Fetches one page. With the first, the receipt file is rewritten whatever it holds: customers
    /// restore when something is wrong.
    private func bringPage(
        _ question: RestoreRequestBody, _ customer: Customer, _ parts: Parts
    ) throws(StoreFailure) -> RestoreAnswerBody {
        signInAgain(customer, parts)
        let page = try parts.connection.restore(question, as: customer)
        CrashPoint.deviceRestoreAnswered.reach()
        if question.after == nil {
            try updateReceipt(to: page.receiptRevision, of: customer, parts, isAnew: true)
        }
        return page
    }
}
