import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// Chains as Apple's signed data has them: authorities on P-384, a leaf on P-256, ECDSA with
/// SHA-384.
@Suite struct CurveChainTests {
    private func chain(
        _ authority: TestDataAuthority, leaf: [UInt8]? = nil
    ) throws -> TrustedChain {
        try TrustedDataSigner(
            leaf: try Certificate(leaf ?? authority.leaf),
            intermediate: try Certificate(authority.intermediate),
            root: TrustedRoot(.sandbox, isTest: false, der: authority.root)
        ).chain
    }

    @Test(arguments: [Curve.p384, .p256])
    func `a leaf under authorities on a curve is trusted and its key checks signatures`(
        curve: Curve
    ) throws {
        let authority = try TestDataAuthority(curve: curve)
        let chain = try self.chain(authority)
        #expect(chain.worldID == Samples.worldID)
        let publicKey = try #require(CurvePublicKey(info: chain.leaf.publicKeyInfo))
        let bytes = Array("signed".utf8)
        let signature = try authority.leafKey.signature(over: bytes)
        #expect(publicKey.isValid(signature, over: bytes[...]))
        #expect(!publicKey.isValid(signature, over: bytes[...] + [0]))
    }

    @Test func `a leaf that another authority of the same name signed is refused`() throws {
        let leaf = try TestDataAuthority().leaf
        #expect(throws: ChainProblem.self) { try chain(try TestDataAuthority(), leaf: leaf) }
    }

    @Test func `a leaf with the marker of other data is refused by its purpose`() throws {
        let authority = try TestDataAuthority(
            .init(leaf: {
                ChainTests.removing(.receiptSigningMarker)(&$0)
                $0.extensions.append(.marker(.transactionSigningMarker))
            }))
        let expected = ChainProblem(
            "The leaf certificate may not sign data: its marker is missing.")
        #expect(throws: expected) { try chain(authority) }
    }

    @Test func `a receipt's chain refuses a leaf with a key on a curve`() throws {
        let authority = try TestDataAuthority()
        let expected = VerificationRefusal.notAuthentic(
            "The leaf certificate has no RSA key of 2048 bits or more.")
        #expect(throws: expected) {
            try ReceiptChain(
                leaf: try Certificate(authority.leaf),
                intermediate: try Certificate(authority.intermediate),
                root: TrustedRoot(.sandbox, isTest: false, der: authority.root))
        }
    }

    @Test func `a key on one curve is not read as a key on another`() throws {
        let pem = try CurvePrivateKey.make(on: .p384).pem()
        #expect(throws: Never.self) { try CurvePrivateKey(pem: pem, on: .p384) }
        #expect(throws: SigningFailure(.invalidValue, "")) { try CurvePrivateKey(pem: pem) }
    }
}
