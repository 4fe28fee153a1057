import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreSigning
import Synchronization
import TestSupport
import Testing

@testable import AppStoreServer

private let outsidePython = ProcessInfo.processInfo.environment["BODEGA_PYTHON"]

/// The certificates under which worlds sign data.
struct WorldSigningTests {
    private let folder = TemporaryFolder()

    private func open() throws -> WorldRegistry {
        try WorldRegistry(
            directory: folder.path, keys: try SharedKeys.store(),
            wall: WallClock { TestStore.start }, polls: Gate(limit: 10))
    }

    private static let payload = """
        {"bundleId":"com.example.rocketcar","environment":"Sandbox",\
        "originalTransactionId":"2000000000000001","productId":"com.example.rocketcar.fuel",\
        "purchaseDate":1714558830123,"quantity":1,"signedDate":1714558830123,\
        "transactionId":"2000000000000001","type":"Consumable"}
        """

    private func sign(
        _ world: World, in environment: StoreEnvironment = .sandbox
    ) throws -> String {
        try world.dataSigner(for: environment)
            .sign(Array(Self.payload.utf8), at: TestStore.start)
    }

    /// The header of a JWS, which contains the certificates.
    private func head(_ jws: String) -> Substring { jws.prefix { $0 != "." } }

    /// The environments for which a world's file has a certificate.
    private func signing(_ world: World) throws -> [StoreEnvironment] {
        try world.database.read {
            try $0.values(
                "SELECT environment FROM data_certificate WHERE role = 'leaf' ORDER BY number")
        }
    }

    @Test func `a world gets its certificate with the first data it signs and keeps it`() throws {
        let registry = try open()
        let world = registry.defaultWorld
        #expect(try signing(world) == [])
        let first = try sign(world)
        #expect(try signing(world) == [.sandbox])
        let verified = try SharedKeys.store().dataVerifier().verify(first)
        #expect(verified.worldID == world.id && !verified.isTest)
        #expect(verified.environment == .sandbox)
        #expect(try head(sign(world)) == head(first))
        registry.close()
        let again = try open()
        defer { again.close() }
        #expect(try head(sign(again.defaultWorld)) == head(first))
        #expect(try head(sign(again.defaultWorld, in: .production)) != head(first))
        #expect(Set(try signing(again.defaultWorld)) == [.sandbox, .production])
    }

    @Test func `a new session has no certificate for data and makes one under the test root`()
        throws
    {
        let registry = try open()
        defer { registry.close() }
        let session = try registry.make(try #require(WorldName("s")))
        #expect(try signing(session) == [])
        let verified = try SharedKeys.store().dataVerifier().verify(try sign(session))
        #expect(verified.isTest && verified.worldID == session.id)
    }

    @Test func `concurrent first signatures of a world have the same certificate`() throws {
        let registry = try open()
        defer { registry.close() }
        let world = registry.defaultWorld
        let heads = Mutex<Set<Substring>>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            #expect(throws: Never.self) {
                let head = head(try sign(world))
                heads.withLock { _ = $0.insert(head) }
            }
        }
        #expect(heads.withLock { $0.count } == 1)
    }

    @Test func `a restored world signs under a certificate with its new identifier`() throws {
        let registry = try open()
        defer { registry.close() }
        let old = registry.defaultWorld
        let first = try sign(old)
        _ = try registry.snapshot(.default, as: try #require(WorldName("s")))
        let new = try registry.restore(.default, from: try #require(WorldName("s")))
        #expect(try signing(new) == [])
        let verified = try SharedKeys.store().dataVerifier().verify(try sign(new))
        #expect(verified.worldID == new.id && new.id != old.id)
        // What was signed before still verifies, as the old world's.
        #expect(try SharedKeys.store().dataVerifier().verify(first).worldID == old.id)
    }

    @Test func `a world whose certificate for data was exchanged is not opened`() throws {
        let registry = try open()
        _ = try sign(registry.defaultWorld)
        try registry.defaultWorld.database.write {
            _ = try $0.execute(
                """
                UPDATE data_certificate
                SET der = (SELECT leaf FROM environment WHERE kind = 'sandbox')
                WHERE role = 'leaf'
                """)
        }
        registry.close()
        let failure = #expect(throws: SigningFailure.self) { try open() }
        #expect(failure?.code == .damaged)
        #expect(failure?.advice == "Put the whole directory of keys back from a backup.")
    }

    @Test(
        .enabled(
            if: outsidePython != nil, "BODEGA_PYTHON names no Python with the verifiers"),
        .ownThreads)
    func `Apple's library accepts what a world signed and refuses it altered`() throws {
        let registry = try open()
        defer { registry.close() }
        let keys = try SharedKeys.store()
        try folder.write(try keys.dataRoot(.sandbox, isTest: false), "root.der")
        try folder.write(try sign(registry.defaultWorld), "jws")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Verifiers/verify_signed_data.py")
        let check = try Command(
            try #require(outsidePython),
            [
                script.path, folder.file("root.der"), folder.file("jws"), "--bundle-id",
                TestStore.bundleID, "--environment", "Sandbox", "--ocsp",
                "http://127.0.0.1:8080/sandbox/ocsp",
            ])
        #expect(check.status == 0, "\(check.output)")
    }
}
