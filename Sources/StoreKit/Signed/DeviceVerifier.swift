import Dispatch
import Foundation
import StoreModel
import StoreVerification

/// Verifies what a store signed, for one customer of one device: chain and markers up to a pinned
/// root, dates at the time of signing, signature, world, app, environment and device.
final class DeviceVerifier: Sendable {
    /// What signed data must say of themselves.
    struct Facts: Hashable, Sendable {
        let worldId: String
        let bundleIdentifier: String
        /// `Production`, `Sandbox` or `Xcode`.
        let environment: String
        let deviceGuid: String
    }

    /// A reason not to trust signed data; `VerificationError` has one for each.
    enum Problem: Error, Hashable, Sendable {
        case certificateChain, deviceVerification, encoding, signature, missingProperties
    }

    private let facts: Facts
    private let dataVerifier: SignedDataVerifier
    private let simulation: Simulation
    /// Reads many transactions, a batch after the other.
    private let reading = DispatchQueue(label: "StoreKit.verification")

    /// `roots` are certificates (DER).
    init(facts: Facts, roots: [[UInt8]], simulation: Simulation = Simulation()) {
        self.facts = facts
        self.simulation = simulation
        // The verifier asks only for the bytes; the environment stands in the data.
        dataVerifier = SignedDataVerifier(
            roots: TrustedRoots(roots.map { TrustedRoot(.sandbox, isTest: false, der: $0) }))
    }

    /// Why signed data with these members are not to be trusted; nil when they are.
    private func problem(with text: SignedText, _ members: PayloadMembers) -> Problem? {
        do throws(Problem) {
            try check(text, members)
            return nil
        } catch { return error }
    }

    private func check(_ text: SignedText, _ members: PayloadMembers) throws(Problem) {
        let data: VerifiedData
        do throws(SignedDataProblem) {
            data = try dataVerifier.verified(text.letters, at: members.signedDate)
        } catch {
            switch error.kind {
            case .encoding: throw .encoding
            case .chain: throw .certificateChain
            case .signature: throw .signature
            }
        }
        guard data.worldID == facts.worldId else { throw .certificateChain }
        // A renewal names no app: its transaction does.
        if let app = members.text("bundleId"), app != facts.bundleIdentifier {
            throw .missingProperties
        }
        let environment = members.text("environment") ?? members.text("receiptType")
        guard environment == facts.environment else { throw .missingProperties }
        let verification = DeviceVerification(members)
        guard verification.digest.elementsEqual(digest(of: verification.nonce)) else {
            throw .deviceVerification
        }
    }

    /// Source: Apple, *deviceVerification*: both identifiers in lowercase, one after the other.
    private func digest(of nonce: UUID) -> [UInt8] {
        sha384(Array((nonce.uuidString + facts.deviceGuid).lowercased().utf8))
    }
}

extension DeviceVerifier {
    /// A transaction with its verdict; nil when the data hold no transaction at all.
    func transaction(_ entry: SignedEntry) -> VerificationResult<Transaction>? {
        let verified = entry.value.get {
            let read: VerificationResult<Transaction>? = result(entry.text)
            guard let value = read?.unsafePayloadValue, value.id != entry.id else { return read }
            // The number beside the JWS is nobody's word.
            return .unverified(value, .missingRequiredProperties)
        }
        return verified?.failing(simulation.verification)
    }

    /// Reads many transactions on all cores, so that each one's verdict is known when it is asked for:
    /// OpenSSL alone takes a tenth of a millisecond for each.
    func readAhead(_ entries: [SignedEntry]) {
        let unread = entries.filter { !$0.value.isKnown }
        // A few are read sooner than a batch that is under way.
        if unread.count > ConcurrentMap.pieceMax { reading.sync { read(unread) } }
    }

    /// The same while the caller goes on.
    func beginReading(_ entries: [SignedEntry]) {
        reading.async { self.read(entries) }
    }

    private func read(_ entries: [SignedEntry]) {
        _ = entries.filter { !$0.value.isKnown }.concurrentMap { transaction($0) != nil }
    }

    /// The status with the verdicts on its parts.
    func status(_ status: SignedCopy.Status) -> Product.SubscriptionInfo.Status? {
        let verified = status.value.get {
            guard let transaction: VerificationResult<Transaction> = result(status.transaction),
                let renewal: VerificationResult<Product.SubscriptionInfo.RenewalInfo> = result(
                    status.renewal)
            else { return nil }
            return Product.SubscriptionInfo.Status(
                state: Product.SubscriptionInfo.RenewalState(rawValue: status.number),
                transaction: transaction, renewalInfo: renewal)
        }
        guard let error = simulation.verification else { return verified }
        return verified?.failing(error)
    }

    func appTransaction(_ text: SignedText) -> VerificationResult<AppTransaction>? {
        result(text)?.failing(simulation.verification)
    }

    /// A value with its verdict; nil when the data hold no such value.
    private func result<Value: SignedValue>(_ text: SignedText) -> VerificationResult<Value>? {
        let members = PayloadMembers(text.payload)
        guard let value = try? Value(text, members) else { return nil }
        return problem(with: text, members).map { .unverified(value, .init($0)) }
            ?? .verified(value)
    }
}

extension Product.SubscriptionInfo.Status {
    /// The same, whose parts failed the verification.
    fileprivate func failing(_ error: VerificationResult<Any>.VerificationError) -> Self {
        Self(
            state: state, transaction: transaction.failing(error),
            renewalInfo: renewalInfo.failing(error))
    }
}

extension VerificationResult.VerificationError {
    fileprivate init(_ problem: DeviceVerifier.Problem) {
        self =
            switch problem {
            case .certificateChain: .invalidCertificateChain
            case .deviceVerification: .invalidDeviceVerification
            case .encoding: .invalidEncoding
            case .signature: .invalidSignature
            case .missingProperties: .missingRequiredProperties
            }
    }
}
