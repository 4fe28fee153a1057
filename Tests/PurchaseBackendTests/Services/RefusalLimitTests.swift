import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// What a user can leave behind by sending receipts that are refused.
@Suite(.ownThreads) struct RefusalLimitTests {
    /// `number` in base64 of eight letters.
    private func receipt(_ number: Int) -> String {
        let letters = String(number + 10_000)
        return letters + String(repeating: "A", count: 8 - letters.count)
    }

    @Test func `many refusals block a user for a while`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_003)))
        for number in 0..<BackendLimits.refusalsPerUserMax {
            #expect(try rig.submit(token, receipt: receipt(number)).status == 422)
            rig.clock.advance(milliseconds: 1_000)
        }
        let calls = rig.store.requests.count
        try expectGolden(rig.submit(token).transcript, "too-many-refused")
        #expect(rig.store.requests.count == calls, "the store is not asked")
        #expect(try rig.submit(rig.signUp("emil")).status == 422, "others are not concerned")
        // The first refusal is an hour old.
        rig.clock.advance(
            milliseconds: BackendLimits.refusalWindowMilliseconds
                - Int64(BackendLimits.refusalsPerUserMax) * 1_000)
        rig.store.verified(.init())
        #expect(try rig.submit(token).outcome.status == .granted)
    }

    @Test func `refusals do not block a user when the clock was put back`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.answer(.text(StoreAnswers.status(21_003)))
        for number in 0..<BackendLimits.refusalsPerUserMax {
            #expect(try rig.submit(token, receipt: receipt(number)).status == 422)
        }
        #expect(try rig.submit(token).status == 429)
        rig.clock.advance(milliseconds: -30 * 86_400_000)
        #expect(try rig.submit(token).status == 422)
    }

    @Test func `a user's own refunds never keep a paid purchase from being granted`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        for number in 1...6 {
            rig.store.verified(.init(transaction: "\(number)"))
            #expect(try rig.submit(token, transaction: "\(number)").status == 200)
        }
        // Finished consumables have left the receipt, and an app may name each after each refund.
        rig.store.answer(.text(StoreAnswers.verified([])))
        for number in 0..<BackendLimits.refusalsPerUserMax + 20 {
            let named = try rig.submit(token, transaction: "\(number % 6 + 1)", receipt: "bmV3")
            #expect(try named.outcome.reason == "transactionNotInReceipt")
        }
        // Nor do refunds of what the backend never granted.
        for number in 100...BackendLimits.refusalsPerUserMax + 100 {
            rig.store.verified(.init(transaction: "\(number)", isCancelled: true))
            let told = try rig.submit(token, transaction: "\(number)")
            #expect(try told.outcome.reason == "cancelled")
        }
        rig.store.verified(.init(transaction: "7"))
        #expect(try rig.submit(token, transaction: "7").outcome.status == .granted)
    }

    @Test func `a refund that was never granted counts as refused when it is told again`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init(isCancelled: true))
        for _ in 0...BackendLimits.refusalsPerUserMax {
            #expect(try rig.submit(token).outcome.reason == "cancelled")
        }
        #expect(try rig.submit(token).errorCode == "tooManyRefused")
    }

    @Test func `refunds told without end are answered from the record`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        _ = try rig.submit(token)
        rig.store.verified(.init(isCancelled: true))
        for _ in 0..<BackendLimits.repeatsPerUserMax {
            #expect(try rig.submit(token).outcome.reason == "cancelled")
        }
        let rows = try rig.count("SELECT count(*) FROM submissions")
        let calls = rig.store.requests.count
        #expect(try rig.submit(token).outcome.reason == "cancelled")
        #expect(try rig.count("SELECT count(*) FROM submissions") == rows, "nothing is stored")
        #expect(rig.store.requests.count == calls, "the store is not asked")
    }

    @Test func `only the newest refused receipts keep their bytes, and all keep their history`()
        throws
    {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let good = receipt(0)
        #expect(try rig.submit(token, receipt: good).status == 200)
        rig.store.answer(.text(StoreAnswers.status(21_003)))
        var ids: [String] = []
        // The same bytes as the granted one's, first: they stay.
        ids.append(try rig.submit(token, transaction: "5", receipt: good).outcome.submissionId)
        for number in 1...30 {
            rig.clock.advance(milliseconds: 1)
            ids.append(try rig.submit(token, receipt: receipt(number)).outcome.submissionId)
        }
        #expect(try rig.count("SELECT count(*) FROM submissions") == 32)
        let kept = Int64(BackendLimits.refusedReceiptsPerUserMax)
        #expect(try rig.count("SELECT count(*) FROM receipts WHERE length(bytes) > 0") == kept + 1)
        let old = try rig.submission(ids[1])
        #expect(old.receipt.droppedAt != nil)
        #expect(old.receipt.byteCount == 0)
        #expect(old.history?.map(\.event) == ["received", "refused", "receiptDropped"])
        #expect(try rig.submission(ids[0]).receipt.droppedAt == nil)

        // What was let go of cannot be tried again, unless it comes again.
        let retry = try rig.look("/\(ids[1])/retry", method: "POST")
        #expect(retry.status == 410)
        #expect(try retry.errorCode == "receiptDropped")
        rig.store.verified(.init(transaction: "8"))
        let again = try rig.submit(token, transaction: "8", receipt: receipt(1))
        #expect(try again.outcome.status == .granted)
        #expect(try rig.submission(ids[1]).receipt.byteCount == 6)
    }
}
