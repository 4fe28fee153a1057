import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

struct GoldenTests {
    static let fields = """
        Follows Apple, "Receipt Fields" (Receipt Validation Programming Guide): attributes 2, 3, \
        4, 5, 12, 17, 19, 21 and, in 17, 1701 to 1706, 1708, 1711, 1712, 1719.
        Types 0, 1, 8 to 11, 13 to 16, 18, 20, 25, 1707, 1709, 1710, 1713 to 1718, 1720 to 1722 \
        and the version 2 of type 4: as public sample receipts have them.
        Types 6 and 7 have no known meaning there (40 to 110 random-looking bytes); ours are \
        filler and the world seal.
        """

    @Test func `a full payload matches its golden file`() throws {
        var dump = ASN1Dump()
        let seal = WorldSeal(worldID: Samples.worldID, environment: .production, isTest: false)
        try dump.add(DERReader(try Samples.fullPayload.der(sealedFor: seal)))
        try Golden.check(dump.text, "receipt-payload-full.txt", follows: Self.fields)
    }

    @Test func `a sandbox payload without purchases matches its golden file`() throws {
        var dump = ASN1Dump()
        try dump.add(DERReader(try Samples.payload([]).der(sealedFor: TestAuthority.seal)))
        try Golden.check(dump.text, "receipt-payload-empty.txt", follows: Self.fields)
    }

    @Test(arguments: [false, true])
    func `the container and certificates match their golden files`(isTest: Bool) throws {
        let receipt = try SharedStore.signer(.sandbox, isTest: isTest).sign(Samples.payload())
        let payload = try ReceiptContainer(receipt).payload
        var dump = ASN1Dump(hidesKeys: true, omitted: payload.start)
        try dump.add(DERReader(receipt))
        try Golden.check(
            dump.text, isTest ? "receipt-container-test.txt" : "receipt-container.txt",
            follows: """
                Follows the shape of public sample receipts: PKCS#7 signedData version 1 (RFC \
                5652, 5.1), SHA-256, the certificates leaf, intermediate, root in that order, one \
                signer of version 1 without signed attributes, rsaEncryption.
                Certificates follow RFC 5280 and the samples' extensions: leaf \
                1.2.840.113635.100.6.11.1 and policy 1.2.840.113635.100.5.6.1, intermediate \
                1.2.840.113635.100.6.2.1. Different on purpose: names, dates 2000 to 2099, no \
                authority information access, no CRL distribution point.
                """)
    }
}
