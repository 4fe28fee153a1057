import Foundation
import StoreModel
import Synchronization

/// A store on a real socket that can be as bad as a network: it answers late, never, or half.
final class FakeStore: Sendable {
    enum Behaviour: Sendable {
        case answer(String)
        case http(Int, String)
        case late(milliseconds: Int, String)
        /// Takes the request and says nothing until the caller gives up.
        case never
        /// Promises more than it sends, then hangs up.
        case half(String)
        /// Hangs up without an answer.
        case hangUp
        /// Hangs up at once, before it has read the request.
        case reset
        /// A body without end.
        case endless
        /// A body that comes byte by byte, and never whole.
        case dripping
        /// Sends to another address.
        case redirect(Int, String)
        /// An answer in pieces, without its length, of a content type.
        case pieces(String, type: String)
    }

    private struct State {
        var behaviours: [StoreEnvironment: Behaviour] = [:]
        var requestCount = 0
        var bodies: [String] = []
    }

    let port: Int
    private let listening: Int32
    private let state = Mutex(State())

    init() throws {
        listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listening
        port = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                guard bind(descriptor, name, length) == 0, listen(descriptor, 64) == 0,
                    getsockname(descriptor, name, &length) == 0
                else { throw POSIXError(.EADDRINUSE) }
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, let self else { return }
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    deinit {
        shutdown(listening, Int32(SHUT_RDWR))
        close(listening)
    }

    func url(_ environment: StoreEnvironment) -> String {
        "http://127.0.0.1:\(port)/\(environment.rawValue)"
    }

    func behave(_ behaviour: Behaviour, in environment: StoreEnvironment = .production) {
        state.withLock { $0.behaviours[environment] = behaviour }
    }

    var requestCount: Int { state.withLock { $0.requestCount } }
    var bodies: [String] { state.withLock { $0.bodies } }

    /// One request, one answer, then the connection ends.
    private func serve(_ connection: Int32) {
        defer { close(connection) }
        if case .reset? = state.withLock({ $0.behaviours[.production] }) {
            state.withLock { $0.requestCount += 1 }
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                connection, SOL_SOCKET, SO_LINGER, &linger,
                socklen_t(MemoryLayout<Glibc.linger>.size))
            return
        }
        guard let (path, body) = readRequest(connection) else { return }
        let behaviour = state.withLock { state in
            state.requestCount += 1
            state.bodies.append(body)
            return state.behaviours[path.hasPrefix("/sandbox/") ? .sandbox : .production]
        }
        switch behaviour ?? .hangUp {
        case .answer(let text): send(connection, 200, text)
        case .http(let status, let text): send(connection, status, text)
        case .late(let milliseconds, let text):
            usleep(UInt32(milliseconds) * 1_000)
            send(connection, 200, text)
        case .never:
            // Ends when the caller closes.
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
        case .half(let text):
            send(connection, 200, text, promised: text.utf8.count * 2)
        case .hangUp, .reset: break
        case .dripping:
            guard write(connection, head(200, length: 1 << 20)) else { return }
            while write(connection, " ") { usleep(20_000) }
        case .redirect(let status, let place):
            _ = write(
                connection,
                "HTTP/1.1 \(status) Moved\r\nLocation: \(place)\r\nContent-Length: 0\r\n"
                    + "Connection: close\r\n\r\n")
        case .pieces(let text, let type):
            _ = write(
                connection,
                "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n" + text)
        case .endless:
            guard write(connection, head(200, length: 1 << 40)) else { return }
            while write(connection, String(repeating: " ", count: 1 << 16)) {}
        }
    }

    private func send(_ connection: Int32, _ status: Int, _ text: String, promised: Int? = nil) {
        _ = write(connection, head(status, length: promised ?? text.utf8.count) + text)
    }

    private func head(_ status: Int, length: Int) -> String {
        "HTTP/1.1 \(status) X\r\nContent-Type: text/html\r\nContent-Length: \(length)\r\n"
            + "Connection: close\r\n\r\n"
    }

    private func write(_ connection: Int32, _ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    private func readRequest(_ connection: Int32) -> (path: String, body: String)? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let head = text[..<end.lowerBound]
                let length =
                    head.split(separator: "\r\n").first {
                        $0.lowercased().hasPrefix("content-length:")
                    }.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                let body = text[end.upperBound...]
                if body.utf8.count >= length {
                    let path = head.split(separator: " ").dropFirst().first ?? ""
                    return (String(path), String(body))
                }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
        }
    }
}
