import CrashPoints
import Dispatch
import Foundation
import StoreWire
import Synchronization

// Reports finished transactions to the store.
extension QueueEngine {
    /// Quick tries before the transaction leaves the app's queue regardless.
    private static let finishTriesMax = 3

    func sendFinish(_ name: TransactionName, tries: Int) {
        guard case .success(let parts) = parts else { return }
        if tries == 0 { return finishes.async { self.sendNow(name, tries: tries, parts) } }
        let delay = parts.retries.delayMilliseconds(afterTries: tries)
        finishes.asyncAfter(deadline: .now() + .milliseconds(delay)) {
            self.sendNow(name, tries: tries, parts)
        }
    }

    private func sendNow(_ name: TransactionName, tries: Int, _ parts: Parts) {
        let journal = Journal(home: parts.home)
        do throws(StoreFailure) {
            guard let record = try read(name, journal) else {
                // Another process sent it.
                return handle(.finishSent(name))
            }
            guard let customer = sender(of: record, parts) else { return hold(name, parts) }
            let answer =
                if let attemptId = name.attemptId {
                    try parts.connection.finishAnswer(to: attemptId, as: customer)
                } else {
                    try parts.connection.finish(name.transactionId, as: customer)
                }
            CrashPoint.deviceFinishAnswered.reach()
            forget(name, journal)
            try? updateReceipt(to: answer.receiptRevision, of: customer, parts)
            handle(.finishSent(name))
        } catch {
            finishFailed(name, error, tries: tries + 1, journal, parts)
        }
    }

    private func read(
        _ name: TransactionName, _ journal: Journal
    ) throws(StoreFailure) -> FinishRecord? {
        do {
            return try journal.finish(name)
        } catch {
            throw StoreFailure(.lost, "\(error)")
        }
    }

    /// The customer who sends a finish: the buyer, signed in again when that needs no sheet, or
    /// anybody when the buyer was not recorded. Nil when it must wait for a sign-in.
    private func sender(of record: FinishRecord, _ parts: Parts) -> Customer? {
        let present = parts.connection.customer
        guard let worldId = record.worldId ?? present?.worldId else { return nil }
        guard let account = record.account else {
            return present?.worldId == worldId ? present : nil
        }
        let buyer = Customer(worldId: worldId, account: account)
        signInAgain(buyer, parts)
        return buyer
    }

    private func finishFailed(
        _ name: TransactionName, _ failure: StoreFailure, tries: Int, _ journal: Journal,
        _ parts: Parts
    ) {
        switch failure.kind {
        case .signedOut where tries < Self.finishTriesMax:
            // The next try signs in again if possible.
            sendFinish(name, tries: tries)
        case .signedOut, .otherWorld: hold(name, parts)
        case .refused(_, code: "transactionUnknown"), .refused(_, code: "attemptUnknown"):
            // The transaction's own store will never accept it; the reason is printed and the file
            // removed.
            Diagnostic.say(
                "transaction \(name.transactionId) cannot be finished: \(failure.sentence)")
            forget(name, journal)
            handle(.finishRefused(name))
        case .refused:
            // Another store at this address, or one without the app, says nothing about the
            // transaction.
            Diagnostic.sayOnce(failure.sentence)
            hold(name)
        // The device has ended.
        case .cancelled: break
        case .lost:
            if tries >= Self.finishTriesMax { handle(.finishPutOff(name)) }
            sendFinish(name, tries: tries)
        }
    }

    /// Holds a finish that waits for a sign-in or a world.
    private func hold(_ name: TransactionName, _ parts: Parts) {
        hold(name)
        // Signing in may have happened in between.
        guard let present = parts.connection.customer,
            let record = try? Journal(home: parts.home).finish(name),
            record.worldId ?? present.worldId == present.worldId,
            record.account ?? present.account == present.account
        else { return }
        releaseFinishes()
    }

    private func hold(_ name: TransactionName) {
        _ = heldFinishes.withLock { $0.insert(name) }
        handle(.finishPutOff(name))
    }

    /// Sends finishes again that waited for a sign-in or a world.
    func releaseFinishes() {
        let waiting = heldFinishes.withLock { held in
            defer { held = [] }
            return held
        }
        for name in waiting.sorted(by: { $0.transactionId < $1.transactionId }) {
            sendFinish(name, tries: 0)
        }
    }

    private func forget(_ name: TransactionName, _ journal: Journal) {
        do {
            try journal.removeFinish(name)
        } catch {
            Diagnostic.say("\(error)")
        }
    }
}
