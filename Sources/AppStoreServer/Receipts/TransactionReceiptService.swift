import Dispatch
import Foundation
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Issues receipts of single transactions to devices that ask for them.
///
/// They are not stored: the store's records, the device and its app's version give the same bytes
/// each time. So a purchase does not cost a signature for them.
enum TransactionReceiptService {
    /// Up to as many digits as the numbers of all environments have.
    private static let numbers: ClosedRange<Int64> = 1...9_999_999_999_999_999

    /// Up to this many are signed on the listener's thread, which takes less time than a change of
    /// threads.
    private static let signedAtOnceMax = 2

    /// `POST /device/v1/transaction-receipts`
    static func receipts(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            let body = try request.decoded(TransactionReceiptsRequestBody.self)
            let ids = try checkedIDs(body.transactionIds)
            let transactions = try scene.world.database.read { scope in
                try ids.compactMap { try scope.transaction($0) }
                    .filter { $0.account == account.id && $0.app == session.app }
            }
            guard transactions.count > signedAtOnceMax else {
                return responder.send(try answer(transactions, to: session, in: scene))
            }
            DispatchQueue.global().async {
                scene.answer(responder) { try answer(transactions, to: session, in: scene) }
            }
        }
    }

    private static func checkedIDs(_ texts: [String]) throws -> [TransactionID] {
        let countMax = TransactionReceiptsRequestBody.transactionsMax
        guard (1...countMax).contains(texts.count) else {
            throw Refusal(
                422, "badField",
                "transactionIds must name 1 to \(countMax) transactions, not \(texts.count).")
        }
        return try texts.enumerated().map { index, text in
            guard let number = Int64(text), "\(number)" == text, numbers.contains(number) else {
                throw Refusal(
                    422, "badField", "transactionIds[\(index)] is not a transaction's number.")
            }
            return TransactionID(number)
        }
    }

    static func sign(
        _ transaction: StoreTransaction, for session: DeviceSession, in scene: Scene
    ) throws -> [UInt8] {
        try scene.world.transactionSigner(for: try scene.placed())
            .sign(TransactionReceiptInfo(transaction, session: session))
    }

    private static func answer(
        _ transactions: [StoreTransaction], to session: DeviceSession, in scene: Scene
    ) throws -> HTTPResponse {
        let receipts = try transactions.map { transaction in
            TransactionReceiptBody(
                transactionId: "\(transaction.id)",
                receipt: Data(try sign(transaction, for: session, in: scene))
                    .base64EncodedString())
        }
        scene.log.event(
            StoreEvent.transactionReceiptsIssued, ("count", .number(Int64(receipts.count))))
        return .json(try WireJSON.encode(TransactionReceiptsAnswerBody(receipts: receipts)))
    }
}

extension TransactionReceiptInfo {
    /// As the requesting device gets it: with its identifier and its app's present version.
    init(_ transaction: StoreTransaction, session: DeviceSession) {
        self.init(
            transaction, bundleID: session.bundleID,
            appItemID: session.environment == .production ? session.appNumber.rawValue : 0,
            applicationVersion: session.appVersion, vendorIdentifier: session.guid)
    }

    init(
        _ transaction: StoreTransaction, bundleID: String, appItemID: Int64,
        applicationVersion: String, vendorIdentifier: String
    ) {
        self.init(
            bundleID: bundleID, appItemID: appItemID, applicationVersion: applicationVersion,
            vendorIdentifier: vendorIdentifier, productID: transaction.product.rawValue,
            quantity: Int64(transaction.quantity), transactionID: "\(transaction.id)",
            originalTransactionID: "\(transaction.original)",
            purchasedAt: transaction.purchasedAt,
            originallyPurchasedAt: transaction.originallyPurchasedAt,
            subscription: transaction.subscription.map { period in
                Subscription(
                    expiresAt: transaction.restoration == nil ? period.expiresAt : nil,
                    webOrderLineItemID: transaction.webOrderLineItem,
                    isTrialPeriod: period.isTrial, isInIntroOfferPeriod: period.isIntroductory)
            })
    }
}
