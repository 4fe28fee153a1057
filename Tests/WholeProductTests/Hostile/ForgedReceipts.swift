import Foundation
import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// Makes receipts with a running store's own keys, right or wrong in one place, as nobody outside
/// could.
struct ForgedReceipts {
    let worldID: String
    let leaf: [UInt8]
    let intermediate: [UInt8]
    let root: [UInt8]
    private let rootKey: PrivateKey
    private let intermediateKey: PrivateKey
    private let leafKey: PrivateKey
    private let stem: String

    init(_ environment: StoreEnvironment = .sandbox, of hostile: HostileLab) throws {
        let folder = hostile.lab.storeData + "/keys/"
        func file(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: folder + name)))
        }
        stem = environment.rawValue
        rootKey = try PrivateKey(pem: try file("\(stem)-root.key"))
        intermediateKey = try PrivateKey(pem: try file("\(stem)-intermediate.key"))
        leafKey = try PrivateKey(pem: try file("\(stem)-leaf.key"))
        root = try file("root-\(stem).der")
        intermediate = try file("\(stem)-intermediate.der")
        let database = try SQLiteFile(hostile.lab.storeFile)
        worldID = try #require(try database.rows("SELECT id FROM world").first?.first)
        let text = try #require(
            try database.rows("SELECT hex(leaf) FROM environment WHERE kind = '\(stem)'")
                .first?.first)
        leaf = stride(from: 0, to: text.utf8.count, by: 2).compactMap { place in
            UInt8(text.dropFirst(place).prefix(2), radix: 16)
        }
    }

    private var seal: WorldSeal {
        WorldSeal(
            worldID: worldID, environment: StoreEnvironment(rawValue: stem) ?? .sandbox,
            isTest: false)
    }

    func payload(bundleID: String = Lab.bundleID) throws -> [UInt8] {
        let time = Timestamp(seconds: 1_714_558_831)
        return try ReceiptPayload(
            receiptType: "ProductionSandbox", appItemID: 0, bundleID: bundleID,
            applicationVersion: "1.0", opaqueValue: Array(0..<16), deviceHash: Array(0..<20),
            createdAt: time, downloadID: 0, versionExternalIdentifier: 0, purchases: [],
            originalPurchaseDate: time, originalApplicationVersion: "1.0", expiresAt: nil
        ).der(sealedFor: seal)
    }

    /// A receipt that is right but for what is given.
    func receipt(
        payload: [UInt8]? = nil, leaf: [UInt8]? = nil, intermediate: [UInt8]? = nil,
        root: [UInt8]? = nil, key: PrivateKey? = nil, certificates: [[UInt8]]? = nil
    ) throws -> [UInt8] {
        let content = try payload ?? self.payload()
        let signer = try Certificate(leaf ?? self.leaf)
        let chain = [leaf ?? self.leaf, intermediate ?? self.intermediate, root ?? self.root]
        return ReceiptContainer.der(
            payload: content, certificates: Array((certificates ?? chain).joined()),
            signerIssuer: signer.issuer, signerSerial: signer.serial,
            signature: try (key ?? leafKey).signature(over: content))
    }

    /// The world's leaf, signed anew after a change.
    func leaf(_ change: (inout CertificateTemplate) -> Void) throws -> [UInt8] {
        var template = try self.template(of: leaf, unit: worldID)
        change(&template)
        return try template.signed(by: intermediateKey)
    }

    /// The intermediate, signed anew by the root after a change.
    func intermediate(_ change: (inout CertificateTemplate) -> Void) throws -> [UInt8] {
        var template = try self.template(of: intermediate, unit: nil)
        change(&template)
        return try template.signed(by: rootKey)
    }

    private func template(of der: [UInt8], unit: String?) throws -> CertificateTemplate {
        let certificate = try Certificate(der)
        let name =
            unit == nil
            ? "Bodega \(seal.environment.wireName) Receipt Intermediate CA" : IssuingChain.leafName
        let subject = DistinguishedName(
            organization: IssuingChain.organization, organizationalUnit: unit, commonName: name)
        try #require(subject.der == certificate.subject)
        return CertificateTemplate(
            issuer: certificate.issuer, subject: subject,
            publicKeyInfo: certificate.publicKeyInfo,
            extensions: Array(certificate.extensions.values))
    }
}
