import Foundation

/// A connection to a listener of this machine that sends what a test says and shows what came back.
package final class RawConnection {
    package let descriptor: Int32
    private var buffer: [UInt8] = []

    package struct Failure: Error {
        package let message: String

        package init(message: String) { self.message = message }
    }

    /// A busy machine may take its time over 16 MiB in a build for debugging.
    private static let secondsMax = 300

    /// With `takesLittle` the kernel takes a few kilobytes for who does not read, and has the other
    /// side's keep little, too: it sizes its buffer by the segments that are asked for.
    package init(port: Int, takesLittle: Bool = false) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if takesLittle {
            var (buffer, segment): (CInt, CInt) = (2_048, 536)
            let size = socklen_t(MemoryLayout<CInt>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, size)
            setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_MAXSEG, &segment, size)
        }
        var wait = timeval(tv_sec: Self.secondsMax, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(message: "nobody listens at \(port)") }
    }

    /// One that somebody else made and a listener of the test took.
    package init(accepted descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Sends all of it, or as much as the other side takes before it closes.
    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next answer; nil when the other side closed before the first byte of one.
    package func readAnswer(isHead: Bool = false) throws -> RawAnswer? {
        while true {
            if let end = headEnd {
                let head = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end)
                var answer = RawAnswer(head: head)
                let length = answer.header("content-length").flatMap { Int($0) } ?? 0
                answer.body = try read(isHead ? 0 : length)
                return answer
            }
            guard try readMore() else {
                guard buffer.isEmpty else { throw Failure(message: "half an answer: \(buffer)") }
                return nil
            }
        }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try readMore() else { throw Failure(message: "half a body: \(buffer)") }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// What comes until the other side closes.
    package func readToEnd() throws -> [UInt8] {
        while try readMore() {}
        return buffer
    }

    /// False at the end.
    private func readMore() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 { buffer += bytes[..<count] }
        guard count >= 0 || errno == ECONNRESET else {
            throw Failure(message: "no answer within \(Self.secondsMax) s")
        }
        return count > 0
    }

    private var headEnd: Int? {
        let mark = Data("\r\n\r\n".utf8)
        return Data(buffer).range(of: mark)?.upperBound
    }
}

/// An answer's head as sent, and its body as long as the head says.
package struct RawAnswer {
    package let head: String
    package var body: [UInt8] = []

    package init(head: String) { self.head = head }

    package var lines: [String] { head.components(separatedBy: "\r\n").filter { !$0.isEmpty } }

    package var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    package var text: String { String(decoding: body, as: UTF8.self) }

    package func header(_ name: String) -> String? {
        let field = lines.dropFirst().first { $0.lowercased().hasPrefix(name + ":") }
        return field.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}
