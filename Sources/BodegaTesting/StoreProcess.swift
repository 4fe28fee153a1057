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
    /// How long the end of its log is waited for.
    private static let secondsMax = 10.0

    let program: String
    private let process = Process()
    private let input = Pipe()
    /// Kept open: a store that cannot write its log would end.
    private let output = Pipe()
    private let errors = Pipe()
    private let state = Shared()
    private let folder: String
    let ready: TemporaryStoreBody

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// Starts it, and returns when it is ready; blocks.
    init(program: String) throws(BodegaError) {
        self.program = program
        let state = state
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
        }
        do {
            try process.run()
        } catch {
            throw BodegaError(
                "programUnsuitable", "\(program) cannot be run: \(error.localizedDescription)")
        }
        try? input.fileHandleForReading.close()
        let line = Self.firstLine(of: output.fileHandleForReading)
        guard let ready = try? WireJSON.decode(TemporaryStoreBody.self, from: line) else {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            // What it left behind, such as a child, may keep its log open.
            _ = logEnd.wait(timeout: .now() + Self.secondsMax)
            throw Self.unsuitable(program, process, line, state)
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

    /// Why there is no answer any more; nil while it runs.
    var obituary: String? {
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
        process.waitUntilExit()
        // A store that was killed left it.
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func unsuitable(
        _ program: String, _ process: Process, _ line: [UInt8], _ state: Shared
    ) -> BodegaError {
        let said = state.state.withLock { $0.log.suffix(3).joined(separator: "\n") }
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

    /// What it printed before the first line end; empty when it ended without one.
    private static func firstLine(of output: FileHandle) -> [UInt8] {
        var line: [UInt8] = []
        while true {
            let bytes = output.availableData
            if bytes.isEmpty { return line }
            line += bytes
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return Array(line[..<end]) }
        }
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
