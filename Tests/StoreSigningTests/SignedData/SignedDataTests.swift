import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

struct SignedDataTests {
    private static let payload = Array(Samples.signedTransaction().utf8)

    private func parts(_ jws: String) -> [String] {
        jws.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private func header(_ jws: String) throws -> SignedDataHeader {
        let bytes = try #require(StrictBase64.urlBytes(parts(jws)[0]))
        return try #require(JSONMembers<SignedDataHeader>(bytes)?.value)
    }

    @Test(arguments: StoreEnvironment.allCases, [false, true])
    func `data signed in each chain verify as that chain's, with their world`(
        environment: StoreEnvironment, isTest: Bool
    ) throws {
        let jws = try SharedStore.dataSigner(environment, isTest: isTest)
            .sign(Self.payload, at: Samples.signedAt)
        let verified = try SharedStore.get().dataVerifier().verify(jws)
        #expect(verified.payload == Self.payload)
        #expect(verified.environment == environment && verified.isTest == isTest)
        #expect(verified.worldID == Samples.worldID)
    }

    @Test func `a JWS has a header of alg and three certificates and a signature of 64 bytes`()
        throws
    {
        let store = try SharedStore.get()
        let leaf = try store.makeDataLeaf(.sandbox, isTest: false, worldID: Samples.worldID)
        let jws = try store.dataSigner(.sandbox, isTest: false, leaf: leaf)
            .sign(Self.payload, at: Samples.signedAt)
        let parts = parts(jws)
        #expect(parts.count == 3)
        let head = try #require(StrictBase64.urlBytes(parts[0]))
        let certificates = try header(jws).x5c.map { try #require(StrictBase64.bytes($0)) }
        let text = TestDataAuthority.x5c(certificates)
        #expect(String(decoding: head, as: UTF8.self) == #"{"alg":"ES256","x5c":\#(text)}"#)
        #expect(certificates.count == 3 && certificates[0] == leaf)
        #expect(certificates[2] == (try store.dataRoot(.sandbox, isTest: false)))
        #expect(StrictBase64.urlBytes(parts[1]) == Self.payload)
        #expect(StrictBase64.urlBytes(parts[2])?.count == 64)
    }

    @Test func `the four chains have separate roots, apart from those of receipts`() throws {
        let store = try SharedStore.get()
        var roots: [Certificate] = []
        for (environment, isTest, name) in [
            (.production, false, "Bodega Production Signed Data Root CA"),
            (.sandbox, false, "Bodega Sandbox Signed Data Root CA"),
            (.production, true, "Bodega TEST Production Signed Data Root CA"),
            (.sandbox, true, "Bodega TEST Sandbox Signed Data Root CA"),
        ] as [(StoreEnvironment, Bool, String)] {
            let root = try Certificate(store.dataRoot(environment, isTest: isTest))
            let expected = DistinguishedName(organization: "Bodega", commonName: name)
            #expect(root.subject == expected.der && root.issuer == expected.der)
            roots.append(root)
            roots.append(try Certificate(store.rootCertificate(environment, isTest: isTest)))
        }
        #expect(Set(roots.map(\.publicKeyInfo)).count == 8)
        #expect(Set(roots.map(\.subject)).count == 8)
    }

    @Test func `worlds share a key, but another world's certificate does not fit their data`()
        throws
    {
        let (own, other) = (
            try SharedStore.dataSigner(),
            try SharedStore.dataSigner(worldID: Samples.otherWorldID)
        )
        let jws = try own.sign(Self.payload, at: Samples.signedAt)
        let foreign = try other.sign(Self.payload, at: Samples.signedAt)
        let leaves = try [jws, foreign].map {
            try Certificate(try #require(StrictBase64.bytes(try header($0).x5c[0])))
        }
        #expect(leaves[0].publicKeyInfo == leaves[1].publicKeyInfo)
        let swapped = ([parts(foreign)[0]] + parts(jws)[1...]).joined(separator: ".")
        let expected = VerificationRefusal.notAuthentic(
            "The signature does not match the data.")
        #expect(refusal(try SharedStore.get().dataVerifier(), swapped) == expected)
    }

    @Test func `a signer accepts only leaves of its own chain and key`() throws {
        let store = try SharedStore.get()
        let foreign = [
            try store.makeDataLeaf(.production, isTest: false, worldID: Samples.worldID),
            try store.makeDataLeaf(.sandbox, isTest: true, worldID: Samples.worldID),
            try store.makeLeaf(.sandbox, isTest: false, worldID: Samples.worldID),
            try TestDataAuthority().leaf, [], [0x30, 0],
        ]
        for leaf in foreign {
            #expect(throws: SigningFailure(.damaged, "")) {
                try store.dataSigner(.sandbox, isTest: false, leaf: leaf)
            }
        }
    }

    @Test(arguments: ["", "a world", "ü", String(repeating: "x", count: 65)])
    func `a world that no certificate can name gets no leaf for data`(worldID: String) throws {
        #expect(throws: SigningFailure(.invalidValue, "")) {
            try SharedStore.get().makeDataLeaf(.sandbox, isTest: false, worldID: worldID)
        }
    }

    @Test func `data too large, or signed when no certificate is valid, are not signed`() throws {
        let signer = try SharedStore.dataSigner()
        let large = [UInt8](repeating: 0x20, count: SignedDataHeader.jwsBytesMax)
        #expect(throws: SigningFailure(.invalidValue, "")) {
            try signer.sign(large, at: Samples.signedAt)
        }
        for time in ["1999-12-31T23:59:59Z", "2100-01-01T00:00:00Z"] {
            #expect(throws: SigningFailure(.invalidValue, "")) {
                try signer.sign(Self.payload, at: Samples.moment(time))
            }
        }
        for time in ["2000-01-01T00:00:00Z", "2099-12-31T23:59:59Z"] {
            let moment = Samples.moment(time)
            let jws = try signer.sign(Self.payload, at: moment)
            #expect(refusal(try SharedStore.get().dataVerifier(), jws, at: moment) == nil)
        }
    }

    @Test func `the certificates of signed data match their golden file`() throws {
        let jws = try SharedStore.dataSigner().sign(Self.payload, at: Samples.signedAt)
        var dump = ASN1Dump(hidesKeys: true)
        for text in try header(jws).x5c {
            var reader = DERReader(try #require(StrictBase64.bytes(text)))
            // The signature's length differs each time.
            var certificate = try reader.enter(.sequence)
            let contents = try certificate.next(.sequence)
            try dump.add(DERReader(Array(certificate.slice(contents.whole))))
        }
        try Golden.check(
            dump.text, "signed-data-certificates.txt",
            follows: """
                Follows the certificates that Apple's libraries for servers are tested with: leaf, \
                intermediate, root, without their signatures; extensions in the order and form of \
                Apple's. Keys on P-256, P-384, P-384, signed with ECDSA and SHA-384; leaf \
                1.2.840.113635.100.6.11.1 and policy 1.2.840.113635.100.5.6.1, intermediate \
                1.2.840.113635.100.6.2.1.
                Different on purpose: names other than the leaf's common name, dates 2000 to 2099, \
                no address of the issuer's certificate, no CRL distribution point.
                """, file: #filePath.replacing("/SignedData/", with: "/"))
    }
}
