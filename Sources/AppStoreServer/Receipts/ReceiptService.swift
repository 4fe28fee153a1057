import StoreLog
import Dispatch
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreSigning
import StoreWire

/// Issues receipts to devices.
enum ReceiptService {
    /// What a receipt is made from, read in one moment.
    private struct Facts: Sendable {
        let receipt: DeviceReceipt
        let transactions: [StoreTransaction]
    }

    /// `GET /device/v1/receipt`: the receipt of the signed-in account in this app on this device.
    static func receipt(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            if let facts = try scene.world.database.read({
                try currentFacts(of: session, account, $0)
            }) {
                return responder.send(try issue(facts, to: session, in: scene))
            }
            let now = scene.world.time.now()
            scene.world.database.write { scope in
                try scope.requireToken(of: session)
                let revision = try scope.reading {
                    try $0.receiptRevision(of: account.id, in: session.app)
                }
                let receipt = DeviceReceipt(
                    account: account.id, appVersion: session.appVersion, revision: revision,
                    opaqueValue: randomBytes(16), createdAt: now)
                try scope.saveDeviceReceipt(receipt, of: session.device)
                return Facts(
                    receipt: receipt,
                    transactions: try scope.reading {
                        try $0.receiptTransactions(of: account.id, in: session.app)
                    })
            } then: { result in
                // Signing is not for the writer's thread.
                DispatchQueue.global().async {
                    scene.answer(responder) {
                        try issue(try result.get(), to: session, in: scene)
                    }
                }
            }
        }
    }

    /// Nil when the receipt that was issued last is not this account's, version's or revision's.
    private static func currentFacts(
        of session: DeviceSession, _ account: Account, _ scope: borrowing ReadScope
    ) throws -> Facts? {
        let revision = try scope.receiptRevision(of: account.id, in: session.app)
        guard let receipt = try scope.deviceReceipt(of: session.device),
            receipt.account == account.id, receipt.appVersion == session.appVersion,
            receipt.revision == revision
        else { return nil }
        return Facts(
            receipt: receipt,
            transactions: try scope.receiptTransactions(of: account.id, in: session.app))
    }

    private static func issue(
        _ facts: Facts, to session: DeviceSession, in scene: Scene
    ) throws -> HTTPResponse {
        let environment = try scene.placed()
        let payload = ReceiptPayload(
            facts.receipt, facts.transactions, session: session, environment: environment)
        let receipt = try scene.world.signer(for: environment).sign(payload)
        scene.log.event(
            StoreEvent.receiptIssued, ("account", .number(facts.receipt.account.rawValue)),
            ("receipt", .secret(byteCount: receipt.count)))
        return HTTPResponse(
            status: 200,
            headers: HTTPHeaders([
                ("Content-Type", "application/octet-stream"),
                (receiptRevisionHeader, "\(facts.receipt.revision)"),
            ]), body: receipt)
    }
}

extension ReceiptPayload {
    /// What every receipt of the sandbox says of the app's first purchase: 2013-08-01 07:00 UTC.
    static let sandboxOriginalPurchaseDate = Timestamp(seconds: 1_375_340_400)

    init(
        _ receipt: DeviceReceipt, _ transactions: [StoreTransaction], session: DeviceSession,
        environment: StoreEnvironment
    ) {
        self.init(
            receiptType: environment == .production ? "Production" : "ProductionSandbox",
            appItemID: 0, bundleID: session.bundleID, applicationVersion: session.appVersion,
            opaqueValue: receipt.opaqueValue,
            deviceHash: receiptDeviceHash(
                guid: bytes(ofUUID: session.guid), opaqueValue: receipt.opaqueValue,
                bundleID: session.bundleID),
            createdAt: receipt.createdAt.roundedDownToSecond, downloadID: 0,
            versionExternalIdentifier: 0, purchases: transactions.map { ReceiptPurchase($0) },
            originalPurchaseDate: Self.sandboxOriginalPurchaseDate,
            originalApplicationVersion: "1.0", expiresAt: nil)
    }
}

extension ReceiptPurchase {
    init(_ transaction: StoreTransaction) {
        self.init(
            quantity: Int64(transaction.quantity), productID: transaction.product.rawValue,
            transactionID: "\(transaction.id)",
            purchasedAt: transaction.purchasedAt.roundedDownToSecond,
            originalTransactionID: "\(transaction.original)",
            originallyPurchasedAt: transaction.originallyPurchasedAt.roundedDownToSecond,
            kind: transaction.kind)
    }
}
