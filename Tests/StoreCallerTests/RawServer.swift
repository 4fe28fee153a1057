import Foundation
import Glibc

/// A server on a free port of this machine that does with a connection what a test says.
///
/// It stays open until the tests' process ends: closing a socket that another thread accepts on
/// would hand the thread whatever gets the number next.
struct RawServer: Sendable {
    let port: Int

    /// `serve` runs on a thread of its own for each connection, which is closed after it.
    init(_ serve: @escaping @Sendable (RawPeer) -> Void) throws {
        let (descriptor, port) = try Self.openSocket()
        self.port = port
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread {
                    let peer = RawPeer(descriptor: connection)
                    serve(peer)
                    peer.close()
                }
            }
        }
    }

    private static func openSocket() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && listen(descriptor, 1_024) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isListening else { throw RawServerError() }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Answers every request of a connection with the same bytes.
    static func answering(_ text: String) throws -> RawServer {
        try RawServer { peer in
            while peer.readRequest() != nil { peer.write(text) }
        }
    }
}

/// An answer without a body.
let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

struct RawServerError: Error {}

/// One accepted connection.
struct RawPeer: Sendable {
    let descriptor: Int32

    /// One request with its body, or nil when the other side closed.
    func readRequest() -> String? {
        var bytes: [UInt8] = []
        while let next = readByte() {
            bytes.append(next)
            if bytes.suffix(4) == Array("\r\n\r\n".utf8)[...] { break }
        }
        guard !bytes.isEmpty else { return nil }
        let head = String(decoding: bytes, as: UTF8.self)
        for _ in 0..<contentLength(of: head) {
            guard let next = readByte() else { return nil }
            bytes.append(next)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the other side took all of it.
    @discardableResult
    func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Makes closing tell the other side that the connection broke.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Ends the connection before it is closed.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func close() { Glibc.close(descriptor) }

    private func readByte() -> UInt8? {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 1 ? byte : nil
    }

    private func contentLength(of head: String) -> Int {
        for line in head.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "content-length" {
                return Int(parts[1].drop { $0 == " " }) ?? 0
            }
        }
        return 0
    }
}
