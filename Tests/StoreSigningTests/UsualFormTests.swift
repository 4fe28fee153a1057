import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// The short ways of `DERReader` take nothing that the strict reader refuses, and read the same.
@Suite struct UsualFormTests {
    /// What the strict reader alone makes of an attribute that fills some bytes.
    private func strict(_ bytes: [UInt8]) -> (type: Int64, value: Range<Int>)? {
        var reader = DERReader(bytes)
        do {
            var attribute = try reader.enter(.sequence)
            let type = try attribute.integer()
            _ = try attribute.integer()
            let value = try attribute.enter(.octetString)
            try attribute.finish()
            return (type, value.remaining)
        } catch {
            return nil
        }
    }

    private func compare(_ bytes: [UInt8]) {
        var reader = DERReader(bytes)
        guard let usual = reader.usualAttribute() else {
            #expect(reader.position == 0, "it moved on from what it left alone: \(bytes)")
            return
        }
        let strict = strict(bytes)
        #expect(usual.type == strict?.type, "\(bytes)")
        #expect(usual.value == strict?.value, "\(bytes)")
    }

    private func attribute(_ type: Int64, _ version: Int64, _ value: [UInt8]) -> [UInt8] {
        DERWriter.sequence(
            DERWriter.integer(type), DERWriter.integer(version), DERWriter.octetString(value))
    }

    @Test(arguments: [0, 1, 126, 127, 128, 129, 250, 255, 256, 257, 1_000, 65_535, 65_536])
    func `the fast path reads attributes of any length as the strict reader does`(count: Int) {
        for type in [0, 17, 127, 128, 255, 256, 1_701, 32_767, 32_768, -1] as [Int64] {
            let bytes = attribute(type, 1, [UInt8](repeating: 5, count: count))
            compare(bytes)
            compare(Array(bytes.dropLast()))
            compare(bytes + [0])
        }
        var usual = DERReader(attribute(1_701, 1, [UInt8](repeating: 5, count: count)))
        #expect((usual.usualAttribute() != nil) == (count < 65_520))
    }

    @Test func `the fast path reads changed attributes as the strict reader does`() {
        for value in [[], [1, 2, 3], [UInt8](repeating: 9, count: 140)] as [[UInt8]] {
            let bytes = attribute(1_704, 1, value)
            for place in bytes.indices.prefix(24) {
                for byte in 0...255 as ClosedRange<UInt8> {
                    var changed = bytes
                    changed[place] = byte
                    compare(changed)
                }
            }
        }
    }

    @Test(arguments: [
        "2024-05-01T10:20:30Z", "2024-02-30T10:20:30Z", "2024-05-01", "", "2024-05-01T10:20:30+",
        "2024-13-01T10:20:30Z", "2024-05-01T24:20:30Z", "9999-12-31T23:59:59Z", "0001-01-01",
    ])
    func `the fast path reads a date as written`(text: String) throws {
        let reader = DERReader(DERWriter.ia5String(text))
        let date = try? reader.wholeDate()
        if text.isEmpty {
            #expect(try reader.wholeDate() == nil)
        } else {
            #expect(date == (text.utf8.count == 20 ? Timestamp(rfc3339: text) : nil))
        }
    }

    @Test(arguments: [0, 1, 127, 128, 255, 256, 32_767, 32_768, -1, -128, -129, .max, .min])
    func `the fast path reads a number as written`(number: Int64) throws {
        #expect(try DERReader(DERWriter.integer(number)).wholeNumber() == number)
        #expect(throws: DERError.self) {
            try DERReader(DERWriter.integer(number) + [0]).wholeNumber()
        }
    }

    @Test(arguments: [[0x02, 0x00], [0x02, 0x02, 0x00, 0x7F], [0x02, 0x02, 0x00], [0x02, 0x01]])
    func `the fast path refuses a number in another form`(bytes: [UInt8]) {
        #expect(throws: DERError.self) { try DERReader(bytes).wholeNumber() }
    }

    @Test func `the remembered chain counts only for exactly the same certificates`() throws {
        let authority = try TestAuthority()
        let chain = try ReceiptChain(
            leaf: try Certificate(authority.leaf),
            intermediate: try Certificate(authority.intermediate),
            root: TrustedRoot(.sandbox, isTest: false, der: authority.root))
        let cache = VerificationCache<ReceiptChain>()
        #expect(cache.verified([1, 2, 3]) == nil)
        cache.add(chain, [9, 1, 2, 3][1...])
        // Found by its digest, and then as the newest.
        for _ in 0..<2 { #expect(cache.verified([1, 2, 3]) === chain) }
        for other in [[], [1, 2], [1, 2, 4], [1, 2, 3, 4], [0, 2, 3]] as [ArraySlice<UInt8>] {
            #expect(cache.verified(other) == nil)
        }
    }
}
