import CrashPoints
import Dispatch
import Foundation
import StoreModel
import StoreWire
import Synchronization

/// Purchases that observers get once their customer's receipt has a revision.
struct HeldReceipt: Hashable, Sendable {
    let keys: [QueueKey]
    let revision: Int64
    let customer: Customer
    /// Products that the account no longer owns, according to the receipt.
    var revoked: Revocations?

    /// The action that fetches it.
    fileprivate var action: QueueAction {
        revoked.map { QueueAction.bringReceiptWithout($0, revision: revision, customer) }
            ?? .bringReceipt(keys, revision: revision, customer)
    }
}

/// The newest known receipt, when no purchase waits for it.
struct Refresh: Hashable, Sendable {
    let revision: Int64
    let customer: Customer
}

// Keeps the receipt file up to date with the store.
extension QueueEngine {
    /// Tries while signed out; the account may be signed in again without a sheet.
    private static let signedOutTriesMax = 3

    /// Brings the file to a revision. Observers learn of a purchase only after that has worked,
    /// which requires the account that bought it.
    func bringReceipt(_ wanted: HeldReceipt, tries: Int, uselessAnswers: Int = 0) {
        guard case .success(let parts) = parts else { return }
        receipts.async { [self] in
            var uselessAnswers = uselessAnswers
            do throws(StoreFailure) {
                try updateReceipt(to: wanted.revision, of: wanted.customer, parts)
                CrashPoint.deviceReceiptWritten.reach()
                try bringTransactionReceipts(
                    of: wanted, uselessAnswers: &uselessAnswers, parts)
                handle(.receiptReady(wanted.keys))
                if let revoked = wanted.revoked { tell(revoked, of: wanted.customer) }
            } catch {
                let again = tries + 1
                // The device has ended.
                if error.kind == .cancelled { return }
                if error.kind == .otherWorld
                    || error.kind == .signedOut && again >= Self.signedOutTriesMax
                {
                    return hold(wanted, parts)
                }
                Diagnostic.sayOnce(error.sentence)
                if again == Retries.impatientTriesMax { handle(.receiptsLate(wanted.keys)) }
                let delay = parts.retries.delayMilliseconds(afterTries: again)
                receipts.asyncAfter(deadline: .now() + .milliseconds(delay)) { [uselessAnswers] in
                    if self.park(wanted.action) { return }
                    self.bringReceipt(wanted, tries: again, uselessAnswers: uselessAnswers)
                }
            }
        }
    }

    /// Reports what was revoked, and only then marks it as received.
    private func tell(_ revoked: Revocations, of customer: Customer) {
        board.tellRevoked(revoked.products, queue: queue) { [weak self] in
            guard let self else { return }
            events.async { self.listener?.marks.told(revoked, of: customer) }
        }
    }

    private func hold(_ wanted: HeldReceipt, _ parts: Parts) {
        heldReceipts.withLock { $0.append(wanted) }
        handle(.receiptsLate(wanted.keys))
        Diagnostic.say(
            "a purchase by \(wanted.customer.account) waits for its receipt until that account "
                + "signs in.")
        // Signing in may have happened in between.
        if parts.connection.customer == wanted.customer { releaseReceipts(of: wanted.customer) }
    }

    func releaseReceipts(of customer: Customer) {
        let released = heldReceipts.withLock { held in
            defer { held.removeAll { $0.customer == customer } }
            return held.filter { $0.customer == customer }
        }
        for wanted in released { bringReceipt(wanted, tries: 0) }
    }

    /// Brings the file to a revision that no purchase waits for. There is at most one such request:
    /// a later one replaces the one being tried.
    func refreshReceipt(to revision: Int64, _ customer: Customer) {
        let isTried = refresh.withLock { wish in
            defer { wish = Refresh(revision: revision, customer: customer) }
            return wish != nil
        }
        if !isTried { receipts.async { self.refreshNow(tries: 0) } }
    }

    private func refreshNow(tries: Int) {
        guard case .success(let parts) = parts, let wish = refresh.withLock({ $0 }) else { return }
        do throws(StoreFailure) {
            try updateReceipt(to: wish.revision, of: wish.customer, parts)
            let isDone = refresh.withLock { newest in
                guard newest == wish else { return false }
                newest = nil
                return true
            }
            if !isDone { receipts.async { self.refreshNow(tries: 0) } }
        } catch {
            // The next sign-in requests the list, and with it the receipt.
            if [.signedOut, .otherWorld].contains(error.kind) || audience.observers.isEmpty {
                return refresh.withLock { $0 = nil }
            }
            Diagnostic.sayOnce(error.sentence)
            let delay = parts.retries.delayMilliseconds(afterTries: tries + 1)
            receipts.asyncAfter(deadline: .now() + .milliseconds(delay)) {
                self.refreshNow(tries: tries + 1)
            }
        }
    }

    /// Brings the file to a revision; one that it already has is fetched again only to be
    /// rewritten.
    func updateReceipt(
        to revision: Int64, of customer: Customer, _ parts: Parts, isAnew: Bool = false
    ) throws(StoreFailure) {
        signInAgain(customer, parts)
        guard let session = parts.connection.session else {
            throw StoreFailure(.signedOut, "Nobody is signed in, so the receipt stays as it is.")
        }
        func state(_ revision: Int64) -> ReceiptFile.State {
            ReceiptFile.State(
                revision: revision, customer: customer, appVersion: session.appVersion,
                scope: session.scope)
        }
        let isSandbox =
            parts.connection.configuration.environment.map { $0 == .sandbox }
            ?? session.isOfSandbox
        let file = ReceiptFile(home: parts.home, isSandbox: isSandbox)
        try fetching.withLock { _ throws(StoreFailure) in
            if !isAnew, file.holds(state(revision)) { return }
            try fetch(revision, of: customer, into: file, state, parts)
        }
    }

    private func fetch(
        _ revision: Int64, of customer: Customer, into file: ReceiptFile,
        _ state: (Int64) -> ReceiptFile.State, _ parts: Parts
    ) throws(StoreFailure) {
        var receipt: (bytes: [UInt8], revision: Int64)
        // A receipt that came with an answer needs no request, so the account is checked here.
        if parts.connection.customer == customer, let sent = takeSentReceipt(state(revision)) {
            receipt = (sent.bytes, sent.state.revision)
        } else {
            receipt = try parts.connection.receipt(of: customer)
        }
        do {
            let isStored = try file.store(
                receipt.bytes, as: state(receipt.revision), overNewer: false)
            if !isStored {
                // Another process may have been faster. If the receipt is still older, the store
                // was set back, and the receipt is right.
                receipt = try parts.connection.receipt(of: customer)
                _ = try file.store(receipt.bytes, as: state(receipt.revision), overNewer: true)
            }
        } catch let failure as StoreFailure {
            // Another process may have signed an account in.
            if failure.kind == .signedOut { parts.connection.takeStoredSignIn() }
            throw failure
        } catch {
            throw StoreFailure(.lost, "\(error)")
        }
        guard receipt.revision >= revision else {
            throw StoreFailure(.lost, "The store's receipt is older than its answer.")
        }
    }
}
