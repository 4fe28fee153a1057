import Foundation
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreSigning
import StoreWire

/// Apple's `verifyReceipt`: always HTTP 200 with a JSON object that has a `status`.
enum VerifyReceiptService {
    /// `/verifyReceipt` below an environment, by any method.
    ///
    /// Anybody may send it, so a large body is worked on away from the listener's threads.
    static func verify(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        guard request.body.count > Limits.quickBodyMax else {
            return answer(request, scene, responder)
        }
        scene.parts.runLarge(.body, responder) { answer(request, scene, responder) }
    }

    private static func answer(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let answer = self.answer(to: request, in: scene, at: try scene.placed())
            return .json(answer.compactBytes)
        }
    }

    private static func answer(
        to request: HTTPRequest, in scene: Scene, at environment: StoreEnvironment
    ) -> JSONValue {
        do {
            let (bytes, password) = try receiptData(of: request)
            let (status, answer) =
                TransactionReceiptVerifier.isMeant(bytes)
                ? try transactionReceipt(bytes, password, in: scene, at: environment)
                : try unifiedReceipt(bytes, password, in: scene, at: environment)
            scene.log.event(
                StoreEvent.receiptVerified, ("status", .number(Int64(status.rawValue))),
                ("receipt", .secret(byteCount: bytes.count)))
            return status == .valid ? answer() : VerifyReceiptAnswer.refusal(status)
        } catch let refusal as StatusRefusal {
            scene.log.event(
                StoreEvent.receiptRefused, ("status", .number(Int64(refusal.status.rawValue))))
            return VerifyReceiptAnswer.refusal(refusal.status)
        } catch ReceiptRefusal.malformed(let why) {
            return refuse(.receiptMalformed, why, in: scene)
        } catch ReceiptRefusal.notAuthentic(let why) {
            return refuse(.receiptNotAuthentic, why, in: scene)
        } catch let failure as DatabaseError {
            return refuse(.temporarilyUnavailable, "\(failure)", in: scene)
        } catch {
            return refuse(.receiptNotAuthentic, "\(error)", in: scene)
        }
    }

    /// An authentic receipt's status, and the answer when that is 0.
    private typealias Finding = (status: VerifyReceiptStatus, answer: () -> JSONValue)

    private static func unifiedReceipt(
        _ bytes: [UInt8], _ password: String?, in scene: Scene, at environment: StoreEnvironment
    ) throws -> Finding {
        let receipt = try scene.parts.verifier.verify(bytes)
        try check(worldID: receipt.worldID, in: scene)
        let status = VerifyReceiptRules.status(
            ofReceiptFrom: receipt.environment, at: environment,
            secret: try ReceiptSecret.check(
                password, ofApp: receipt.payload.bundleID,
                kinds: receipt.payload.purchases.map(\.kind), in: scene))
        let payload = try withRevocations(receipt.payload, in: scene)
        return (
            status,
            {
                VerifyReceiptAnswer.valid(
                    payload, environment: environment, now: scene.world.time.now())
            }
        )
    }

    /// An older receipt does not say yet what was taken back since; the store knows.
    private static func withRevocations(
        _ payload: ReceiptPayload, in scene: Scene
    ) throws -> ReceiptPayload {
        let ids = payload.purchases.compactMap { Int64($0.transactionID).map { TransactionID($0) } }
        let revocations = try scene.world.database.read { try $0.revocations(of: ids) }
        if revocations.isEmpty { return payload }
        var payload = payload
        payload.purchases = payload.purchases.map { purchase in
            var purchase = purchase
            let id = Int64(purchase.transactionID).map { TransactionID($0) }
            if let revocation = id.flatMap({ revocations[$0] }) { purchase.cancel(revocation) }
            return purchase
        }
        return payload
    }

    private static func transactionReceipt(
        _ bytes: [UInt8], _ password: String?, in scene: Scene, at environment: StoreEnvironment
    ) throws -> Finding {
        let receipt = try scene.parts.transactionVerifier.verify(bytes)
        try check(worldID: receipt.worldID, in: scene)
        let status = VerifyReceiptRules.status(
            ofReceiptFrom: receipt.environment, at: environment,
            secret: try ReceiptSecret.check(
                password, ofApp: receipt.info.bundleID,
                kinds: receipt.info.subscription == nil ? [] : [.autoRenewable], in: scene))
        let revocation = try Int64(receipt.info.transactionID).flatMap { number in
            try scene.world.database.read { try $0.revocation(of: TransactionID(number)) }
        }
        return (status, { VerifyReceiptAnswer.valid(receipt, revocation) })
    }

    /// A receipt of another world is as foreign here as one of another store.
    private static func check(worldID: String, in scene: Scene) throws {
        guard worldID == scene.world.id else {
            throw ReceiptRefusal.notAuthentic("it is a receipt of another world")
        }
    }

    private static func refuse(
        _ status: VerifyReceiptStatus, _ why: String, in scene: Scene
    ) -> JSONValue {
        scene.log.event(
            StoreEvent.receiptRefused, ("status", .number(Int64(status.rawValue))),
            ("why", .text(why)))
        return VerifyReceiptAnswer.refusal(status)
    }

    private struct StatusRefusal: Error {
        let status: VerifyReceiptStatus
    }

    /// A request has three members; beyond this many values nothing is read, since anybody may send
    /// them and a listener's thread reads them.
    private static let requestLimits = JSONLimits(
        bytesMax: Limits.receiptBodyMax, valuesMax: requestValuesMax)
    static let requestValuesMax = 100

    /// The receipt's bytes and what came as `password`; the Content-Type does not matter, real
    /// clients send any or none.
    private static func receiptData(
        of request: HTTPRequest
    ) throws -> (bytes: [UInt8], password: String?) {
        guard request.method == "POST",
            let body = try? JSONValue(parsing: request.body, limits: requestLimits),
            body.object != nil
        else { throw StatusRefusal(status: .requestUnreadable) }
        guard let text = body["receipt-data"]?.string,
            let data = decodedBase64(text), !data.isEmpty
        else { throw StatusRefusal(status: .receiptMalformed) }
        return (data, body["password"]?.string)
    }

    /// Standard base64, in which clients leave line breaks and blanks.
    private static func decodedBase64(_ text: String) -> [UInt8]? {
        if let data = Data(base64Encoded: text) { return Array(data) }
        let packed = text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return Data(base64Encoded: Data(packed)).map { Array($0) }
    }
}
