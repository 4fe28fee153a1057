import StoreModel
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// Certificates of one world: new ones over the same keys, leaves with new keys, and those that end.
struct DataCertificateTests {
    private static let payload = Array(Samples.signedTransaction().utf8)
    private let store: KeyStore

    init() throws {
        store = try SharedStore.get()
    }

    private func leaf(_ terms: DataCertificateTerms, of world: String = Samples.worldID) throws
        -> Certificate
    {
        try Certificate(store.makeDataLeaf(.sandbox, isTest: false, worldID: world, terms))
    }

    private func intermediate(_ terms: DataCertificateTerms) throws -> Certificate {
        try Certificate(store.makeDataIntermediate(.sandbox, isTest: false, terms))
    }

    private func sign(_ leaf: Certificate, _ intermediate: Certificate?, key: Int64 = 0) throws
        -> String
    {
        try store.dataSigner(
            .sandbox, isTest: false, leaf: leaf.der, intermediate: intermediate?.der, keyNumber: key
        ).sign(Self.payload, at: Samples.signedAt)
    }

    private func refusal(_ jws: String, at moment: Timestamp? = nil) -> VerificationRefusal? {
        StoreSigningTests.refusal(store.dataVerifier(), jws, at: moment)
    }

    @Test func `new certificates for another address differ in number and address alone`() throws {
        let (old, new) = (
            DataCertificateTerms(responder: "http://127.0.0.1:1/sandbox/ocsp"),
            DataCertificateTerms(responder: "http://127.0.0.1:2/sandbox/ocsp")
        )
        for (one, other) in [
            (try leaf(old), try leaf(new)), (try intermediate(old), try intermediate(new)),
        ] {
            #expect(one.serial != other.serial)
            #expect(one.subject == other.subject && one.issuer == other.issuer)
            #expect(one.publicKeyInfo == other.publicKeyInfo)
            let changed = one.extensions.filter { other.extensions[$0.key] != $0.value }
            #expect(Set(changed.keys) == [.authorityInformationAccess])
            #expect(one.extensions.count == other.extensions.count)
        }
        // Any leaf fits below any intermediate.
        for (leaf, middle) in [
            (try leaf(old), try intermediate(new)), (try leaf(new), try intermediate(old)),
            (try leaf(new), nil),
        ] as [(Certificate, Certificate?)] {
            #expect(refusal(try sign(leaf, middle)) == nil)
        }
    }

    @Test func `a rotated leaf has a key that only its world and number give`() throws {
        let terms = [0, 1, 2].map { DataCertificateTerms(keyNumber: $0) }
        let keys = try terms.map { try leaf($0).publicKeyInfo }
        let again = try terms.map { try leaf($0).publicKeyInfo }
        #expect(keys == again && Set(keys).count == 3)
        let other = try leaf(terms[1], of: Samples.otherWorldID).publicKeyInfo
        #expect(!keys.contains(other))
        #expect(refusal(try sign(try leaf(terms[1]), nil, key: 1)) == nil)
        #expect(throws: SigningFailure(.damaged, "")) { try sign(try leaf(terms[1]), nil) }
        #expect(throws: SigningFailure(.damaged, "")) { try sign(try leaf(terms[1]), nil, key: 2) }
    }

    @Test func `a leaf and an intermediate that end sign what is good until then`() throws {
        let end = Samples.signedAt
        let terms = DataCertificateTerms(notAfter: end)
        for (leaf, middle) in [
            (try leaf(terms), try intermediate(DataCertificateTerms())),
            (try leaf(DataCertificateTerms()), try intermediate(terms)),
        ] {
            let jws = try sign(leaf, middle)
            #expect(refusal(jws) == nil)
            #expect(refusal(jws, at: end) == nil)
            #expect(refusal(jws, at: end.adding(milliseconds: 1_000))?.isMalformed == false)
        }
    }

    @Test func `an intermediate of another chain is refused`() throws {
        let foreign = try store.makeDataIntermediate(
            .production, isTest: false, DataCertificateTerms())
        #expect(throws: SigningFailure(.damaged, "")) {
            try sign(try leaf(DataCertificateTerms()), try Certificate(foreign))
        }
    }
}
