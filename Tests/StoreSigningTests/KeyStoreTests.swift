import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

struct KeyStoreTests {
    @Test func `keys are created once with their modes and read back`() throws {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        #expect(KeyStore.presence(in: place) == .absent)
        try KeyStore.create(in: place)
        #expect(KeyStore.presence(in: place) == .complete)
        #expect(try folder.mode("keys") == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
        #expect(
            files == [
                "complete", "production-intermediate.der", "production-intermediate.key",
                "production-leaf.key", "production-root.key", "root-production.der",
                "root-production.pem", "root-sandbox.der", "root-sandbox.pem",
                "sandbox-intermediate.der", "sandbox-intermediate.key", "sandbox-leaf.key",
                "sandbox-root.key",
            ])
        for file in files {
            let expected = file.hasPrefix("root-") ? 0o644 : 0o600
            #expect(try folder.mode("keys/\(file)") == expected, "\(file)")
        }

        #expect(throws: SigningFailure(.alreadyThere, "")) { try KeyStore.create(in: place) }
        let (first, second) = (try KeyStore(directory: place), try KeyStore(directory: place))
        for environment in StoreEnvironment.allCases {
            let root = try first.rootCertificate(environment, isTest: false)
            #expect(try second.rootCertificate(environment, isTest: false) == root)
            #expect(try folder.read("keys/root-\(environment.rawValue).der") == root)
            let leaf = try first.makeLeaf(
                environment, isTest: false, worldID: Samples.worldID)
            let signer = try second.receiptSigner(environment, isTest: false, leaf: leaf)
            let receipt = try signer.sign(Samples.payload())
            #expect(try first.receiptVerifier().verify(receipt).environment == environment)
        }
        #expect(throws: SigningFailure(.noTestChains, "")) {
            try first.makeLeaf(.sandbox, isTest: true, worldID: Samples.worldID)
        }
    }

    @Test func `test chains are created once, also by concurrent callers, and verifiers find them`()
        throws
    {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        try KeyStore.create(in: place)
        let (first, second) = (try KeyStore(directory: place), try KeyStore(directory: place))
        let verifier = first.receiptVerifier()
        // Files of a run that was cut off.
        try folder.write([1], "keys/test-sandbox-leaf.key")
        DispatchQueue.concurrentPerform(iterations: 6) { index in
            #expect(throws: Never.self) {
                try (index % 2 == 0 ? first : second).prepareTestChains()
            }
        }
        let root = try first.rootCertificate(.sandbox, isTest: true)
        #expect(try second.rootCertificate(.sandbox, isTest: true) == root)
        try first.prepareTestChains()
        #expect(try KeyStore(directory: place).rootCertificate(.sandbox, isTest: true) == root)
        #expect(try folder.mode("keys/test-sandbox-leaf.key") == 0o600)
        #expect(try folder.mode("keys/root-test-sandbox.pem") == 0o644)
        let leaf = try second.makeLeaf(.sandbox, isTest: true, worldID: Samples.worldID)
        let receipt = try second.receiptSigner(.sandbox, isTest: true, leaf: leaf)
            .sign(Samples.payload())
        #expect(try verifier.verify(receipt).isTest)
    }

    @Test func `the four chains have separate roots and keys`() throws {
        let store = try SharedStore.get()
        var roots: [Certificate] = []
        for (environment, isTest, name) in [
            (.production, false, "Bodega Production Root CA"),
            (.sandbox, false, "Bodega Sandbox Root CA"),
            (.production, true, "Bodega TEST Production Root CA"),
            (.sandbox, true, "Bodega TEST Sandbox Root CA"),
        ] as [(StoreEnvironment, Bool, String)] {
            let root = try Certificate(store.rootCertificate(environment, isTest: isTest))
            let expected = DistinguishedName(organization: "Bodega", commonName: name)
            #expect(root.subject == expected.der)
            #expect(root.issuer == expected.der)
            #expect(root.notBefore == Samples.moment("2000-01-01T00:00:00Z"))
            #expect(root.notAfter == Samples.moment("2099-12-31T23:59:59Z"))
            roots.append(root)
        }
        #expect(Set(roots.map(\.publicKeyInfo)).count == 4)
        #expect(Set(roots.map(\.serial)).count == 4)
    }

    @Test func `a half-made key directory is reported, refused and left alone`() throws {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        try KeyStore.create(in: place)
        for missing in ["complete", "sandbox-leaf.key", "root-production.der"] {
            let saved = try folder.read("keys/\(missing)")
            try FileManager.default.removeItem(atPath: folder.file("keys/\(missing)"))
            #expect(KeyStore.presence(in: place) == .incomplete(missing: [missing]))
            #expect(throws: SigningFailure(.alreadyThere, "")) { try KeyStore.create(in: place) }
            #expect(throws: SigningFailure(.incomplete, "")) { try KeyStore(directory: place) }
            #expect(KeyStore.presence(in: place) == .incomplete(missing: [missing]))
            try folder.write(saved, "keys/\(missing)")
            chmod(folder.file("keys/\(missing)"), 0o600)
        }
        #expect(throws: Never.self) { try KeyStore(directory: place) }
    }

    @Test func `leftover temporary files do not count as keys`() throws {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: false)
        try folder.write([1, 2, 3], "keys/production-root.key.tmp")
        #expect(KeyStore.presence(in: place) == .absent)
        try KeyStore.create(in: place)
        #expect(try folder.mode("keys") == 0o700)
        #expect(try folder.mode("keys/production-root.key") == 0o600)
        #expect(throws: Never.self) { try KeyStore(directory: place) }
    }

    @Test func `a changed key file and one readable by others are refused by name`() throws {
        let folder = TemporaryFolder()
        let place = folder.file("keys")
        try KeyStore.create(in: place)
        let file = "keys/sandbox-leaf.key"
        chmod(folder.file(file), 0o640)
        #expect(throws: SigningFailure(.file, "")) { try KeyStore(directory: place) }
        chmod(folder.file(file), 0o600)
        var bytes = try folder.read(file)
        bytes[100] ^= 1
        try folder.write(bytes, file)
        chmod(folder.file(file), 0o600)
        do {
            _ = try KeyStore(directory: place)
            Issue.record("a changed key was read")
        } catch let failure as SigningFailure {
            #expect(failure.code == .damaged)
            #expect(failure.detail.contains("sandbox-leaf.key"))
        }
    }

    @Test func `an unusable key directory is an error, not a trap`() throws {
        let folder = TemporaryFolder()
        try folder.write([], "file")
        #expect(throws: SigningFailure(.file, "")) {
            try KeyStore.create(in: folder.file("no/such/parent"))
        }
        #expect(throws: SigningFailure(.file, "")) { try KeyStore.create(in: folder.file("file")) }
        #expect(throws: SigningFailure(.incomplete, "")) {
            try KeyStore(directory: folder.file("nothing"))
        }
    }

    @Test(arguments: ["", "a world", "ü", "a\u{0}b", String(repeating: "x", count: 65)])
    func `a world that no certificate can name gets no leaf`(worldID: String) throws {
        let store = try SharedStore.get()
        #expect(throws: SigningFailure(.invalidValue, "")) {
            try store.makeLeaf(.sandbox, isTest: false, worldID: worldID)
        }
    }

    @Test func `a signer accepts only leaves of its own chain`() throws {
        let store = try SharedStore.get()
        let leaf = try store.makeLeaf(.sandbox, isTest: false, worldID: Samples.worldID)
        let foreign = try TestAuthority().leaf
        for (environment, isTest, bytes) in [
            (.production, false, leaf), (.sandbox, true, leaf), (.sandbox, false, foreign),
            (.sandbox, false, []), (.sandbox, false, Array(leaf.dropLast())),
            (.sandbox, false, try store.rootCertificate(.sandbox, isTest: false)),
        ] as [(StoreEnvironment, Bool, [UInt8])] {
            #expect(throws: SigningFailure(.damaged, "")) {
                try store.receiptSigner(environment, isTest: isTest, leaf: bytes)
            }
        }
        #expect(throws: Never.self) {
            try store.receiptSigner(.sandbox, isTest: false, leaf: leaf)
        }
    }
}
