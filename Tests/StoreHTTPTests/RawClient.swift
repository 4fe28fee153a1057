import Foundation
import Glibc

/// A TCP connection to a listener of this machine that sends what a test says, byte by byte.
final class RawClient {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // `deinit` runs after this and closes.
        guard result == 0 else { throw RawClientError.refused }
    }

    /// Around a socket that is connected to something.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// Says how many bytes the other side took before it closed.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return sent }
            sent += count
        }
        return sent
    }

    @discardableResult
    func write(_ text: String) -> Int { write(Array(text.utf8)) }

    /// Sends a text and the end of this side in one packet.
    func writeLast(_ text: String) {
        let bytes = Array(text.utf8)
        send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_MORE))
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads one answer; `isHead` says that no body follows whatever its length says.
    func readAnswer(isHead: Bool = false) throws -> RawAnswer {
        while headEnd == nil { try readMore() }
        guard let end = headEnd else { throw RawClientError.closed }
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end)
        var answer = RawAnswer(head: head)
        let length = isHead ? 0 : Int(answer.header("content-length") ?? "0") ?? 0
        while buffer.count < length { try readMore() }
        answer.body = String(decoding: buffer.prefix(length), as: UTF8.self)
        buffer.removeFirst(length)
        return answer
    }

    /// Whether the other side closes without sending more.
    func isClosedNow() -> Bool {
        guard buffer.isEmpty else { return false }
        do {
            try readMore()
            return false
        } catch RawClientError.closed {
            return true
        } catch {
            return false
        }
    }

    /// Drops what comes until the other side closes; false when it does not.
    ///
    /// libmicrohttpd 0.9.75 sends the header of its own error pages twice.
    func readsToEnd() -> Bool {
        while true {
            buffer = []
            if isClosedNow() { return true }
            if buffer.isEmpty { return false }
        }
    }

    /// Closes at once and lets the other side find out by a reset.
    func reset() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private var headEnd: Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard buffer.count >= 4 else { return nil }
        for start in 0...(buffer.count - 4) where Array(buffer[start..<(start + 4)]) == mark {
            return start + 4
        }
        return nil
    }

    private func readMore() throws {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 {
            buffer += bytes[..<count]
        } else if count == 0 || errno == ECONNRESET {
            throw RawClientError.closed
        } else {
            throw RawClientError.silent
        }
    }
}

enum RawClientError: Error {
    case refused
    case closed
    case silent
}

struct RawAnswer {
    let head: String
    var body = ""

    var status: Int {
        let words = head.split(separator: " ", maxSplits: 2)
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    func header(_ name: String) -> String? { headers(name).first }

    func headers(_ name: String) -> [String] {
        head.split(separator: "\r\n").dropFirst().compactMap { line in
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2, sides[0].lowercased() == name else { return nil }
            return sides[1].trimmingCharacters(in: .whitespaces)
        }
    }
}
