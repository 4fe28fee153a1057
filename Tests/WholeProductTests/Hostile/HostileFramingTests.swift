import Foundation
import TestSupport
import Testing

/// Requests that two readers could end at different places, so that the one behind a proxy finds a
/// request in them that the proxy did not see.
///
/// Each carries a registration of a device. Whoever reads it as a request of its own makes a row,
/// and no row may come to be.
@Suite(.ownThreads) struct HostileFramingTests {
    @Test(arguments: [false, true])
    func `no smuggled request reaches the store`(overTLS: Bool) throws {
        let hostile = try HostileLab(storeOptions: overTLS ? Lab.withTLS : [])
        let relay = overTLS ? try hostile.lab.startTLSRelay() : nil
        try expectGolden(
            try hostile.transcript(
                of: Self.rows, port: relay?.port ?? hostile.lab.storePort,
                database: hostile.lab.storeFile), "hostile-framing")
    }

    /// That the hidden request is a good one, and would be noticed.
    @Test func `the smuggled registration, sent openly, makes a device`() throws {
        let hostile = try HostileLab()
        let count = "SELECT count(*) FROM device"
        let before = try hostile.lab.count(count, in: hostile.lab.storeFile)
        let outcome = try HostileOutcome(
            HostileRow("openly", Self.hidden), port: hostile.lab.storePort, [:])
        #expect(outcome.answer?.status == 200)
        #expect(try hostile.lab.count(count, in: hostile.lab.storeFile) == before + 1)
    }

    @Test func `unusual chunks are read and the connection ends`() throws {
        let hostile = try HostileLab()
        let body = #"{"receipt-data":"AAAA"}"#
        let size = String(body.utf8.count, radix: 16)
        for chunks in [
            "\(size)\r\n\(body)\r\n0\r\n\r\n", "000\(size)\r\n\(body)\r\n0\r\n\r\n",
            "\(size.uppercased());a=b\r\n\(body)\r\n0;c\r\n\r\n",
            "1\r\n{\r\n\(String(body.utf8.count - 1, radix: 16))\r\n\(body.dropFirst())\r\n"
                + "0\r\nTrailer: x\r\n\r\n",
        ] {
            let outcome = try HostileOutcome(
                HostileRow("chunks", Self.chunked(chunks + Self.hidden)),
                port: hostile.lab.storePort, [:])
            #expect(outcome.answer?.text == #"{"status":21002}"#)
            #expect(outcome.answer?.header("connection") == "close")
            #expect(outcome.rest.isEmpty, "the request behind it was not read")
        }
    }

    private static let body =
        #"{"guid":"00000000-0000-4000-8000-000000000001","bundleId":"\#(Lab.bundleID)","#
        + #""appVersion":"1.0"}"#

    static let hidden =
        "POST /sandbox/device/v1/register HTTP/1.1\r\nHost: a\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"

    private static func chunked(_ body: String) -> String {
        head("Transfer-Encoding: chunked") + body
    }

    private static func head(_ fields: String) -> String {
        "POST /sandbox/verifyReceipt HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    private static func row(_ name: String, _ fields: String, _ body: String = "") -> HostileRow {
        HostileRow(name, head(fields) + body + hidden)
    }

    private static let length = hidden.utf8.count

    static let rows = [
        row("length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        row("chunks and length", "Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"),
        row(
            "a long length and chunks",
            "Content-Length: \(length + 5)\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        row("two lengths, the first 0", "Content-Length: 0\r\nContent-Length: \(length)"),
        row("two lengths, the second 0", "Content-Length: \(length)\r\nContent-Length: 0"),
        row("two lengths that are the same", "Content-Length: 2\r\nContent-Length: 2", "{}"),
        row("two lengths in one field", "Content-Length: 0, \(length)"),
        row("a length with a sign", "Content-Length: +0"),
        row("a length below 0", "Content-Length: -1"),
        row("a length with a blank in it", "Content-Length: 0 \(length)"),
        row("a length with blanks after it", "Content-Length: 0 \t"),
        row("a length of nothing", "Content-Length:"),
        row("a length in hexadecimal", "Content-Length: 0x0"),
        row("a length with a fraction", "Content-Length: 0.0"),
        row("a length above 64 bits", "Content-Length: 18446744073709551616"),
        row("a length above 64 bits by a lot", "Content-Length: {9400}"),
        row("a length above 63 bits", "Content-Length: 9223372036854775808"),
        row("a length cut by a NUL", "Content-Length: 0{00}\(length)"),
        row("a length behind a NUL", "X: y{00}\r\nContent-Length: 0"),
        row("a length in a folded line", "Content-Length:\r\n \(length)"),
        row("a length behind a bare LF", "X: y\nContent-Length: \(length)"),
        row("a length behind a bare CR", "X: y\rContent-Length: \(length)"),
        row("a length with a blank before its colon", "Content-Length : \(length)"),
        row(
            "a length with an underscore, which is no length",
            "Content_Length: \(length)\r\nContent-Length : 0"),
        row("chunks with a blank before the colon", "Transfer-Encoding : chunked", "0\r\n\r\n"),
        row("chunks in a folded line", "Transfer-Encoding:\r\n chunked", "0\r\n\r\n"),
        row("chunks behind a vertical tab", "Transfer-Encoding: {0B}chunked", "0\r\n\r\n"),
        row("chunks with a blank after them", "Transfer-Encoding: chunked ", "0\r\n\r\n"),
        row("chunks in quotes", "Transfer-Encoding: \"chunked\"", "0\r\n\r\n"),
        row("chunks that are none", "Transfer-Encoding: xchunked", "0\r\n\r\n"),
        row("identity", "Transfer-Encoding: identity", "0\r\n\r\n"),
        row("chunks, then identity", "Transfer-Encoding: chunked, identity", "0\r\n\r\n"),
        row("chunks twice", "Transfer-Encoding: chunked, chunked", "0\r\n\r\n"),
        row("two encodings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x", "0\r\n\r\n"),
        HostileRow(
            "chunks in HTTP/1.0",
            "POST /sandbox/verifyReceipt HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                + hidden),
        row("a chunk with a sign", "Transfer-Encoding: chunked", "+0\r\n\r\n"),
        row("a chunk below 0", "Transfer-Encoding: chunked", "-1\r\n\r\n"),
        row("a chunk with 0x", "Transfer-Encoding: chunked", "0x0\r\n\r\n"),
        row("a chunk with a blank", "Transfer-Encoding: chunked", "0 \r\n\r\n"),
        row("a chunk without a size", "Transfer-Encoding: chunked", "\r\n\r\n"),
        row("a chunk above 64 bits", "Transfer-Encoding: chunked", "10000000000000000\r\n"),
        row("a chunk that is too long for its size", "Transfer-Encoding: chunked", "1\r\n{}\r\n"),
        row("a chunk that ends in a bare LF", "Transfer-Encoding: chunked", "2\n{}\n0\n\n"),
        row(
            "a chunk's extension with a bare LF", "Transfer-Encoding: chunked",
            "2;\nxx\r\n0\r\n\r\n"),
        row("a chunk's end behind a bare LF", "Transfer-Encoding: chunked", "0\n\r\n"),
        row(
            "a field behind the last chunk", "Transfer-Encoding: chunked",
            "0\r\nContent-Length: \(length)\r\nAuthorization: Bearer x\r\n\r\n"),
        HostileRow(
            "a GET with a request for a body",
            "GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(hidden)"),
        HostileRow(
            "an answer before the body, which is a request",
            "POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(hidden)"),
        HostileRow(
            "a body that waits for permission and does not",
            "POST /nowhere HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
                + "\(2 << 20)\r\n\r\n\(hidden)"),
    ]
}
