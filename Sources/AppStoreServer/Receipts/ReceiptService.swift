import StoreLog
import Dispatch
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import StoreWire

/// Issues receipts to devices.
enum ReceiptService {
    /// The data that a receipt is made from, read in one moment.
    private struct Facts: Sendable {
        let receipt: DeviceReceipt
        let appTransaction: AppTransaction?
        let purchases: [ReceiptPurchase]
    }

    /// `GET /device/v1/receipt`: the receipt of the signed-in account in this app on this device.
    static func receipt(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            let trial = try ReceiptTrial(request, in: try scene.placed())
            try issue(to: session, of: account, trial, scene, responder)
        }
    }

    /// Answers with the receipt of an account that is signed in on a device.
    static func issue(
        to session: DeviceSession, of account: Account, _ trial: ReceiptTrial?,
        _ scene: Scene, _ responder: Responder
    ) throws {
        let isLarge = try scene.world.database.read {
            try $0.isReceiptLarge(of: account.id, in: session.app)
        }
        let order = Order(
            session: session, account: account, trial: trial, isLarge: isLarge)
        guard isLarge else { return try issue(order, scene, responder) }
        issueApart(order, scene, responder)
    }

    /// `GET /control/v1/apps/{bundleId}/receipt`: that of the device that the store keeps for the
    /// account.
    static func ofOwner(_ call: StoreCall, app bundleID: String, _ responder: Responder) throws {
        let named = try call.request.queryAccount()
        let version = call.request.queryValue("appVersion")
        Task {
            do {
                let place = try await OwnerDevice.place(
                    of: named, in: bundleID, appVersion: version, isForReading: true, call.context)
                let isLarge = try place.scene.world.database.read {
                    try $0.isReceiptLarge(of: place.account.id, in: place.session.app)
                }
                let order = Order(
                    session: place.session, account: place.account, trial: nil, isLarge: isLarge,
                    isOfOwner: true)
                issueApart(order, place.scene, responder)
            } catch {
                responder.send(call.context.response(for: error))
            }
        }
    }

    /// A receipt that a device asks for.
    private struct Order: Sendable {
        let session: DeviceSession
        let account: Account
        let trial: ReceiptTrial?
        let isLarge: Bool
        /// Whether the store's owner asks, for whom the session need not last.
        var isOfOwner = false
        /// How often it may be made anew.
        var triesLeft = Limits.receiptTriesMax
    }

    /// Answers with the receipt that is current, or notes a new one and begins again.
    ///
    /// The purchases are read here, together with the revision, and not where the new receipt is
    /// noted: they may be many, and every purchase waits for the writer's thread. A purchase in
    /// between makes the new receipt outdated.
    private static func issue(_ order: Order, _ scene: Scene, _ responder: Responder) throws {
        let (session, account) = (order.session, order.account)
        if let facts = try scene.world.database.read({
            try currentFacts(of: session, account, $0)
        }) {
            return responder.send(try issue(facts, order.trial, to: session, in: scene))
        }
        guard order.triesLeft > 0 else { throw Refusal.busy }
        let now = scene.world.time.now()
        scene.world.database.write { scope in
            if !order.isOfOwner { try scope.requireToken(of: session) }
            try note(on: session, of: account, at: now, scope)
        } then: { result in
            scene.attempt(responder) {
                try result.get()
                var again = order
                again.triesLeft -= 1
                issueApart(again, scene, responder)
            }
        }
    }

    /// Notes a receipt of the present revision, so that the device's next one is it.
    static func renew(
        on session: DeviceSession, of account: Account, in scene: Scene
    ) async throws {
        let now = scene.world.time.now()
        try await scene.commit { try note(on: session, of: account, at: now, $0) }
    }

    private static func note(
        on session: DeviceSession, of account: Account, at now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws {
        let revision = try scope.reading.receiptRevision(of: account.id, in: session.app)
        let receipt = DeviceReceipt(
            account: account.id, appVersion: session.appVersion, revision: revision,
            opaqueValue: randomBytes(16), createdAt: now)
        try scope.saveDeviceReceipt(receipt, of: session.device)
    }

    /// Issues on another thread: the writer's does not sign, and the listener's does not do large
    /// work.
    private static func issueApart(_ order: Order, _ scene: Scene, _ responder: Responder) {
        let run: @Sendable () -> Void = {
            scene.attempt(responder) { try issue(order, scene, responder) }
        }
        if order.isLarge {
            scene.parts.runLarge(.receipt, responder, run)
        } else {
            DispatchQueue.global().async(execute: run)
        }
    }

    /// Nil when the last issued receipt has another account, version or revision.
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
            appTransaction: session.environment == .production
                ? try scope.appTransaction(of: account.id, in: session.app) : nil,
            purchases: try scope.receiptPurchases(of: account.id, in: session.app))
    }

    /// The present receipt; nil when the device's last issued one is outdated.
    static func issued(
        to session: DeviceSession, _ account: Account, in scene: Scene
    ) throws -> (bytes: [UInt8], revision: Int64)? {
        let facts = try scene.world.database.read { try currentFacts(of: session, account, $0) }
        guard let facts else { return nil }
        return (try sign(facts, nil, for: session, in: scene), facts.receipt.revision)
    }

    private static func issue(
        _ facts: Facts, _ trial: ReceiptTrial?, to session: DeviceSession, in scene: Scene
    ) throws -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: HTTPHeaders([
                ("Content-Type", "application/octet-stream"),
                (receiptRevisionHeader, "\(facts.receipt.revision)"),
            ]), body: try sign(facts, trial, for: session, in: scene))
    }

    private static func sign(
        _ facts: Facts, _ trial: ReceiptTrial?, for session: DeviceSession, in scene: Scene
    ) throws -> [UInt8] {
        let environment = try scene.placed()
        let payload = ReceiptPayload(
            facts.receipt, facts.purchases, of: facts.appTransaction, session: session,
            environment: environment)
        let receipt = try scene.world.signer(for: environment).sign(
            trial?.applied(to: payload) ?? payload)
        scene.log.event(
            StoreEvent.receiptIssued, ("account", .number(facts.receipt.account.rawValue)),
            ("receipt", .secret(byteCount: receipt.count)))
        return receipt
    }
}

extension ReceiptPayload {
    /// The sandbox has Apple's constants, and so has an account of which nothing is known.
    init(
        _ receipt: DeviceReceipt, _ purchases: [ReceiptPurchase], of got: AppTransaction?,
        session: DeviceSession, environment: StoreEnvironment
    ) {
        let isReal = environment == .production
        let realType = got?.isVolumePurchase == true ? "ProductionVPP" : "Production"
        self.init(
            receiptType: isReal ? realType : "ProductionSandbox",
            appItemID: isReal ? session.appNumber.rawValue : 0, bundleID: session.bundleID,
            applicationVersion: session.appVersion,
            opaqueValue: receipt.opaqueValue,
            deviceHash: receiptDeviceHash(
                guid: bytes(ofUUID: session.guid), opaqueValue: receipt.opaqueValue,
                bundleID: session.bundleID),
            createdAt: receipt.createdAt.roundedDownToSecond,
            downloadID: isReal ? got?.id.rawValue ?? 0 : 0,
            versionExternalIdentifier: 0, purchases: purchases,
            originalPurchaseDate: (got?.purchasedAt ?? AppTransaction.sandboxPurchaseDate)
                .roundedDownToSecond,
            originalApplicationVersion: got?.version ?? AppTransaction.sandboxVersion,
            expiresAt: nil)
    }
}

extension ReadScope {
    /// The purchases in the account's receipt for an app, oldest first.
    borrowing func receiptPurchases(
        of account: AccountID, in app: AppID
    ) throws -> [ReceiptPurchase] {
        let transactions = try receiptTransactions(of: account, in: app)
        let revocations = try revocations(of: transactions.map(\.id))
        return transactions.map { ReceiptPurchase($0, revocations[$0.id]) }
    }
}

extension ReceiptPurchase {
    init(_ transaction: StoreTransaction, _ revocation: Revocation?) {
        self.init(
            quantity: Int64(transaction.quantity), productID: transaction.product.rawValue,
            transactionID: String(transaction.id.rawValue),
            purchasedAt: transaction.purchasedAt.roundedDownToSecond,
            originalTransactionID: String(transaction.original.rawValue),
            originallyPurchasedAt: transaction.originallyPurchasedAt.roundedDownToSecond,
            kind: transaction.kind)
        if let period = transaction.subscription {
            expiresAt = period.expiresAt.roundedDownToSecond
            webOrderLineItemID = transaction.webOrderLineItem
            isTrialPeriod = period.isTrial
            isInIntroOfferPeriod = period.isIntroductory
            promotionalOfferID = period.promotionalOfferID
            // A replaced period shows a date, but not a reason.
            cancelledAt = period.upgradedAt?.roundedDownToSecond
        }
        if let revocation { cancel(revocation) }
    }

    /// Marks the purchase as taken back.
    mutating func cancel(_ revocation: Revocation) {
        cancelledAt = revocation.at.roundedDownToSecond
        cancellationReason = revocation.reason.receiptNumber
    }
}
