import Foundation
import StoreHTTP
import TestSupport
import Testing

/// Files as answers over a socket.
@Suite(.ownThreads) struct FileAnswerTests {
    private let folder = TemporaryFolder()
    private let path: String
    /// Three pieces of what is sent at once, and a little.
    private static let bytes = (0..<400_000).map { (number: Int) -> UInt8 in
        UInt8(truncatingIfNeeded: number &* 7 &+ (number >> 8)) % 95 + 32
    }

    init() throws {
        path = try folder.write(Self.bytes, "file")
    }

    private func listen() throws -> HTTPListener {
        let path = path
        return try HTTPListener(ListenerConfiguration()) { request, responder in
            guard let file = OpenFile(path: path) else {
                return responder.send(HTTPResponse(status: 404))
            }
            responder.send(
                HTTPResponse.file(file, digest: "abc", for: request)
                    ?? HTTPResponse(
                        status: 416,
                        headers: HTTPHeaders([
                            ("Content-Range", HTTPResponse.unsatisfiedRange(of: file))
                        ])))
        }
    }

    private func ask(
        _ listener: HTTPListener, _ method: String = "GET", _ headers: String = ""
    ) throws -> RawAnswer {
        let client = try RawClient(port: listener.port)
        client.write("\(method) /f HTTP/1.1\r\nHost: a\r\n\(headers)\r\n")
        return try client.readAnswer(isHead: method == "HEAD")
    }

    @Test func `a whole file, a part of it and a range beyond its end are answered`() throws {
        let listener = try listen()
        defer { listener.stop() }
        let whole = try ask(listener)
        #expect(whole.status == 200)
        #expect(whole.body == String(decoding: Self.bytes, as: UTF8.self))
        #expect(whole.header("etag") == "\"abc\"")
        #expect(whole.header("accept-ranges") == "bytes")
        let part = try ask(listener, "GET", "Range: bytes=131071-300000\r\n")
        #expect(part.status == 206)
        #expect(part.body == String(decoding: Self.bytes[131_071...300_000], as: UTF8.self))
        #expect(part.header("content-range") == "bytes 131071-300000/400000")
        let behind = try ask(listener, "GET", "Range: bytes=400000-\r\n")
        #expect(behind.status == 416)
        #expect(behind.header("content-range") == "bytes */400000")
        let head = try ask(listener, "HEAD", "Range: bytes=0-1\r\n")
        #expect(head.status == 200)
        #expect(head.header("content-length") == "400000")
    }

    @Test func `an empty file is answered as a whole one`() throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let listener = try listen()
        defer { listener.stop() }
        let answer = try ask(listener)
        #expect(answer.status == 200)
        #expect(answer.header("content-length") == "0")
    }

    @Test func `descriptors of served files are closed`() throws {
        let listener = try listen()
        defer { listener.stop() }
        _ = try ask(listener)
        let before = try descriptors()
        for _ in 0..<20 { _ = try ask(listener, "GET", "Range: bytes=0-99\r\n") }
        #expect(eventually { ((try? descriptors()) ?? .max) <= before })
        try FileManager.default.removeItem(atPath: path)
        #expect(try ask(listener).status == 404)
    }

    /// How many descriptors of this process stand for the file.
    private func descriptors() throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return names.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                == path
        }
    }

    @Test func `a folder and a link are not served as files`() throws {
        #expect(OpenFile(path: folder.path) == nil)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: path)
        #expect(OpenFile(path: folder.file("link")) == nil)
        #expect(OpenFile(path: path)?.byteCount == 400_000)
    }
}
