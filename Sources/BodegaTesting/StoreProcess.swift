import Foundation
import Glibc
import StoreWire
import Synchronization

/// A `bodega serve --temporary` of this process.
///
/// The store ends when its standard input does, and this process has the only other end: however the
/// process ends, the kernel closes it, and the store removes its folder.
final class StoreProcess: Sendable {
    private struct State {
        /// The newest lines of its log.
        var log: [String] = []
        /// How it ended.
        var end: String?
        var isStopped = false
    }

    private static let logLinesMax = 20
    private static let lineBytesMax = 1 << 16
    /// How long the end of its log is waited for, and the end of a program after each request to end.
    private static let endSecondsMax = 10.0

    let program: String
    private let process = Process()
    private let input = Pipe()
    /// Kept open: a store that cannot write its log would end.
    private let output = Pipe()
    private let errors = Pipe()
    private let state = Shared()
    /// Signalled when it has ended.
    private let exit = DispatchSemaphore(value: 0)
    private let folder: String
    let ready: TemporaryStoreBody

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// Starts it, and returns when it is ready; blocks.
    ///
    /// - Parameter secondsMax: How long the start may take.
    init(program: String, secondsMax: Double = 60) throws(BodegaError) {
        self.program = program
        let (state, exit) = (state, exit)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["serve", "--temporary"]
        process.environment = ProcessInfo.processInfo.environment.filter { variable in
            !["BODEGA_", "STOREKIT_"].contains { variable.key.hasPrefix($0) }
        }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        // Other children of this process must not keep the store alive.
        let ends = [
            input.fileHandleForWriting, output.fileHandleForReading, errors.fileHandleForReading,
        ]
        for end in ends { _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC) }
        let logEnd = Self.follow(errors.fileHandleForReading, state)
        process.terminationHandler = { process in
            let how =
                process.terminationReason == .uncaughtSignal
                ? "by signal \(process.terminationStatus)"
                : "with code \(process.terminationStatus)"
            state.state.withLock { $0.end = how }
            exit.signal()
        }
        do {
            try process.run()
        } catch {
            throw BodegaError(
                "programUnsuitable", "\(program) cannot be run: \(error.localizedDescription)")
        }
        try? input.fileHandleForReading.close()
        let line = Self.firstLine(of: output.fileHandleForReading, secondsMax: secondsMax)
        guard let line, let ready = try? WireJSON.decode(TemporaryStoreBody.self, from: line)
        else {
            try? input.fileHandleForWriting.close()
            Self.end(process, exit, eachWithin: min(secondsMax, Self.endSecondsMax))
            // What it left behind, such as a child, may keep its log open.
            _ = logEnd.wait(timeout: .now() + min(secondsMax, Self.endSecondsMax))
            throw Self.unsuitable(program, process, line, state, secondsMax)
        }
        self.ready = ready
        folder = ready.folder
        Self.endWithProcess(input.fileHandleForWriting.fileDescriptor, folder)
    }

    deinit { closeInput() }

    private func closeInput() {
        _ = Self.running.withLock { $0.removeValue(forKey: folder) }
        try? input.fileHandleForWriting.close()
    }

    /// The stores that run, by their folders: the descriptors that keep them alive.
    private static let running = Mutex<[String: Int32]>([:])

    /// Has a normal exit wait until the store's folder is gone. After any other end of the process the
    /// store removes it by itself, a moment later.
    private static func endWithProcess(_ input: Int32, _ folder: String) {
        let isFirst = running.withLock { running in
            running[folder] = input
            return running.count == 1
        }
        guard isFirst else { return }
        atexit {
            let running = StoreProcess.running.withLock { $0 }
            for input in running.values { close(input) }
            for _ in 0..<500 where running.keys.contains(where: { access($0, F_OK) == 0 }) {
                usleep(10_000)
            }
        }
    }

    /// Waits until it has ended by itself; otherwise asks it to end, and then kills it.
    private static func end(
        _ process: Process, _ exit: DispatchSemaphore, eachWithin seconds: Double
    ) {
        for signal in [SIGTERM, SIGKILL] {
            if exit.wait(timeout: .now() + seconds) == .success {
                // For whoever waits after this.
                exit.signal()
                return
            }
            kill(process.processIdentifier, signal)
        }
        exit.wait()
        exit.signal()
    }

    /// How it ended, for people; nil while it runs.
    var endSentence: String? {
        state.state.withLock { state in
            guard let end = state.end else { return nil }
            if state.isStopped { return "This store was stopped." }
            let last = state.log.suffix(3).joined(separator: "\n")
            return "The store ended \(end), before the tests did."
                + (last.isEmpty ? "" : " Its last lines:\n\(last)")
        }
    }

    /// Ends it, and returns when it and its folder are gone; blocks.
    func stop() {
        state.state.withLock { $0.isStopped = true }
        closeInput()
        Self.end(process, exit, eachWithin: Self.endSecondsMax)
        // A store that was killed left it.
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func unsuitable(
        _ program: String, _ process: Process, _ line: [UInt8]?, _ state: Shared,
        _ secondsMax: Double
    ) -> BodegaError {
        let said = state.state.withLock { $0.log.suffix(3).joined(separator: "\n") }
        guard let line else {
            return BodegaError(
                "programUnsuitable",
                "\(program) started no store within \(secondsMax) seconds, and was ended"
                    + (said.isEmpty ? "." : ": \(said)"))
        }
        if line.isEmpty, !said.contains("--temporary") {
            return BodegaError(
                "programUnsuitable",
                "\(program) started no store and ended with code \(process.terminationStatus): "
                    + said)
        }
        return BodegaError(
            "programUnsuitable",
            "\(program) is of another version than this module, or another program: it does not "
                + "start a temporary store (\(line.isEmpty ? said : "its first line is unknown")).")
    }

    /// What it printed before the first line end, as far as it is read; empty when it ended without
    /// one, and nil when it was too late.
    private static func firstLine(of output: FileHandle, secondsMax: Double) -> [UInt8]? {
        let deadline = ContinuousClock.now + .seconds(secondsMax)
        var line: [UInt8] = []
        while line.count < lineBytesMax {
            let rest = (deadline - .now) / .milliseconds(1)
            guard rest > 0 else { return nil }
            var wanted = pollfd(
                fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, Int32(rest.rounded(.up))) > 0 else { continue }
            let bytes = output.availableData
            if bytes.isEmpty { return line }
            line += bytes
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return Array(line[..<end]) }
        }
        return line
    }

    /// Keeps the newest lines; the semaphore says that there are no more.
    private static func follow(_ errors: FileHandle, _ state: Shared) -> DispatchSemaphore {
        let end = DispatchSemaphore(value: 0)
        let rest = Mutex("")
        errors.readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                end.signal()
                return
            }
            let lines = rest.withLock { rest in
                let lines = (rest + String(decoding: data, as: UTF8.self))
                    .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                rest = lines.last ?? ""
                return lines.dropLast()
            }
            state.state.withLock { state in
                state.log = Array((state.log + lines).suffix(logLinesMax))
            }
        }
        return end
    }
}
