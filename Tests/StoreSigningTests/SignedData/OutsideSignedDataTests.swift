import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

private let outsidePython = ProcessInfo.processInfo.environment["BODEGA_PYTHON"]

/// Signed data under code that this project did not write.
@Suite(
    .enabled(
        if: outsidePython != nil, "BODEGA_PYTHON names no Python with the verifiers"),
    .ownThreads)
struct OutsideSignedDataTests {
    private func run(
        _ jws: String, root: [UInt8], environment: StoreEnvironment = .sandbox,
        refused: String? = nil
    ) throws -> Command {
        let folder = TemporaryFolder()
        try folder.write(root, "root.der")
        try folder.write(jws, "jws")
        return try Command(
            try #require(outsidePython),
            [
                OutsideVerifierTests.scripts.appendingPathComponent("verify_signed_data.py").path,
                folder.file("root.der"), folder.file("jws"), "--bundle-id", Samples.bundleID,
                "--environment", environment.wireName, "--ocsp", SharedStore.responder,
            ] + (refused.map { ["--refused", $0] } ?? []))
    }

    @Test(arguments: StoreEnvironment.allCases, [false, true])
    func `outside verifiers accept a signed transaction and refuse it altered`(
        environment: StoreEnvironment, isTest: Bool
    ) throws {
        let payload = Array(Samples.signedTransaction(environment).utf8)
        let jws = try SharedStore.dataSigner(environment, isTest: isTest)
            .sign(payload, at: Samples.signedAt)
        let root = try SharedStore.get().dataRoot(environment, isTest: isTest)
        let done = try run(jws, root: root, environment: environment)
        #expect(done.status == 0, "\(done.output)")
        #expect(done.output.contains("ok: Apple's library refuses it for another environment"))
    }

    @Test func `Apple's library refuses what our verifier refuses`() throws {
        let authority = try TestDataAuthority()
        let (leaf, middle, root) = (authority.leaf, authority.intermediate, authority.root)
        let other = try SharedStore.get().dataRoot(.production, isTest: false)
        func change(_ change: TestDataAuthority.Change) throws -> (String, [UInt8]) {
            let changed = try TestDataAuthority(change)
            return (try changed.jws(), changed.root)
        }
        let failure = "VERIFICATION_FAILURE"
        for (name, (jws, root), status) in [
            ("another root", (try authority.jws(), other), failure),
            (
                "a leaf without marker",
                try change(.init(leaf: ChainTests.removing(.receiptSigningMarker))), failure
            ),
            (
                "an intermediate without marker",
                try change(.init(intermediate: ChainTests.removing(.intermediateMarker))), failure
            ),
            (
                "an expired leaf",
                try change(
                    .init(leaf: { $0.notAfter = Samples.moment("2024-05-01T00:00:00Z") })),
                failure
            ),
            (
                "two certificates", (try authority.jws(certificates: [leaf, middle]), root),
                "INVALID_CHAIN_LENGTH"
            ),
            (
                "four certificates",
                (try authority.jws(certificates: [leaf, middle, root, root]), root),
                "INVALID_CHAIN_LENGTH"
            ),
            (
                "no certificates", (try authority.jws(header: #"{"alg":"ES256"}"#), root), failure
            ),
        ] as [(String, (String, [UInt8]), String)] {
            let done = try run(jws, root: root, refused: status)
            #expect(done.status == 0, "\(name): \(done.output)")
            let verifier = SignedDataVerifier(
                roots: TrustedRoots([TrustedRoot(.sandbox, isTest: false, der: root)]))
            #expect(refusal(verifier, jws) != nil, "\(name)")
        }
        let sound = try run(try authority.jws(), root: root, refused: failure)
        #expect(sound.status == 1, "the script does fail")
    }
}
