import Foundation
import Testing

/// A program of this package, running in a process of its own.
final class Program {
    /// How long anything here may take.
    static let secondsMax = 180.0

    private let process = Process()
    private let outputPath: String
    private let errorPath: String

    /// Where the products of this build stand.
    static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .path

    init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:],
        through prefix: [String] = [], input: Pipe? = nil, logs folder: String
    ) throws {
        let path = name.contains("/") ? name : Self.folder + "/" + name
        let stem = "\(folder)/\(URL(fileURLWithPath: path).lastPathComponent)-\(UUID().uuidString)"
        outputPath = stem + ".out"
        errorPath = stem + ".err"
        for path in [outputPath, errorPath] {
            try Data().write(to: URL(fileURLWithPath: path))
        }
        let words = prefix + [path] + arguments
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        var variables = ProcessInfo.processInfo.environment.filter { variable in
            !["BODEGA_", "STOREKIT_", "ROCKETCAR_", "MALLOC_"].contains {
                variable.key.hasPrefix($0)
            }
        }
        // What it leaves there, killed, goes with its logs.
        variables["TMPDIR"] = folder
        variables.merge(environment) { $1 }
        process.environment = variables
        process.standardInput = input ?? FileHandle.nullDevice
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
        let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // The program has its own; Foundation would keep these open for as long as the tests run.
        try output.close()
        try errors.close()
    }

    var isRunning: Bool { process.isRunning }
    var processID: Int32 { process.processIdentifier }

    var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }

    /// Ends it the hard way.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        // Foundation does not see its end while a program that it started goes on.
        let deadline = Date().addingTimeInterval(Self.secondsMax)
        while process.isRunning, Date() < deadline { usleep(1_000) }
    }

    /// Stops it where it is, until `goOn`.
    func freeze() {
        Glibc.kill(process.processIdentifier, SIGSTOP)
    }

    func goOn() {
        Glibc.kill(process.processIdentifier, SIGCONT)
    }

    func terminate() {
        process.terminate()
    }

    /// How it ended: the exit code, or 128 and the signal's number.
    @discardableResult
    func wait(secondsMax: Double = Program.secondsMax) throws -> Int32 {
        let deadline = Date().addingTimeInterval(secondsMax)
        while process.isRunning, Date() < deadline { usleep(5_000) }
        guard !process.isRunning else {
            kill()
            throw Stuck(program: process.executableURL?.lastPathComponent ?? "", output: output)
        }
        return process.terminationReason == .uncaughtSignal
            ? 128 + process.terminationStatus : process.terminationStatus
    }

    struct Stuck: Error {
        let program: String
        let output: String
    }
}

/// Waits until a condition holds; false after three minutes.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Date().addingTimeInterval(Program.secondsMax)
    while Date() < deadline {
        if try condition() { return true }
        usleep(10_000)
    }
    return false
}
