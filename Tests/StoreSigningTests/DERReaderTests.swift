import Testing

@testable import StoreSigning
@testable import StoreVerification

struct DERReaderTests {
    /// Bytes that are not DER, what is said of them and at which byte.
    struct Row: Sendable {
        let bytes: String
        let problem: String
        let byte: Int

        init(_ bytes: String, _ problem: String, _ byte: Int) {
            (self.bytes, self.problem, self.byte) = (bytes, problem, byte)
        }
    }

    /// Reads every value below an element, by its tag.
    static func walk(_ reader: DERReader) throws(DERError) {
        var reader = reader
        while let tag = reader.nextTag {
            switch tag {
            case .boolean: _ = try reader.boolean()
            case .integer: _ = try reader.integerElement()
            case .bitString: _ = try reader.wholeByteBitString()
            case .null: try reader.null()
            case .objectIdentifier: _ = try reader.objectIdentifier()
            case .utf8String: _ = try reader.utf8String()
            case .ia5String: _ = try reader.ia5String()
            default:
                let element = try reader.next()
                if tag.isConstructed { try walk(try reader.inside(element)) }
            }
        }
    }

    @Test(arguments: [
        Row("30", "ends before a length", 1),
        Row("3080", "indefinite", 1),
        Row("30800000", "indefinite", 1),
        Row("308100", "shortest", 1),
        Row("30817F", "shortest", 1),
        Row("3082007F", "shortest", 1),
        Row("308200FF", "shortest", 1),
        Row("3085000000000100", "too long", 1),
        Row("30FF", "too long", 1),
        Row("3082", "ends inside a length", 2),
        Row("308201", "ends inside a length", 3),
        Row("3001", "longer than", 0),
        Row("3084FFFFFFFF", "longer than", 0),
        Row("30050203010203", "", -1),
        Row("3003020301", "longer than", 2),
        Row("1F0100", "above 30", 0),
        Row("BF8101", "above 30", 0),
        Row("0200", "empty", 0),
        Row("02020001", "shortest", 2),
        Row("0202FF80", "shortest", 2),
        Row("0100", "one byte", 0),
        Row("01020000", "one byte", 0),
        Row("010101", "neither 00 nor FF", 2),
        Row("050100", "not empty", 2),
        Row("0600", "ends inside an arc", 0),
        Row("060186", "ends inside an arc", 0),
        Row("06035580 01", "shortest", 3),
        Row("0C02C328", "UTF-8", 2),
        Row("0C02C080", "UTF-8", 2),
        Row("160180", "not ASCII", 2),
        Row("0300", "end on a byte", 0),
        Row("03020106", "end on a byte", 0),
    ])
    func `bytes that are not DER are refused with their place`(row: Row) {
        do throws(DERError) {
            try Self.walk(DERReader(hex(row.bytes)))
            #expect(row.byte == -1, "\(row.bytes) was accepted")
        } catch {
            #expect(error.problem.contains(row.problem))
            #expect(error.byte == row.byte)
            #expect(error.description.hasSuffix("(byte \(row.byte))"))
        }
    }

    @Test func `a wrong tag, a missing element and trailing bytes are named`() throws {
        var reader = DERReader(hex("020105 0500"))
        #expect(throws: DERError("OCTET STRING was expected here, not INTEGER", byte: 0)) {
            try reader.octets()
        }
        #expect(try reader.integer() == 5)
        #expect(throws: DERError("2 bytes too many", byte: 3)) { try reader.finish() }
        try reader.null()
        #expect(throws: DERError("NULL is missing at the end of the data", byte: 5)) {
            try reader.null()
        }
        #expect(throws: DERError("the data ends where an element starts", byte: 5)) {
            try reader.next()
        }
        try reader.finish()
    }

    @Test func `places inside an element count from the outermost start`() throws {
        var outer = DERReader(hex("3005 0403 020200"))
        var inner = try outer.enter(.sequence)
        var value = try inner.enter(.octetString)
        #expect(throws: DERError("INTEGER of 2 bytes is longer than the 1 left", byte: 4)) {
            try value.integer()
        }
    }

    @Test(arguments: [(16, true), (17, false)])
    func `DER nesting is limited`(depth: Int, isAllowed: Bool) {
        var bytes: [UInt8] = []
        for _ in 0..<depth { bytes = DERWriter.element(.sequence, bytes) }
        #expect(DERReader.nestingDepthMax == 16)
        let result = Result { try Self.walk(DERReader(bytes)) }
        #expect(((try? result.get()) != nil) == isAllowed)
    }

    @Test(
        arguments: [
            ("0209008000000000000000", nil), ("02080000000000000001", nil),
            ("02088000000000000000", Int64.min), ("02087FFFFFFFFFFFFFFF", Int64.max),
        ] as [(String, Int64?)])
    func `a DER integer above 64 bits is refused`(bytes: String, value: Int64?) {
        var reader = DERReader(hex(bytes))
        #expect((try? reader.integer()) == value)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `no bytes make the DER reader trap`(seed: UInt64) {
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        // Tags and lengths that lead deep come up more often than by chance alone.
        let likely: [UInt8] = [0x30, 0x31, 0xA0, 0x04, 0x02, 0x80, 0x81, 0x82, 0x84, 0x00, 0x01]
        var accepted = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int(next() % 40)).map { _ in
                next() % 3 == 0
                    ? UInt8(truncatingIfNeeded: next()) : likely[Int(next()) % likely.count]
            }
            if (try? Self.walk(DERReader(bytes))) != nil { accepted += 1 }
            _ = try? Certificate(bytes)
            _ = try? ReceiptContainer(bytes)
            _ = try? SealedPayload(DERReader(bytes))
        }
        #expect(accepted > 0 && accepted < 20_000)
    }
}
