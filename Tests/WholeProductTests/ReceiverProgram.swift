import Foundation
import StoreWire
import TestSupport
import Testing

/// An app's server in a process of its own (`Tests/Receiver/notification_receiver.py`), which a
/// lab's store notifies.
final class ReceiverProgram {
    /// A request that it got, with its answer.
    struct Taken {
        let body: String
        let answer: String
    }

    /// What every start does badly: chances in percent.
    var faults = "{}"
    private(set) var program: Program?
    private let folder: String
    private let seed: UInt64
    private let port = FreePort.next()
    private var starts: UInt64 = 0

    var log: String { folder + "/notifications.jsonl" }
    var url: String { "http://127.0.0.1:\(port)/notifications" }

    init(in folder: String, seed: UInt64 = 1) throws {
        self.folder = folder
        self.seed = seed
        try start()
    }

    deinit { program?.kill() }

    /// Starts it, always on the same port. Each start draws other chances of the same seed.
    func start() throws {
        starts += 1
        let started = try Program(
            "/usr/bin/python3",
            [
                Lab.package + "/Tests/Receiver/notification_receiver.py", "--port", "\(port)",
                "--log", log, "--faults", faults, "--seed", "\(seed &+ starts)",
            ], logs: folder + "/logs")
        program = started
        let line = "listens on http://127.0.0.1:\(port)\n"
        _ = eventually { started.output.contains(line) || !started.isRunning }
        try #require(
            started.output.contains(line),
            "the receiver did not start: \(started.output)\(started.errors)")
    }

    func kill() { program?.kill() }

    /// Has it answer nothing until `goOn`: it stands still, and its connections stay open.
    func freeze() { program?.freeze() }
    func goOn() { program?.goOn() }

    /// Kills it and starts it with other faults.
    func restart(faults: String) throws {
        kill()
        self.faults = faults
        try start()
    }

    /// How long its log is.
    var byteCount: Int {
        (try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) ?? 0
    }

    /// Everything that it got so far, in order. A last line without an end is being written, or was cut
    /// by a kill: nobody has its answer.
    func taken() throws -> [Taken] {
        guard let text = try? String(contentsOfFile: log, encoding: .utf8),
            let end = text.utf8.lastIndex(of: UInt8(ascii: "\n"))
        else { return [] }
        return try text[...end].split(separator: "\n").map { line in
            let read = try JSONValue(parsing: Array(line.utf8))
            return Taken(
                body: try #require(read["body"]?.string),
                answer: try #require(read["answer"]?.string))
        }
    }
}

extension Lab {
    /// Has the store notify a receiver, of one app.
    func notify(
        _ receiver: ReceiverProgram, in environment: String = "sandbox",
        app: String = Lab.bundleID, version: Int = 2
    ) throws {
        try bodega([
            "notification", "set", app, receiver.url, "--private", "--environment", environment,
            "--version", "\(version)",
        ])
    }
}
