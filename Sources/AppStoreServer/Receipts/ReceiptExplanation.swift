import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Decodes a receipt for the store's owner. The verdict is that of the verifiers which
/// `verifyReceipt` asks.
enum ReceiptExplanation {
    static func explain(_ call: StoreCall, _ body: ExplainReceiptBody) -> ExplainedReceiptBody {
        let bytes = Data(base64Encoded: body.receipt).map { Array($0) } ?? []
        let isOfTransaction = TransactionReceiptVerifier.isMeant(bytes)
        do throws(VerificationRefusal) {
            return isOfTransaction
                ? try transaction(bytes, in: call.context) : try app(bytes, in: call.context)
        } catch {
            let why = bytes.isEmpty ? "It is not a receipt in base64." : error.sentence
            return ExplainedReceiptBody(
                form: isOfTransaction ? .transaction : .app,
                verdict: refused(why, .receiptMalformed), attributes: [], purchases: [])
        }
    }

    private static func app(
        _ bytes: [UInt8], in scene: Scene
    ) throws(VerificationRefusal) -> ExplainedReceiptBody {
        let contents = try ReceiptContents(bytes)
        let verifier = scene.parts.verifier
        let verdict = verdict(in: scene) { () throws(VerificationRefusal) in
            let receipt = try verifier.verify(bytes)
            return (receipt.environment, receipt.worldID, receipt.isTest)
        }
        return ExplainedReceiptBody(
            form: .app, verdict: verdict,
            attributes: contents.attributes.map { ReceiptAttributeBody($0) },
            purchases: contents.purchases.map { $0.map { ReceiptAttributeBody($0) } })
    }

    private static func transaction(
        _ bytes: [UInt8], in scene: Scene
    ) throws(VerificationRefusal) -> ExplainedReceiptBody {
        let pairs = try TransactionReceiptVerifier.pairs(of: bytes)
        let verifier = scene.parts.transactionVerifier
        let verdict = verdict(in: scene) { () throws(VerificationRefusal) in
            let receipt = try verifier.verify(bytes)
            return (receipt.environment, receipt.worldID, receipt.isTest)
        }
        return ExplainedReceiptBody(
            form: .transaction, verdict: verdict,
            attributes: pairs.map {
                ReceiptAttributeBody(number: nil, name: $0.key, meaning: nil, value: $0.value)
            }, purchases: [])
    }

    private static func verdict(
        in scene: Scene,
        _ verify: () throws(VerificationRefusal) -> (StoreEnvironment, String, Bool)
    ) -> ReceiptVerdictBody {
        do throws(VerificationRefusal) {
            let (environment, worldID, isTest) = try verify()
            let isOurs = worldID == scene.world.id
            let status: VerifyReceiptStatus = isOurs ? .valid : .receiptNotAuthentic
            return ReceiptVerdictBody(
                isAuthentic: isOurs,
                why: isOurs ? nil : "The receipt is of another world of this store.",
                status: status.rawValue, environment: environment, worldId: worldID,
                isTest: isTest)
        } catch {
            return refused(error.sentence, VerifyReceiptStatus(of: error))
        }
    }

    private static func refused(
        _ why: String, _ status: VerifyReceiptStatus
    ) -> ReceiptVerdictBody {
        ReceiptVerdictBody(
            isAuthentic: false, why: why, status: status.rawValue, environment: nil,
            worldId: nil, isTest: nil)
    }
}

extension VerificationRefusal {
    fileprivate var sentence: String {
        switch self {
        case .malformed(let why), .notAuthentic(let why): why
        }
    }
}

extension ReceiptAttributeBody {
    fileprivate init(_ attribute: ReceiptContents.Attribute) {
        self.init(
            number: attribute.number, name: attribute.name, meaning: attribute.meaning,
            value: attribute.value)
    }
}
