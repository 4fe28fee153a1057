import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

struct DERWriterTests {
    @Test(
        arguments: [
            (0, "020100"), (1, "020101"), (127, "02017F"), (128, "02020080"), (255, "020200FF"),
            (256, "02020100"), (32_767, "02027FFF"), (32_768, "0203008000"), (-1, "0201FF"),
            (-128, "020180"), (-129, "0202FF7F"),
            (Int64.max, "02087FFFFFFFFFFFFFFF"), (Int64.min, "02088000000000000000"),
        ] as [(Int64, String)])
    func `a DER integer is written in its shortest form and read back`(
        value: Int64, text: String
    ) throws {
        let written = DERWriter.integer(value)
        #expect(hexText(written) == text.lowercased())
        #expect(DERWriter.integerByteCount(value) == written.count - 2)
        var reader = DERReader(written)
        #expect(try reader.integer() == value)
        try reader.finish()
    }

    @Test(
        arguments: [
            ([0x00], "020100"), ([0x00, 0x00, 0x7F], "02017f"), ([0x80], "02020080"),
            ([], "020100"),
        ] as [([UInt8], String)])
    func `an unsigned DER integer stays positive`(bytes: [UInt8], text: String) {
        #expect(hexText(DERWriter.unsignedInteger(bytes)) == text)
    }

    @Test(arguments: [
        (0, "00"), (127, "7f"), (128, "8180"), (255, "81ff"), (256, "820100"), (65_535, "82ffff"),
        (65_536, "83010000"), (16_777_216, "8401000000"),
    ])
    func `a DER length is written in its shortest form`(count: Int, text: String) {
        #expect(hexText(DERWriter.length(count)) == text)
        #expect(DERWriter.lengthByteCount(count) == text.utf8.count / 2)
    }

    @Test(arguments: [
        (OID.commonName, "0603550403", "2.5.4.3"),
        (OID.receiptSigningMarker, "060a2a864886f76364060b01", "1.2.840.113635.100.6.11.1"),
        (OID.intermediateMarker, "060a2a864886f76364060201", "1.2.840.113635.100.6.2.1"),
        (OID.receiptSigningPolicy, "060a2a864886f76364050601", "1.2.840.113635.100.5.6.1"),
        (OID.signedData, "06092a864886f70d010702", "1.2.840.113549.1.7.2"),
        (OID.sha256, "0609608648016503040201", "2.16.840.1.101.3.4.2.1"),
        (OID.sha1, "06052b0e03021a", "1.3.14.3.2.26"),
    ])
    func `a DER object identifier is written, read back and printed`(
        oid: OID, text: String, dotted: String
    ) throws {
        let written = DERWriter.objectIdentifier(oid)
        #expect(hexText(written) == text)
        var reader = DERReader(written)
        #expect(try reader.objectIdentifier() == oid)
        #expect(oid.description == dotted)
    }

    @Test(arguments: [
        ("2000-01-01T00:00:00Z", "170d3030303130313030303030305a"),
        ("2049-12-31T23:59:59Z", "170d3439313233313233353935395a"),
        ("2050-01-01T00:00:00Z", "180f32303530303130313030303030305a"),
        ("2099-12-31T23:59:59Z", "180f32303939313233313233353935395a"),
        ("1949-12-31T23:59:59Z", "180f31393439313233313233353935395a"),
    ])
    func `a DER time changes its form in the year 2050`(date: String, text: String) {
        #expect(hexText(DERWriter.time(Samples.moment(date))) == text)
    }

    @Test func `a DER set is sorted by its elements' bytes`() {
        let parts = [[0x04, 0x01, 0x02], [0x02, 0x01, 0x05], [0x04, 0x01, 0x01]] as [[UInt8]]
        #expect(hexText(DERWriter.set(of: parts)) == "3109020105040101040102")
    }

    @Test func `DER booleans, strings and tags are written correctly`() {
        #expect(hexText(DERWriter.boolean(true)) == "0101ff")
        #expect(hexText(DERWriter.boolean(false)) == "010100")
        #expect(hexText(DERWriter.utf8String("ü")) == "0c02c3bc")
        #expect(hexText(DERWriter.ia5String("4+")) == "1602342b")
        #expect(hexText(DERWriter.bitString([0x06], unusedBits: 1)) == "03020106")
        #expect(hexText(DERWriter.element(.context(3, constructed: true), [])) == "a300")
        #expect(hexText(DERWriter.element(.context(0, constructed: false), [1])) == "800101")
    }
}
