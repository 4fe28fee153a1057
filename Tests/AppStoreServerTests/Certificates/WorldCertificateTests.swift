import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreSigning
import StoreVerification
import TestSupport
import Testing

@testable import AppStoreServer

/// The certificates of a world's signed data over starts, addresses and their owner's changes.
@Suite(.ownThreads) struct WorldCertificateTests {
    private let folder = TemporaryFolder()

    /// Opens the worlds of a store at an address, signs, and closes them.
    private func signing<Value>(
        at address: String, _ work: (World) throws -> Value
    ) throws -> Value {
        let registry = try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 10), storeAddress: address)
        defer { registry.close() }
        return try work(registry.defaultWorld)
    }

    private static func sign(_ world: World) throws -> String {
        try world.dataSigner(for: .sandbox)
            .sign(Array(#"{"signedDate":1714558830123}"#.utf8), at: TestStore.start)
    }

    /// The certificate of a role that is in use.
    private func inUse(_ role: DataCertificateRole, _ world: World) throws -> DataCertificate {
        _ = try Self.sign(world)
        let address = world.certificates.responder(.sandbox)
        let known = try world.database.read {
            try $0.dataCertificatesInUse(as: role, in: .sandbox)
        }
        return try #require(known.first { $0.responder == address })
    }

    private func certificates(_ jws: String) throws -> [Certificate] {
        try OCSPClient.certificates(of: jws).map { try Certificate($0) }
    }

    @Test func `another address gives new certificates over the same keys, and back the old ones`()
        throws
    {
        let first = try signing(at: "http://127.0.0.1:1", Self.sign)
        let second = try signing(at: "http://127.0.0.1:2", Self.sign)
        let (old, new) = (try certificates(first), try certificates(second))
        for place in 0..<2 {
            #expect(old[place].serial != new[place].serial)
            #expect(old[place].subject == new[place].subject)
            #expect(old[place].publicKeyInfo == new[place].publicKeyInfo)
        }
        #expect(old[2] == new[2])
        let text = String(decoding: new[0].der, as: UTF8.self)
        #expect(text.contains("http://127.0.0.1:2/sandbox/ocsp"))
        let third = try signing(at: "http://127.0.0.1:1") { world in
            let jws = try Self.sign(world)
            #expect(try world.database.read { try $0.dataCertificates() }.count == 4)
            return jws
        }
        #expect(try certificates(third) == old)
        let verifier = try SharedKeys.store().dataVerifier()
        for jws in [first, second, third] {
            #expect(throws: Never.self) { try verifier.verify(jws) }
        }
    }

    @Test func `what was revoked or ended stays so at another address, until it is rotated`() throws
    {
        let (revoked, ended) = try signing(at: "http://127.0.0.1:1") { world in
            _ = try Self.sign(world)
            let ended = try world.certificates.replace(.intermediate, .sandbox, by: .expired)
            let leaf = try world.certificates.revoke(.leaf, .sandbox, for: .keyCompromise)
            return (try #require(leaf), ended)
        }
        try signing(at: "http://127.0.0.1:2") { world in
            let leaf = try inUse(.leaf, world)
            #expect(leaf.serial != revoked.serial)
            #expect(leaf.status == .revoked(at: TestStore.start, .keyCompromise))
            let middle = try inUse(.intermediate, world)
            #expect(middle.serial != ended.serial)
            #expect(try Certificate(middle.der).notAfter == Timestamp(seconds: 1_714_558_830))
            for role in DataCertificateRole.allCases {
                let new = try world.certificates.replace(role, .sandbox, by: .anew)
                #expect(new.status == .good)
                #expect(try Certificate(new.der).notAfter == DataCertificateTerms.usualEnd)
            }
        }
        // The rotation counts at every address.
        try signing(at: "http://127.0.0.1:1") { world in
            for role in DataCertificateRole.allCases {
                let kept = try inUse(role, world)
                #expect(kept.status == .good)
            }
        }
    }

    @Test func `only the latest certificates are kept`() throws {
        try signing(at: "http://127.0.0.1:1") { world in
            _ = try Self.sign(world)
            let middle = try inUse(.intermediate, world)
            var last = try inUse(.leaf, world)
            for _ in 0..<Limits.certificatesKeptMax {
                last = try world.certificates.replace(.leaf, .sandbox, by: .anew)
            }
            let kept = try world.database.read { try $0.dataCertificates() }
            let leaves = kept.filter { $0.role == .leaf }
            #expect(leaves.count == Limits.certificatesKeptMax)
            #expect(leaves.first?.serial == last.serial)
            #expect(leaves.map(\.keyNumber) == Array((1...100).reversed()))
            #expect(kept.filter { $0.role == .intermediate }.map(\.serial) == [middle.serial])
            #expect(throws: Never.self) {
                try SharedKeys.store().dataVerifier().verify(try Self.sign(world))
            }
        }
    }

    @Test func `a restored world knows nothing of the certificates before it`() throws {
        let registry = try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 10))
        defer { registry.close() }
        _ = try Self.sign(registry.defaultWorld)
        let name = try #require(WorldName("s"))
        _ = try registry.snapshot(.default, as: name)
        let new = try registry.restore(.default, from: name)
        #expect(try new.database.read { try $0.dataCertificates() }.isEmpty)
    }
}
