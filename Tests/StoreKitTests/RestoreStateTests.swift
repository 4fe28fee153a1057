import StoreModel
import StoreWire
import Testing

@testable import StoreKit

/// The rules of restoring, one event after another: no disk, no store, no thread.
@Suite struct RestoreStateTests {
    private static let ada = QueueStateTests.ada

    private static func given(_ id: String, of original: String = "1") -> TransactionBody {
        TransactionBody(
            transactionId: id, originalTransactionId: original, productId: "p", quantity: 1,
            purchaseDate: Timestamp(milliseconds: 9),
            originalPurchaseDate: Timestamp(milliseconds: 1), attemptId: "R",
            deviceGuid: QueueStateTests.device, applicationUsername: nil,
            original: OriginalBody(
                transactionId: original, productId: "p", quantity: 1,
                purchaseDate: Timestamp(milliseconds: 1), applicationUsername: nil))
    }

    private static func page(_ ids: [String], next: String? = nil) -> QueueEvent {
        .restoredCame(
            restoreId: "R",
            RestoreAnswerBody(
                transactions: ids.map { given($0) }, next: next, receiptRevision: 4), ada)
    }

    private static func key(_ id: String) -> QueueKey {
        QueueKey(TransactionName(worldId: "W", transactionId: id))
    }

    private static func question(after: String? = nil) -> QueueAction {
        .askToRestore(
            RestoreRequestBody(restoreId: "R", applicationUsername: "u", after: after), ada)
    }

    private static let called = QueueEvent.restoreCalled(restoreId: "R", applicationUsername: "u")
    private static let signedIn = QueueEvent.restoreSheetEnded(restoreId: "R", .approved(ada))
    private static let finished = QueueAction.tellRestoreEnded(nil)

    private static func failed(_ actions: [QueueAction]) -> Bool {
        if case .tellRestoreEnded(.some)? = actions.first { true } else { false }
    }

    /// A queue that these have happened to.
    private func state(_ events: QueueEvent...) -> QueueState {
        var state = QueueState(deviceGuid: QueueStateTests.device, world: "W")
        for event in events { _ = state.apply(event) }
        return state
    }

    @Test func `a transaction list of the same receipt may be older than the restore`() {
        var state = state(Self.called, Self.signedIn, Self.page(["7"]))
        _ = state.apply(.receiptReady([Self.key("7")]))
        let same = state.apply(.listed([], receiptRevision: 4, Self.ada))
        #expect(same.map(QueueStateTests.describe) == ["receipt 4 "])
        let newer = state.apply(.listed([], receiptRevision: 5, Self.ada))
        #expect(newer.map(QueueStateTests.describe) == ["removed transaction 7", "receipt 5 "])
    }

    @Test func `a restore goes through sheet, page, receipts, observers, next page and end`() {
        var state = state()
        #expect(state.apply(Self.called) == [.showRestoreSheet(restoreId: "R")])
        #expect(state.apply(Self.signedIn) == [Self.question()])
        let keys = [Self.key("7"), Self.key("8")]
        #expect(
            state.apply(Self.page(["7", "8"], next: "8"))
                == [.bringReceipt(keys, revision: 4, Self.ada)])
        let first = state.apply(.receiptReady([keys[0]]))
        #expect(first.count == 1)
        let told = state.apply(.receiptReady([keys[1]]))
        #expect(told.last == Self.question(after: "8"))
        guard case .tell(let news)? = told.first else {
            Issue.record("not told: \(told)")
            return
        }
        #expect(news.map(\.presented.state) == [.restored])
        #expect(news.first?.presented.original?.purchase.transactionIdentifier == "1")
        #expect(state.apply(Self.page([])) == [Self.finished])
        #expect(state.restores.isEmpty)
    }

    @Test func `a transaction delivered by the list first is awaited and not delivered twice`() {
        var state = state(
            Self.called, Self.signedIn,
            .listed([Self.given("7")], receiptRevision: 4, Self.ada))
        #expect(state.apply(Self.page(["7"])) == [])
        #expect(state.apply(.receiptReady([Self.key("7")])).last == Self.finished)
    }

    @Test func `a restored transaction the app already knows is not awaited`() {
        var state = state(
            Self.called, Self.signedIn,
            .listed([Self.given("7")], receiptRevision: 4, Self.ada),
            .receiptReady([Self.key("7")]))
        #expect(state.apply(Self.page(["7"])) == [Self.finished])
    }

    @Test func `a restored transaction finished elsewhere is not awaited for ever`() {
        var state = state(Self.called, Self.signedIn, Self.page(["7"]))
        _ = state.apply(
            .updates(
                [QueueStateTests.update(.finished, Self.given("7"))], receiptRevision: 4,
                Self.ada))
        #expect(state.apply(.receiptReady([Self.key("7")])) == [Self.finished])
    }

    @Test func `late receipts end a restore once`() {
        var state = state(Self.called, Self.signedIn, Self.page(["7"], next: "7"))
        #expect(state.apply(.receiptsLate([Self.key("6")])).isEmpty)
        #expect(Self.failed(state.apply(.receiptsLate([Self.key("7")]))))
        #expect(state.apply(.receiptsLate([Self.key("7")])).isEmpty)
        #expect(state.apply(.receiptReady([Self.key("7")])).count == 1)
    }

    @Test func `a second restore waits for the first`() {
        var state = state(Self.called)
        let second = QueueEvent.restoreCalled(restoreId: "S", applicationUsername: nil)
        #expect(state.apply(second).isEmpty)
        let cancelled = FailureReason(.paymentCancelled, "No.")
        #expect(
            state.apply(.restoreSheetEnded(restoreId: "R", .ended(cancelled)))
                == [.tellRestoreEnded(cancelled), .showRestoreSheet(restoreId: "S")])
    }

    @Test func `too many restores at once fail immediately`() {
        var state = state()
        for _ in 0..<QueueState.restoresMax { _ = state.apply(Self.called) }
        #expect(Self.failed(state.apply(Self.called)))
        #expect(state.restores.count == QueueState.restoresMax)
    }

    @Test func `answers of another restore, world or time change nothing`() {
        var state = state(Self.called)
        #expect(state.apply(Self.page(["7"])).isEmpty)
        #expect(state.apply(.restoreFailed(restoreId: "R", QueueStateTests.reason)).isEmpty)
        #expect(state.apply(.restoreSheetEnded(restoreId: "S", .approved(Self.ada))).isEmpty)
        _ = state.apply(Self.signedIn)
        #expect(state.apply(.restoreFailed(restoreId: "S", QueueStateTests.reason)).isEmpty)
        _ = state.apply(.worldMet("V"))
        #expect(Self.failed(state.apply(Self.page(["7"]))))
        #expect(state.items.isEmpty)
    }

    @Test func `a transaction without an original is not restored`() {
        var state = state(Self.called, Self.signedIn)
        let page = RestoreAnswerBody(
            transactions: [QueueStateTests.bought("7")], next: nil, receiptRevision: 4)
        #expect(
            state.apply(.restoredCame(restoreId: "R", page, Self.ada)) == [Self.finished])
        #expect(state.items.isEmpty)
    }

    @Test func `endless restore pages are stopped`() {
        var state = state(Self.called, Self.signedIn)
        #expect(state.apply(Self.page([], next: "1")) == [Self.question(after: "1")])
        #expect(Self.failed(state.apply(Self.page([], next: "1"))))
        state = self.state(Self.called, Self.signedIn)
        for number in 1..<QueueState.restorePagesMax {
            _ = state.apply(Self.page([], next: "\(number)"))
        }
        #expect(Self.failed(state.apply(Self.page([], next: "x"))))
    }
}
