import Foundation
import Glibc
import Synchronization

/// A store or a backend that this process started, and that it ends.
final class ServerChild {
    /// How long to wait for a line between two looks at signals.
    private static let lookMilliseconds: Int32 = 50
    /// How long it may take to end, also while it still makes its keys on a busy machine: one that
    /// is killed leaves its folder.
    private static let endSecondsMax = 60

    let name: String
    private let process: ChildProcess
    private let output: Int32
    private let log: ServerLog
    /// What it ended with.
    private(set) var code: Int32?
    /// Its standard input, which it may take for its owner's life.
    private var input: Int32?

    init(_ name: String, _ words: [String], environment: [String: String]) throws {
        self.name = name
        let (input, output, errors) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        log = ServerLog(reading: errors.read)
        self.output = output.read
        self.input = input.write
        defer { for end in [input.read, output.write, errors.write] { close(end) } }
        process = try ChildProcess(
            "/proc/self/exe", ["bodega"] + words, environment: environment,
            descriptors: [0: input.read, 1: output.write, 2: errors.write])
    }

    deinit { close(output) }

    /// The first line that it prints, when it is ready; `look` may throw meanwhile.
    func firstLine(_ look: () throws -> Void) throws -> [UInt8] {
        var line: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while !line.contains(UInt8(ascii: "\n")) {
            try look()
            var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Self.lookMilliseconds) > 0 else { continue }
            let count = read(output, &bytes, bytes.count)
            guard count > 0 else {
                end()
                throw Failure("the \(name) did not start: \(log.text)")
            }
            line += bytes.prefix(count)
        }
        return Array(line.prefix { $0 != UInt8(ascii: "\n") })
    }

    /// Keeps its log in a file from now on, with what it said before.
    func keepLog(in path: String) { log.keep(in: path) }

    /// Throws when it has ended, with what it said.
    func check() throws {
        if code == nil, case .ended(let code)? = process.event() { self.code = code }
        guard let code else { return }
        let way = code > 128 ? "by signal \(code - 128)" : "with exit code \(code)"
        let said = log.text
        throw Failure(
            "the \(name) ended \(way) while the command ran"
                + (said.isEmpty ? "" : "; the end of its log:\n\(said)"))
    }

    /// Asks it to end, and waits until it has.
    func end() {
        guard code == nil, let input else { return }
        close(input)
        self.input = nil
        process.end(secondsMax: Self.endSecondsMax)
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw Failure("no pipe can be made: \(String(cString: strerror(errno)))")
        }
        // No other child may keep them open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// What a server writes on standard error: its end in memory, and all of it in a file.
private final class ServerLog: Sendable {
    private static let bytesMax = 65_536
    private static let linesShownMax = 20

    private struct State {
        var end: [UInt8] = []
        var file: FileHandle?
    }

    private let state = Mutex(State())
    private let isRead = DispatchSemaphore(value: 0)

    init(reading descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var bytes = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = read(descriptor, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                take(bytes.prefix(count))
            }
            close(descriptor)
            isRead.signal()
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        state.withLock { state in
            state.end += bytes
            if state.end.count > 2 * Self.bytesMax {
                state.end = Array(state.end.suffix(Self.bytesMax))
            }
            try? state.file?.write(contentsOf: Data(bytes))
        }
    }

    func keep(in path: String) {
        state.withLock { state in
            _ = FileManager.default.createFile(atPath: path, contents: Data(state.end))
            state.file = FileHandle(forWritingAtPath: path)
            _ = try? state.file?.seekToEnd()
        }
    }

    /// The last lines of a server that has ended, without those of requests.
    var text: String {
        _ = isRead.wait(timeout: .now() + .seconds(1))
        let end = state.withLock { $0.end }
        return String(decoding: end, as: UTF8.self).split(separator: "\n")
            .filter { !$0.contains(#""event":"request""#) }
            .suffix(Self.linesShownMax).joined(separator: "\n")
    }
}
