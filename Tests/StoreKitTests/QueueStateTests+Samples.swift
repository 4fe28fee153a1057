import StoreModel
import StoreWire

@testable import StoreKit

// Purchases and events, which other suites use as well, and actions in words.
extension QueueStateTests {
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

    /// Of an earlier attempt, as the answer to a later one.
    static let periodThatGoesOn = bought("7", attempt: "B")

    /// The same, once the app has finished that answer.
    static let finishedAnswer: TransactionBody = {
        var transaction = periodThatGoesOn
        transaction.isFinished = true
        return transaction
    }()

    static let answerFinish = FinishRecord(
        transactionId: "7", scope: StoreScope(url: URL(fileURLWithPath: "/")), worldId: "W",
        account: "ada", attemptId: "A")

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
    static let upToAnswer: [QueueEvent] =
        upToPost + [
            .answered(key, .done(periodThatGoesOn, receiptRevision: 5)), .receiptReady([key]),
        ]
    /// The same, and the period is in the queue by itself.
    static let upToAnswerAndPeriod: [QueueEvent] =
        upToAnswer + [
            .listed([bought("7", attempt: "B")], receiptRevision: 5, ada),
            .receiptReady([QueueKey(name("7"))]),
        ]

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
        case .writeFinish(_, let name, let customer):
            "writeFinish \(describe(name)) \(customer?.account ?? "nobody")"
        case .sendFinish(let name): "sendFinish \(describe(name))"
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
        case .bringSigned(let keys, _): "signed \(keys.map(\.text).joined(separator: ","))"
        case .finishUnlisted(let name, _): "finishUnlisted \(describe(name))"
        case .hide(let keys): "hide \(keys.map(\.text).joined(separator: ","))"
        case .say: "say"
        }
    }

    private static func describe(_ name: TransactionName) -> String {
        name.transactionId + (name.attemptId.map { " to \($0)" } ?? "")
    }

    private static func describe(_ update: QueueAction.Update) -> String {
        switch update.presented {
        case .purchasing: "\(update.key.text) purchasing"
        case .deferred: "\(update.key.text) deferred"
        case .purchased(let purchase):
            "\(update.key.text) purchased \(purchase.transactionIdentifier)"
        case .failed(let reason): "\(update.key.text) failed \(reason.code)"
        case .restored(let purchase, _):
            "\(update.key.text) restored \(purchase.transactionIdentifier)"
        }
    }
}
