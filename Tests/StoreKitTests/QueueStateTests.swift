import StoreModel
import StoreWire
import Foundation
import Testing

@testable import StoreKit

/// The queue's rules, one row per event: no disk, no store, no thread.
@Suite struct QueueStateTests {
    static let key = QueueKey(attemptId: "A")
    static let device = "DEVICE"
    static let ada = Customer(worldId: "W", account: "ada")
    static let bob = Customer(worldId: "W", account: "bob")
    static let adaElsewhere = Customer(worldId: "V", account: "ada")

    static func name(_ id: String, world: String? = "W") -> TransactionName {
        TransactionName(worldId: world, transactionId: id)
    }

    static func bought(_ id: String, attempt: String = "A", device: String = device)
        -> TransactionBody
    {
        TransactionBody(
            transactionId: id, originalTransactionId: id, productId: "p", quantity: 1,
            purchaseDate: Timestamp(milliseconds: 0),
            originalPurchaseDate: Timestamp(milliseconds: 0), attemptId: attempt,
            deviceGuid: device, applicationUsername: nil)
    }

    /// What became of an attempt, once any device has finished it.
    static func finished(_ id: String) -> TransactionBody {
        var transaction = bought(id)
        transaction.isFinished = true
        return transaction
    }

    /// Of an earlier attempt, and finished.
    static let periodThatGoesOn: TransactionBody = {
        var transaction = bought("7", attempt: "B")
        transaction.isFinished = true
        return transaction
    }()

    static func record(
        _ id: String, _ stage: AttemptRecord.Stage, world: String? = "W", guid: String = device
    ) -> AttemptRecord {
        AttemptRecord(
            attemptId: id, scope: StoreScope(url: URL(fileURLWithPath: "/")), worldId: world,
            deviceGuid: guid, madeAtMilliseconds: 1, productId: "p", quantity: 1,
            applicationUsername: nil, requestData: nil, simulatesAskToBuyInSandbox: false,
            stage: stage)
    }

    static func finish(_ id: String, world: String = "W") -> FinishRecord {
        FinishRecord(
            transactionId: id, scope: StoreScope(url: URL(fileURLWithPath: "/")),
            worldId: world, account: "ada")
    }

    static func update(_ kind: UpdateBody.Kind, _ transaction: TransactionBody) -> UpdateBody {
        UpdateBody(number: 1, kind: kind, transaction: transaction)
    }

    static let payment = PaymentContents(productIdentifier: "p")
    static let added = QueueEvent.paymentAdded(attemptId: "A", payment, atMilliseconds: 1)
    static let approved = QueueEvent.sheetEnded(key, .approved(ada))
    static let reason = FailureReason(.paymentInvalid, "Why.")
    static let upToPost: [QueueEvent] = [
        added, .attemptWritten(key), approved, .approvalWritten(key),
    ]
    static let upToDone: [QueueEvent] =
        upToPost + [.answered(key, .done(bought("1"), receiptRevision: 5))]
    static let upToSettled: [QueueEvent] = upToDone + [.receiptReady([key])]

    /// A payment of the journal whose answer was lost, and a list with somebody else's purchase.
    static let openAndListed: [QueueEvent] = [
        .journalLoaded([record("A", .approved(account: "ada"))], []), .answered(key, .lost),
        .listed([bought("9", device: "X")], receiptRevision: 5, ada),
    ]
    static let lostAndFinished: [QueueEvent] =
        upToPost + [
            .answered(key, .lost),
            .updates(
                [update(.purchased, bought("1")), update(.finished, bought("1"))],
                receiptRevision: 6, ada),
        ]

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let events: [QueueEvent]
        /// What the last event asks for.
        let actions: [String]
        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "a payment is told, then written", events: [added],
            actions: ["tell A purchasing", "write A"]),
        Row(
            name: "the sheet comes after the journal", events: [added, .attemptWritten(key)],
            actions: ["sheet A"]),
        Row(
            name: "the approval is written before the post", events: Array(upToPost.prefix(3)),
            actions: ["write A"]),
        Row(name: "the post comes last", events: upToPost, actions: ["post A 0"]),
        Row(
            name: "a cancelled sheet fails",
            events: Array(upToPost.prefix(2)) + [.sheetEnded(key, .ended(SheetFlow.cancelled))],
            actions: ["write A", "tell A failed 2"]),
        Row(
            name: "the receipt comes before the observer", events: upToDone,
            actions: ["receipt 5 A"]),
        Row(
            name: "then the observer is told", events: upToSettled,
            actions: ["forget A", "tell A purchased 1"]),
        Row(
            name: "another plan is answered with the period that goes on, whoever finished it",
            events: upToPost + [.answered(key, .done(periodThatGoesOn, receiptRevision: 5))],
            actions: ["receipt 5 A"]),
        Row(
            name: "and finishing that sends nothing",
            events: upToPost + [
                .answered(key, .done(periodThatGoesOn, receiptRevision: 5)),
                .receiptReady([key]), .finishCalled(key),
            ], actions: ["forget A", "removed A"]),
        Row(
            name: "a list without it does not take it away",
            events: upToPost + [
                .answered(key, .done(periodThatGoesOn, receiptRevision: 5)),
                .receiptReady([key]), .listed([], receiptRevision: 6, ada),
            ], actions: ["receipt 6 "]),
        Row(
            name: "a second answer changes nothing",
            events: upToSettled + [.answered(key, .done(bought("1"), receiptRevision: 5))],
            actions: []),
        Row(
            name: "a lost answer is asked for again", events: upToPost + [.answered(key, .lost)],
            actions: ["post A 1"]),
        Row(
            name: "lost twice waits longer",
            events: upToPost + [.answered(key, .lost), .answered(key, .lost)],
            actions: ["post A 2"]),
        Row(
            name: "a refusal fails", events: upToPost + [.answered(key, .refused(reason))],
            actions: ["write A", "tell A failed 3"]),
        Row(
            name: "a request never taken fails",
            events: upToPost + [.answered(key, .rejected(reason))],
            actions: ["write A", "tell A failed 3"]),
        Row(
            name: "one perhaps taken before is held",
            events: upToPost + [.answered(key, .lost), .answered(key, .rejected(reason))],
            actions: ["say"]),
        Row(
            name: "signed out before any post asks again",
            events: upToPost + [.answered(key, .signedOut)], actions: ["forget A", "write A"]),
        Row(
            name: "with the sheet, once the approval is out of the journal",
            events: upToPost + [.answered(key, .signedOut), .attemptWritten(key)],
            actions: ["sheet A"]),
        Row(
            name: "and fails when the journal takes nothing",
            events: upToPost + [.answered(key, .signedOut), .attemptRefused(key, reason)],
            actions: ["tell A failed 3"]),
        Row(
            name: "signed out in doubt is held",
            events: upToPost + [.answered(key, .lost), .answered(key, .signedOut)],
            actions: ["say"]),
        Row(
            name: "its account sets it free",
            events: upToPost + [
                .answered(key, .lost), .answered(key, .signedOut), .signedIn(ada),
            ], actions: ["post A 0"]),
        Row(
            name: "another account does not, and does not see it",
            events: upToPost + [
                .answered(key, .lost), .answered(key, .signedOut), .signedIn(bob),
            ], actions: ["hide A"]),
        Row(
            name: "an update stands for a lost answer",
            events: upToPost + [
                .answered(key, .lost),
                .updates([update(.purchased, bought("1"))], receiptRevision: 7, ada),
            ], actions: ["receipt 7 A"]),
        Row(
            name: "an update of a known purchase says nothing new",
            events: upToSettled + [
                .updates([update(.purchased, bought("1"))], receiptRevision: 5, ada)
            ],
            actions: ["receipt 5 "]),
        Row(
            name: "bought and finished elsewhere is nothing",
            events: [
                .updates(
                    [
                        update(.purchased, bought("9", device: "X")),
                        update(.finished, bought("9", device: "X")),
                    ], receiptRevision: 5, ada)
            ], actions: ["receipt 5 "]),
        Row(
            name: "bought elsewhere comes in",
            events: [
                .updates([update(.purchased, bought("9", device: "X"))], receiptRevision: 5, ada)
            ],
            actions: ["receipt 5 transaction 9"]),
        Row(
            name: "the same attempt id of another device is another purchase",
            events: upToPost + [
                .updates([update(.purchased, bought("9", device: "X"))], receiptRevision: 5, ada)
            ], actions: ["receipt 5 transaction 9"]),
        Row(
            name: "finished elsewhere leaves",
            events: upToSettled + [
                .updates([update(.finished, bought("1"))], receiptRevision: 6, ada)
            ],
            actions: ["receipt 6 ", "removed A"]),
        Row(
            name: "a finish is written first", events: upToSettled + [.finishCalled(key)],
            actions: ["writeFinish 1 ada"]),
        Row(
            name: "then sent", events: upToSettled + [.finishCalled(key), .finishWritten(key)],
            actions: ["sendFinish 1"]),
        Row(
            name: "finishing twice is finishing once",
            events: upToSettled + [.finishCalled(key), .finishCalled(key)], actions: []),
        Row(
            name: "a finish that cannot be written may be tried again",
            events: upToSettled + [.finishCalled(key), .finishNotWritten(key), .finishCalled(key)],
            actions: ["writeFinish 1 ada"]),
        Row(
            name: "sent, it leaves",
            events: upToSettled + [.finishCalled(key), .finishSent(name("1"))],
            actions: ["removed A"]),
        Row(
            name: "put off, it leaves as well",
            events: upToSettled + [.finishCalled(key), .finishPutOff(name("1"))],
            actions: ["removed A"]),
        Row(
            name: "put off, then sent, it leaves once",
            events: upToSettled + [
                .finishCalled(key), .finishPutOff(name("1")),
                .finishSent(name("1")),
            ], actions: []),
        Row(
            name: "finished, it does not come back in a list",
            events: upToSettled + [
                .finishCalled(key), .finishSent(name("1")),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 "]),
        Row(
            name: "a failed one only leaves the journal",
            events: upToPost + [.answered(key, .refused(reason)), .finishCalled(key)],
            actions: ["forget A", "removed A"]),
        Row(
            name: "an empty journal asks for the list", events: [.journalLoaded([], [])],
            actions: ["list"]),
        Row(
            name: "what was never approved is dropped",
            events: [.journalLoaded([record("A", .written)], [])], actions: ["forget A", "list"]),
        Row(
            name: "what was approved is posted before the list",
            events: [.journalLoaded([record("A", .approved(account: "ada"))], [finish("7")])],
            actions: ["sendFinish 7", "post A 0"]),
        Row(
            name: "the list comes after its answer, which it repeats",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .done(bought("1"), receiptRevision: 5)),
            ], actions: ["forget A", "list"]),
        Row(
            name: "and brings it in",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .done(bought("1"), receiptRevision: 5)),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 transaction 1"]),
        Row(
            name: "the list answers what the post did not",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .lost), .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 A"]),
        Row(
            name: "failed ones and listed ones are told together",
            events: [
                .journalLoaded([record("B", .failed(reason))], []),
                .listed([bought("1", attempt: "Z")], receiptRevision: 5, ada),
                .receiptReady([QueueKey(attemptId: "B"), QueueKey(name("1"))]),
            ], actions: ["tell B failed 3, transaction 1 purchased 1"]),
        Row(
            name: "without a list the failed ones are told alone",
            events: [.journalLoaded([record("B", .failed(reason))], []), .listFailed],
            actions: ["tell B failed 3"]),
        Row(
            name: "a finish in the journal keeps the list from bringing it back",
            events: [
                .journalLoaded([], [finish("1")]), .listed([bought("1")], receiptRevision: 5, ada),
            ],
            actions: ["receipt 5 "]),
        Row(
            name: "an answer after the end is nothing",
            events: upToPost + [.answered(key, .refused(reason)), .answered(key, .lost)],
            actions: []),
        Row(
            name: "an approval that the journal may hold is in doubt",
            events: Array(upToPost.prefix(3)) + [
                .approvalUncertain(key), .answered(key, .rejected(reason)),
            ], actions: ["say"]),
        Row(
            name: "a finish that the store refuses hides nothing and asks for the list",
            events: upToSettled + [.finishCalled(key), .finishRefused(name("1"))],
            actions: ["removed A", "list"]),
        Row(
            name: "and the list brings the purchase back",
            events: upToSettled + [
                .finishCalled(key), .finishRefused(name("1")),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 transaction 1"]),
        Row(
            name: "a purchase of what was told as failed comes by itself",
            events: upToPost + [
                .answered(key, .refused(reason)),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 transaction 1"]),
        Row(
            name: "an approval of another world waits in silence",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), world: "V")], []),
                .listed([], receiptRevision: 5, ada),
            ], actions: ["receipt 5 "]),
        Row(
            name: "and goes on when its world is back",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), world: "V")], []),
                .worldMet("V"),
            ], actions: ["post A 0"]),
        Row(
            name: "one that turns out to be of another world is not told",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []), .worldMet("V"),
                .answered(key, .otherWorld), .listFailed,
            ], actions: []),
        Row(
            name: "a failure of another world waits, too",
            events: [
                .journalLoaded([record("B", .failed(reason), world: "V")], []), .listFailed,
                .worldMet("V"),
            ], actions: ["tell B failed 3"]),
        Row(
            name: "a failure of no world takes the first one",
            events: [.journalLoaded([record("B", .failed(reason), world: nil)], []), .listFailed],
            actions: ["tell B failed 3"]),
        Row(
            name: "what was never approved is forgotten, whatever world it was meant for",
            events: [.journalLoaded([record("A", .written, world: "V")], [])],
            actions: ["forget A", "list"]),
        Row(
            name: "a finish of another world hides nothing here",
            events: [
                .journalLoaded([], [finish("1", world: "V")]),
                .listed([bought("1")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 transaction 1"]),
        Row(
            name: "a settled purchase hides no number of the next world",
            events: upToSettled + [
                .worldMet("V"),
                .listed([bought("1", attempt: "Z")], receiptRevision: 2, adaElsewhere),
            ], actions: ["receipt 2 transaction 1"]),
        Row(
            name: "a list of the world before is nothing",
            events: [.worldMet("V"), .listed([bought("1")], receiptRevision: 5, ada)],
            actions: []),
        Row(
            name: "a payment not yet posted is asked for anew in another world",
            events: upToPost + [.worldMet("V"), .answered(key, .otherWorld)],
            actions: ["forget A", "write A"]),
        Row(
            name: "an approval under a lost guid is never posted",
            events: [.journalLoaded([record("A", .approved(account: "ada"), guid: "OLD")], [])],
            actions: ["say", "list"]),
        Row(
            name: "the list tells of it",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), guid: "OLD")], []),
                .listed([bought("1", device: "OLD")], receiptRevision: 5, ada),
            ], actions: ["receipt 5 A"]),
        Row(
            name: "or it was not bought",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), guid: "OLD")], []),
                .listed([], receiptRevision: 5, ada),
            ], actions: ["forget A", "receipt 5 "]),
        Row(
            name: "what the journal told of is told with the list's purchases",
            events: openAndListed + [.receiptReady([QueueKey(name("9"))])],
            actions: ["tell A purchasing, transaction 9 purchased 9"]),
        Row(
            name: "finished elsewhere before its receipt came, what the journal held is not told",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .lost), .listed([bought("1")], receiptRevision: 5, ada),
                .updates([update(.finished, bought("1"))], receiptRevision: 6, ada),
                .receiptReady([key]),
            ], actions: []),
        Row(
            name: "it leaves the journal",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"))], []),
                .answered(key, .lost), .listed([bought("1")], receiptRevision: 5, ada),
                .updates([update(.finished, bought("1"))], receiptRevision: 6, ada),
            ], actions: ["forget A", "receipt 6 "]),
        Row(
            name: "bought and finished while its answer was lost, it leaves untold",
            events: lostAndFinished + [
                .answered(key, .done(finished("1"), receiptRevision: 6))
            ], actions: ["forget A", "removed A"]),
        Row(
            name: "and is not told later",
            events: lostAndFinished + [
                .answered(key, .done(finished("1"), receiptRevision: 6)), .receiptReady([key]),
            ], actions: []),
        Row(
            name: "what the journal held and the app was not told of leaves without a word",
            events: [
                .journalLoaded([record("A", .approved(account: "ada"), world: "V")], []),
                .listed([], receiptRevision: 5, ada), .worldMet("V"),
                .answered(key, .done(finished("1"), receiptRevision: 6)),
            ], actions: ["forget A"]),
        Row(
            name: "news of a purchase that is finished by now are nothing",
            events: [
                .updates([update(.purchased, finished("9"))], receiptRevision: 5, ada)
            ], actions: ["receipt 5 "]),
        Row(
            name: "what a new list does not hold was finished elsewhere",
            events: upToSettled + [.listed([], receiptRevision: 6, ada)],
            actions: ["removed A", "receipt 6 "]),
        Row(
            name: "so was what finishing left in the same receipt",
            events: upToSettled + [.listed([], receiptRevision: 5, ada)],
            actions: ["removed A", "receipt 5 "]),
        Row(
            name: "a list from before the purchase says nothing of it",
            events: upToSettled + [.listed([], receiptRevision: 4, ada)], actions: ["receipt 4 "]),
        Row(
            name: "what a new list does not hold is not told when its receipt comes",
            events: upToDone + [.listed([], receiptRevision: 6, ada), .receiptReady([key])],
            actions: []),
        Row(
            name: "another account's list says nothing of it, either",
            events: upToSettled + [.listed([], receiptRevision: 6, bob)], actions: ["receipt 6 "]),
        Row(
            name: "what the app is finishing leaves when that is done",
            events: upToSettled + [.finishCalled(key), .listed([], receiptRevision: 6, ada)],
            actions: ["receipt 6 "]),
        Row(name: "events of strangers are nothing", events: [.finishCalled(key)], actions: []),
    ]

    @Test(arguments: rows)
    func `an event asks for these actions`(row: Row) {
        var state = QueueState(deviceGuid: Self.device, world: "W")
        var last: [QueueAction] = []
        for event in row.events { last = state.apply(event) }
        #expect(last.map(Self.describe) == row.actions)
    }

    @Test func `a receipt that was asked for before a purchase does not tell of it`() throws {
        var state = QueueState(deviceGuid: Self.device, world: "W")
        var last: [QueueAction] = []
        for event in Self.openAndListed { last = state.apply(event) }
        guard case .bringReceipt(let keys, _, _)? = last.last else {
            Issue.record("no receipt is brought: \(last.map(Self.describe))")
            return
        }
        _ = state.apply(.answered(Self.key, .done(Self.bought("1"), receiptRevision: 6)))
        let early = state.apply(.receiptReady(keys))
        #expect(early.map(Self.describe) == ["tell transaction 9 purchased 9"])
        let late = state.apply(.receiptReady([Self.key]))
        #expect(late.map(Self.describe) == ["forget A", "tell A purchased 1"])
    }

    @Test func `a sheet that never lasts ends`() {
        var state = QueueState(deviceGuid: Self.device, world: "W")
        for event in Self.upToPost { _ = state.apply(event) }
        var sheets = 0
        var actions = state.apply(.answered(Self.key, .signedOut))
        while actions.map(Self.describe) == ["forget A", "write A"], sheets < 10 {
            sheets += 1
            _ = state.apply(.attemptWritten(Self.key))
            _ = state.apply(Self.approved)
            _ = state.apply(.approvalWritten(Self.key))
            actions = state.apply(.answered(Self.key, .signedOut))
        }
        #expect(sheets == QueueState.sheetRoundsMax - 1)
        #expect(actions.map(Self.describe) == ["write A", "tell A failed 0"])
    }

    @Test func `what the sheet asks again says nothing of the approval before`() throws {
        var state = QueueState(deviceGuid: Self.device, world: "W")
        for event in Self.upToPost { _ = state.apply(event) }
        guard case .writeAttempt(let item)? = state.apply(.answered(Self.key, .signedOut)).last
        else {
            Issue.record("nothing is written")
            return
        }
        let record = try #require(item.record(scope: StoreScope(url: URL(fileURLWithPath: "/"))))
        #expect(item.stage == .writing(wasApproved: true))
        #expect(record.stage == .written)
        #expect(record.terms == nil)
        #expect(record.attemptId == "A")
    }

    static func describe(_ action: QueueAction) -> String {
        switch action {
        case .writeAttempt(let item): "write \(item.key.text)"
        case .forgetAttempt(let id): "forget \(id)"
        case .showSheet(let item): "sheet \(item.key.text)"
        case .post(let item, let tries): "post \(item.key.text) \(tries)"
        case .askForList: "list"
        case .bringReceipt(let keys, let revision, _):
            "receipt \(revision) \(keys.map(\.text).joined(separator: ","))"
        case .tell(let news): "tell " + news.map(describe).joined(separator: ", ")
        case .tellRemoved(let keys): "removed \(keys.map(\.text).joined(separator: ","))"
        case .writeFinish(_, let id, let customer):
            "writeFinish \(id) \(customer?.account ?? "nobody")"
        case .sendFinish(let name): "sendFinish \(name.transactionId)"
        case .showRestoreSheet(let restoreId): "restoreSheet \(restoreId)"
        case .askToRestore(let question, _): "restore \(question.after ?? "first")"
        case .tellRestoreEnded(let reason): "restoreEnded \(reason?.code ?? -1)"
        case .bringReceiptWithout(let revoked, let revision, _):
            "receipt \(revision) without \(revoked.products.joined(separator: ","))"
        case .changeStorefront(let move, _, let keys):
            "storefront \(move.countryCode) \(keys.map(\.text).joined(separator: ","))"
        case .dropDownload(let name): "drop \(name.transactionId)"
        case .offerPriceConsents(let numbers):
            "offer " + numbers.map(String.init).joined(separator: ",")
        case .showPriceConsent(let consent): "consent \(consent.body.number)"
        case .hide(let keys): "hide \(keys.map(\.text).joined(separator: ","))"
        case .say: "say"
        }
    }

    private static func describe(_ told: QueueAction.Told) -> String {
        switch told.face {
        case .purchasing: "\(told.key.text) purchasing"
        case .deferred: "\(told.key.text) deferred"
        case .purchased(let purchase):
            "\(told.key.text) purchased \(purchase.transactionIdentifier)"
        case .failed(let reason): "\(told.key.text) failed \(reason.code)"
        case .restored(let purchase, _):
            "\(told.key.text) restored \(purchase.transactionIdentifier)"
        }
    }
}
