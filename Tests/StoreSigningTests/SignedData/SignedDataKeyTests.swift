import Dispatch
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// Keys of signed data came later than the others: directories without them get them.
struct SignedDataKeyTests {
    private static let names = StoreEnvironment.allCases.flatMap {
        [
            "signed-data-root-\($0.rawValue).der", "signed-data-root-\($0.rawValue).pem",
            "\($0.rawValue)-signed-data-root.key", "\($0.rawValue)-signed-data-intermediate.der",
            "\($0.rawValue)-signed-data-intermediate.key", "\($0.rawValue)-signed-data-leaf.key",
        ]
    }
    private static let marker = "complete-signed-data"
    private let folder = TemporaryFolder()
    private var place: String { folder.file("keys") }

    private func files() throws -> [String: [UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: place)
        return try names.reduce(into: [:]) { $0[$1] = try folder.read("keys/\($1)") }
    }

    /// Makes a directory as versions without signed data left it; gives its files.
    private func makeOld() throws -> [String: [UInt8]] {
        try KeyStore.create(in: place)
        _ = try KeyStore(directory: place)
        try folder.removeKeys(Self.names + [Self.marker])
        return try files()
    }

    private func sign(_ store: KeyStore, isTest: Bool = false) throws -> String {
        let leaf = try store.makeDataLeaf(.sandbox, isTest: isTest, worldID: Samples.worldID)
        return try store.dataSigner(.sandbox, isTest: isTest, leaf: leaf)
            .sign(Array(Samples.signedTransaction().utf8), at: Samples.signedAt)
    }

    @Test func `an earlier version's key directory gets keys of signed data and no other change`()
        throws
    {
        let before = try makeOld()
        #expect(before.keys.allSatisfy { !$0.contains("signed-data") })
        let jws = try sign(try KeyStore(directory: place))
        let after = try files()
        #expect(Set(after.keys) == Set(before.keys).union(Self.names + [Self.marker]))
        for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
        for name in Self.names {
            let expected = name.hasPrefix("signed-data-root-") ? 0o644 : 0o600
            #expect(try folder.mode("keys/\(name)") == expected, "\(name)")
        }
        #expect(try folder.mode("keys/\(Self.marker)") == 0o600)
        let again = try KeyStore(directory: place)
        #expect(try again.dataVerifier().verify(jws).worldID == Samples.worldID)
        #expect(
            try folder.read("keys/signed-data-root-sandbox.der")
                == again.dataRoot(.sandbox, isTest: false))
        #expect(try files() == after)
    }

    @Test func `keys of signed data half-made in a crash are created again`() throws {
        let before = try makeOld()
        for count in 0...Self.names.count {
            try folder.removeKeys(try files().keys.filter { before[$0] == nil })
            for name in Self.names.prefix(count) { try folder.write([1, 2, 3], "keys/\(name)") }
            try folder.write([4], "keys/\(Self.marker).tmp")
            let jws = try sign(try KeyStore(directory: place))
            let read = try KeyStore(directory: place).dataVerifier()
            #expect(try read.verify(jws).environment == .sandbox)
            #expect(try folder.mode("keys/sandbox-signed-data-leaf.key") == 0o600)
            for (name, bytes) in before { #expect(try folder.read("keys/\(name)") == bytes) }
        }
    }

    @Test func `a key of signed data missing or changed later is refused by name`() throws {
        _ = try makeOld()
        _ = try KeyStore(directory: place)
        try folder.expectEachKeyNeeded(Self.names)
    }

    @Test func `concurrent openers of a directory agree on its keys of signed data`() throws {
        _ = try makeOld()
        let (folder, place) = (folder, place)
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            #expect(throws: Never.self) {
                let jws = try sign(try KeyStore(directory: place))
                #expect(try KeyStore(directory: place).dataVerifier().verify(jws).isTest == false)
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test func `test sessions of an earlier version get keys of signed data, too`() throws {
        try KeyStore.create(in: place)
        let first = try KeyStore(directory: place)
        let verifier = first.dataVerifier()
        #expect(throws: SigningFailure(.noTestChains, "")) { try sign(first, isTest: true) }
        try first.prepareTestChains()
        let jws = try sign(first, isTest: true)
        #expect(try verifier.verify(jws).isTest)
        try folder.removeKeys(
            try files().keys.filter { $0.contains("signed-data") && $0.contains("test") })
        let old = try files()
        let second = try KeyStore(directory: place)
        #expect(refusal(second.dataVerifier(), jws)?.isMalformed == false)
        let anew = try sign(second, isTest: true)
        #expect(try second.dataVerifier().verify(anew).isTest)
        for (name, bytes) in old { #expect(try folder.read("keys/\(name)") == bytes) }
    }
}
