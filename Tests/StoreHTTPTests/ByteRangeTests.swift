import StoreHTTP
import Testing

/// Which bytes are asked for, case by case of RFC 9110, section 14.
struct ByteRangeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var range: String?
        var size: Int64 = 10
        var ifRange: String?
        var method = "GET"
        let asked: ByteRange

        var testDescription: String { "\(method) \(range ?? "-") of \(size)" }
    }

    @Test(arguments: [
        Row(range: nil, asked: .whole),
        Row(range: "bytes=0-0", asked: .part(0..<1)),
        Row(range: "bytes=2-5", asked: .part(2..<6)),
        Row(range: "BYTES=2-5", asked: .part(2..<6)),
        Row(range: "bytes=9-9", asked: .part(9..<10)),
        Row(range: "bytes=2-", asked: .part(2..<10)),
        Row(range: "bytes=2-99", asked: .part(2..<10)),
        Row(range: "bytes=2-99999999999999999999", asked: .part(2..<10)),
        Row(range: "bytes=-3", asked: .part(7..<10)),
        Row(range: "bytes=-99", asked: .part(0..<10)),
        Row(range: "bytes=-0", asked: .unsatisfiable),
        Row(range: "bytes=10-", asked: .unsatisfiable),
        Row(range: "bytes=10-12", asked: .unsatisfiable),
        Row(range: "bytes=99999999999999999999-", asked: .unsatisfiable),
        Row(range: "bytes=0-", size: 0, asked: .unsatisfiable),
        Row(range: "bytes=-5", size: 0, asked: .whole),
        Row(range: "bytes=5-2", asked: .whole),
        Row(range: "bytes=0-1,3-4", asked: .whole),
        Row(range: "bytes=-", asked: .whole),
        Row(range: "bytes=a-b", asked: .whole),
        Row(range: "bytes=+1-2", asked: .whole),
        Row(range: "bytes=1-2-3", asked: .whole),
        Row(range: "bytes 1-2", asked: .whole),
        Row(range: "seconds=1-2", asked: .whole),
        Row(range: "", asked: .whole),
        Row(range: "bytes=2-5", ifRange: "\"tag\"", asked: .part(2..<6)),
        Row(range: "bytes=2-5", ifRange: "\"other\"", asked: .whole),
        Row(range: "bytes=2-5", ifRange: "W/\"tag\"", asked: .whole),
        Row(range: "bytes=2-5", ifRange: "Sat, 1 Jan 2022 00:00:00 GMT", asked: .whole),
        Row(range: "bytes=2-5", method: "HEAD", asked: .whole),
    ])
    func `a byte range is read as the standard says`(row: Row) {
        var headers = HTTPHeaders()
        if let range = row.range { headers.add("Range", range) }
        if let tag = row.ifRange { headers.add("If-Range", tag) }
        let asked = ByteRange(
            method: row.method, headers, byteCount: row.size, entityTag: "\"tag\"")
        #expect(asked == row.asked)
    }

    @Test func `two range fields ask for the whole file`() {
        let headers = HTTPHeaders([("Range", "bytes=0-1"), ("range", "bytes=2-3")])
        #expect(ByteRange(method: "GET", headers, byteCount: 10, entityTag: "") == .whole)
    }
}
