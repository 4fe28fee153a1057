import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Decodes a receipt or signed data for the store's owner. The verdict is that of the verifiers
/// which `verifyReceipt` and devices ask.
enum ReceiptExplanation {
    static func explain(
        _ call: StoreCall, _ body: ExplainReceiptBody
    ) throws -> ExplainedReceiptBody {
        let text = body.receipt.trimmingCharacters(in: .whitespacesAndNewlines)
        // No base64 has a dot.
        if text.contains(".") { return try signedData(text, in: call.context) }
        let bytes = SentReceipt.decodedBase64(text) ?? []
        return TransactionReceiptVerifier.isMeant(bytes)
            ? transaction(bytes, in: call.context) : app(bytes, in: call.context)
    }

    private static func app(_ bytes: [UInt8], in scene: Scene) -> ExplainedReceiptBody {
        let trial = Trial(in: scene.world, ReceiptVerifier.checks) {
            check throws(VerificationRefusal) in
            guard !bytes.isEmpty else { throw .malformed("The text is not a receipt in base64.") }
            let receipt = try scene.parts.verifier.verify(bytes, at: &check)
            return (receipt.environment, receipt.worldID, receipt.isTest)
        }
        let contents = try? ReceiptContents(bytes)
        return ExplainedReceiptBody(
            form: .app, verdict: trial.verdict, checks: trial.checks,
            certificates: described(ReceiptContents.certificates(of: bytes)),
            attributes: contents?.attributes.map { ReceiptAttributeBody($0) } ?? [],
            purchases: contents?.purchases.map { $0.map { ReceiptAttributeBody($0) } } ?? [])
    }

    private static func transaction(_ bytes: [UInt8], in scene: Scene) -> ExplainedReceiptBody {
        let trial = Trial(in: scene.world, TransactionReceiptVerifier.checks) {
            check throws(VerificationRefusal) in
            let receipt = try scene.parts.transactionVerifier.verify(bytes, at: &check)
            return (receipt.environment, receipt.worldID, receipt.isTest)
        }
        let pairs = (try? TransactionReceiptVerifier.pairs(of: bytes)) ?? []
        let certificate = TransactionReceiptVerifier.certificate(of: bytes)
        return ExplainedReceiptBody(
            form: .transaction, verdict: trial.verdict, checks: trial.checks,
            certificates: described(certificate.map { [$0] } ?? []),
            attributes: pairs.map {
                ReceiptAttributeBody(number: nil, name: $0.key, meaning: nil, value: $0.value)
            })
    }

    private static func signedData(
        _ text: String, in scene: Scene
    ) throws -> ExplainedReceiptBody {
        let jws = try? CompactJWS<SignedDataHeader>(text)
        let certificates = jws?.header.x5c.map(StrictBase64.bytes) ?? []
        let revoked = try scene.world.database.read { try $0.dataCertificates() }
            .first { $0.revokedAt != nil && certificates.contains($0.der) }
        var trial = Trial(in: scene.world, SignedDataVerifier.checks) {
            check throws(VerificationRefusal) in
            do throws(SignedDataProblem) {
                let data = try scene.parts.dataVerifier.verified(Array(text.utf8), at: &check)
                return (data.environment, data.worldID, data.isTest)
            } catch {
                throw .malformed(error.text)
            }
        }
        // What `verifyReceipt` says of anything but a receipt.
        trial.status = .receiptMalformed
        trial.require(
            .revocation, revoked == nil,
            "Its \(revoked?.role.rawValue ?? "certificate") was revoked: servers that verify online "
                + "refuse it.")
        return ExplainedReceiptBody(
            form: .signedData, verdict: trial.verdict, checks: trial.checks,
            certificates: described(certificates),
            payload: jws.flatMap { String(validating: $0.payload, as: UTF8.self) })
    }

    /// Those before the first that cannot be read, so that each keeps its place in the chain.
    private static func described(_ certificates: [[UInt8]?]) -> [ExplainedCertificateBody] {
        let read = certificates.map { der in der.flatMap { try? Certificate($0) } }
        return read.prefix { $0 != nil }.compactMap(\.self).map {
            ExplainedCertificateBody(
                serial: $0.serialText, sha256: hexadecimal(sha256($0.der)),
                notBefore: $0.notBefore, notAfter: $0.notAfter)
        }
    }
}

/// The checks that something signed went through, up to the first that failed.
private struct Trial {
    typealias Signer = (environment: StoreEnvironment, worldID: String, isTest: Bool)

    private var passed: [VerificationCheck] = []
    private var failed: VerificationCheck?
    private var notReached: [VerificationCheck] = []
    private var why: String?
    var status = VerifyReceiptStatus.valid
    private let signer: Signer?

    /// Runs a verifier, then checks that the data was signed for this world. `order` has the
    /// verifier's checks.
    init(
        in world: World, _ order: [VerificationCheck],
        _ verify: (inout VerificationCheck) throws(VerificationRefusal) -> Signer
    ) {
        var check = VerificationCheck.form
        do throws(VerificationRefusal) {
            let signer = try verify(&check)
            self.signer = signer
            passed = order
            require(
                .world, signer.worldID == world.id, "It is of another world of this store.")
        } catch {
            signer = nil
            passed = Array(order.prefix { $0 != check })
            failed = check
            notReached = order.dropFirst(passed.count + 1) + [.world]
            why = error.description
            status = VerifyReceiptStatus(of: error)
        }
    }

    /// One check more, and why it fails.
    mutating func require(_ check: VerificationCheck, _ isPassed: Bool, _ reason: String) {
        if failed != nil {
            notReached.append(check)
        } else if isPassed {
            passed.append(check)
        } else {
            (failed, why) = (check, reason)
            if status == .valid { status = .receiptNotAuthentic }
        }
    }

    var verdict: ReceiptVerdictBody {
        ReceiptVerdictBody(
            isAuthentic: failed == nil, why: why, status: status.rawValue,
            environment: signer?.environment, worldId: signer?.worldID, isTest: signer?.isTest)
    }

    var checks: [ExplainedCheckBody] {
        passed.map { ExplainedCheckBody(check: $0, outcome: .passed) }
            + [failed].compactMap(\.self).map { ExplainedCheckBody(check: $0, outcome: .failed) }
            + notReached.map { ExplainedCheckBody(check: $0, outcome: .notReached) }
    }
}

extension ReceiptAttributeBody {
    fileprivate init(_ attribute: ReceiptContents.Attribute) {
        self.init(
            number: attribute.number, name: attribute.name, meaning: attribute.meaning,
            value: attribute.value)
    }
}
