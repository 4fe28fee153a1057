import Foundation
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Apple's `verifyReceipt`: always HTTP 200 with a JSON object that has a `status`.
enum VerifyReceiptService {
    /// `/verifyReceipt` below an environment, by any method.
    ///
    /// Anyone may send it, so a large body is processed away from the listener's threads.
    static func verify(_ call: StoreCall, _ responder: Responder) {
        guard call.request.body.count > Limits.quickBodyMax else {
            return answer(call, isApart: false, responder)
        }
        call.parts.runLarge(.body, responder) { answer(call, isApart: true, responder) }
    }

    /// An account's latest purchases may be many, however small the sent receipt is.
    private struct TakesLong: Error {}

    private static func answer(_ call: StoreCall, isApart: Bool, _ responder: Responder) {
        call.context.attempt(responder) {
            do {
                responder.send(.json(try answer(to: call, isApart: isApart)))
            } catch is TakesLong {
                call.parts.runLarge(.receipt, responder) {
                    answer(call, isApart: true, responder)
                }
            }
        }
    }

    private static func answer(to call: StoreCall, isApart: Bool) throws -> [UInt8] {
        let scene = call.context
        let environment = try scene.placed()
        do {
            let sent = try SentReceipt(call.request)
            switch scene.world.faults.next(in: environment, call.path.pattern)?.effect {
            case .receiptStatus(let status, let isRetryable):
                scene.log.event(StoreEvent.receiptRefused, ("status", .number(Int64(status))))
                return VerifyReceiptAnswer.injected(status, isRetryable: isRetryable)
            case .answer, nil: break
            }
            let verified =
                TransactionReceiptVerifier.isMeant(sent.bytes)
                ? try transactionReceipt(sent, in: scene, at: environment)
                : try unifiedReceipt(sent, isApart: isApart, in: scene, at: environment)
            scene.log.event(
                StoreEvent.receiptVerified, ("status", .number(Int64(verified.status.rawValue))),
                ("receipt", .secret(byteCount: sent.bytes.count)))
            return verified.body
        } catch let long as TakesLong {
            throw long
        } catch let refusal as StatusRefusal {
            scene.log.event(
                StoreEvent.receiptRefused, ("status", .number(Int64(refusal.status.rawValue))))
            return VerifyReceiptAnswer.refusal(refusal.status)
        } catch {
            let status = VerifyReceiptStatus(of: error)
            scene.log.event(
                StoreEvent.receiptRefused, ("status", .number(Int64(status.rawValue))),
                ("why", .text("\(error)")))
            return VerifyReceiptAnswer.refusal(status)
        }
    }

    private static func unifiedReceipt(
        _ sent: SentReceipt, isApart: Bool, in scene: Scene, at environment: StoreEnvironment
    ) throws -> VerifiedAnswer {
        let receipt = try scene.parts.verifier.verify(sent.bytes)
        try check(worldID: receipt.worldID, in: scene)
        let secret = try ReceiptSecret.check(
            sent.password, ofApp: receipt.payload.bundleID,
            kinds: receipt.payload.purchases.map(\.kind), in: scene)
        try check(receipt.environment, at: environment, secret)
        let now = scene.world.time.now()
        let known = try scene.world.database.read { scope in
            try Known(of: receipt.payload, withLatest: secret == .right, isApart: isApart, scope)
        }
        return VerifiedAnswer(
            status: .valid,
            body: VerifyReceiptAnswer.unified(
                known.payload, environment: environment, now: now, shares: known.shares,
                latest: try known.latest.map {
                    try latest($0, of: receipt.payload, sent, in: scene, at: environment, now)
                }))
    }

    /// The store's knowledge of a sent receipt, read in one moment.
    private struct Known {
        let payload: ReceiptPayload
        let shares: Set<TransactionID>
        let latest: LatestPurchases?

        init(
            of sent: ReceiptPayload, withLatest: Bool, isApart: Bool, _ scope: borrowing ReadScope
        ) throws {
            payload = try withRevocations(sent, scope)
            let numbers = sent.purchases.lazy.compactMap { Int64($0.transactionID) }
                .map { TransactionID($0) }
            // A test may have deleted some of them, which are nobody's then.
            let first = try numbers.first { try !scope.isOwnerDeleted(of: $0) } ?? numbers.first
            // A receipt without purchases says whose it is by its download, in production.
            let isOrphan =
                if let first {
                    try scope.isOwnerDeleted(of: first)
                } else {
                    try scope.isOwnerDeleted(of: AppTransactionID(sent.downloadID))
                }
            if isOrphan { throw StatusRefusal(status: .accountUnknown) }
            shares = try first.map { try scope.shares(besides: $0) } ?? []
            guard withLatest else {
                latest = nil
                return
            }
            if !isApart, try LatestPurchases.areMany(ofOwner: sent, scope) { throw TakesLong() }
            latest = try LatestPurchases(ofOwner: sent, scope)
            if latest == nil { throw StatusRefusal(status: .accountUnknown) }
        }
    }

    private static func latest(
        _ found: LatestPurchases, of payload: ReceiptPayload, _ sent: SentReceipt,
        in scene: Scene, at environment: StoreEnvironment, _ now: Timestamp
    ) throws -> LatestReceipt {
        let newest = try found.receipt(
            after: payload, sent.bytes, signer: scene.world.signer(for: environment), now: now)
        return LatestReceipt(
            purchases: found.newestFirst(excludesOld: sent.excludesOld),
            subscriptions: found.subscriptions, receipt: Data(newest).base64EncodedString())
    }

    /// An older receipt does not show later revocations, or still shows ones that were undone; the
    /// store knows better.
    private static func withRevocations(
        _ sent: ReceiptPayload, _ scope: borrowing ReadScope
    ) throws -> ReceiptPayload {
        let ids = sent.purchases.map { Int64($0.transactionID).map { TransactionID($0) } }
        let revocations = try scope.revocations(of: ids.compactMap { $0 })
        let doubtful = zip(ids, sent.purchases).compactMap { id, purchase in
            purchase.cancellationReason == nil ? nil : id
        }
        if revocations.isEmpty, doubtful.isEmpty { return sent }
        let reversed = try scope.reversed(among: doubtful.filter { revocations[$0] == nil })
        var payload = sent
        for (place, id) in ids.enumerated() {
            guard let id else { continue }
            if let revocation = revocations[id] {
                payload.purchases[place].cancel(revocation)
            } else if let upgradedAt = reversed[id] {
                payload.purchases[place].cancellationReason = nil
                payload.purchases[place].cancelledAt = upgradedAt?.roundedDownToSecond
            }
        }
        return payload
    }

    private static func transactionReceipt(
        _ sent: SentReceipt, in scene: Scene, at environment: StoreEnvironment
    ) throws -> VerifiedAnswer {
        let receipt = try scene.parts.transactionVerifier.verify(sent.bytes)
        try check(worldID: receipt.worldID, in: scene)
        let isSubscription = receipt.info.subscription != nil
        let secret = try ReceiptSecret.check(
            sent.password, ofApp: receipt.info.bundleID,
            kinds: isSubscription ? [.autoRenewable] : [], in: scene)
        try check(receipt.environment, at: environment, secret)
        let cancellation = try Int64(receipt.info.transactionID).flatMap { number in
            try scene.world.database.read { scope in
                let id = TransactionID(number)
                if try scope.isOwnerDeleted(of: id) {
                    throw StatusRefusal(status: .accountUnknown)
                }
                return try scope.cancellation(of: id)
            }
        }
        guard isSubscription else { return TransactionReceiptAnswer.plain(receipt, cancellation) }
        return TransactionReceiptAnswer.subscription(
            receipt, cancellation, try latest(of: receipt.info, in: scene, at: environment),
            at: scene.world.time.now())
    }

    /// The newest period of a transaction receipt's subscription, as its device would get it now.
    private static func latest(
        of info: TransactionReceiptInfo, in scene: Scene, at environment: StoreEnvironment
    ) throws -> TransactionReceiptAnswer.Latest {
        let found = try scene.world.database.read { scope in
            guard let original = Int64(info.originalTransactionID),
                let kept = try scope.subscriptionOrShared(TransactionID(original)),
                let newest = try scope.transaction(kept.newest)
            else { throw StatusRefusal(status: .accountUnknown) }
            return (kept, newest, try scope.cancellation(of: newest.id))
        }
        let bytes = try scene.world.transactionSigner(for: environment).sign(
            TransactionReceiptInfo(
                found.1, bundleID: info.bundleID, appItemID: info.appItemID,
                applicationVersion: info.applicationVersion,
                vendorIdentifier: info.vendorIdentifier))
        return TransactionReceiptAnswer.Latest(
            receipt: try scene.parts.transactionVerifier.verify(bytes), bytes: bytes,
            cancellation: found.2, subscription: found.0.state)
    }

    /// A receipt of another world is as foreign here as one of another store.
    private static func check(worldID: String, in scene: Scene) throws {
        guard worldID == scene.world.id else {
            throw VerificationRefusal.notAuthentic("it is a receipt of another world")
        }
    }

    /// Throws unless an authentic receipt is answered with more than a status.
    private static func check(
        _ issued: StoreEnvironment, at asked: StoreEnvironment, _ secret: SecretCheck
    ) throws(StatusRefusal) {
        let status = VerifyReceiptRules.status(ofReceiptFrom: issued, at: asked, secret: secret)
        guard status == .valid else { throw StatusRefusal(status: status) }
    }
}
