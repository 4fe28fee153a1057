import Foundation
import Glibc

/// One request as it came.
struct RawRequest: Sendable {
    let method: String
    let path: String
    let token: String?
    let range: String?
    let body: [UInt8]
}

/// A listener on a free port of the loopback that gives each connection to a body of code, so
/// that a test can also break connections off.
final class RawServer: Sendable {
    struct Failure: Error {}

    let port: Int
    private let listener: Int32

    init(_ serve: @escaping @Sendable (RawPeer) -> Void) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure() }
        port = Int(UInt16(bigEndian: address.sin_port))
        listener = descriptor
        Thread.detachNewThread {
            // Closed here alone: another server could get the number before the next `accept`.
            defer { close(descriptor) }
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    if errno == EINVAL { return }
                    // A signal, or no descriptor left for now: the next one may come through.
                    usleep(1_000)
                    continue
                }
                Thread.detachNewThread {
                    serve(RawPeer(descriptor: connection))
                    close(connection)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

/// One connection.
struct RawPeer: Sendable {
    let descriptor: Int32

    /// The next request, or nil when the other side is done.
    func readRequest() -> RawRequest? {
        var head: [UInt8] = []
        while head.suffix(4) != [13, 10, 13, 10] {
            guard let byte = readBytes(1)?.first else { return nil }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        func header(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }
                .map { String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces) }
        }
        let words = lines[0].split(separator: " ").map(String.init)
        guard words.count == 3,
            let body = readBytes(Int(header("content-length") ?? "0") ?? 0)
        else { return nil }
        return RawRequest(
            method: words[0], path: words[1],
            token: header("authorization").map { String($0.dropFirst("Bearer ".count)) },
            range: header("range"),
            body: body)
    }

    /// Sends an answer; true, so that the connection is kept.
    func send(_ status: Int, _ body: [UInt8], headers: String = "") -> Bool {
        let head = "HTTP/1.1 \(status) x\r\nContent-Length: \(body.count)\r\n\(headers)\r\n"
        var rest = (Array(head.utf8) + body)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func readBytes(_ wanted: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: wanted)
        var have = 0
        while have < wanted {
            let count = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress.map { $0 + have }, wanted - have, 0)
            }
            guard count > 0 else { return nil }
            have += count
        }
        return bytes
    }
}
