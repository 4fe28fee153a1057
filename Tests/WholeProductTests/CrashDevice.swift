import Foundation
import Synchronization
import Testing

/// One device of a lab whose app is run again and again, and killed in between; what it printed is
/// kept for the auditor.
final class CrashDevice: Sendable {
    private struct State: Sendable {
        var processID: Int32 = 0
        /// Runs whose output is not in the file of what was told yet.
        var outputs: [String] = []
    }

    let name: String
    let account: String
    private let app: String
    private let folder: String
    private let environment: [String: String]
    private let state = Mutex(State())

    /// A device on which `app`, a program of this package, buys for an account of the lab.
    init(
        lab: Lab, name: String, account: String, app: String, environment: [String: String] = [:]
    ) {
        self.name = name
        self.account = account
        self.app = app
        folder = lab.folder
        self.environment = lab.appEnvironment(device: name, user: "player-\(name):steering-wheel-1")
            .merging(["STOREKIT_ACCOUNT": "\(account):rocket-fuel-1"]) { $1 }
            .merging(environment) { $1 }
    }

    /// Runs the app once; how it ended and what it said.
    func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
        let program = try Program(
            app, arguments, environment: environment, logs: folder + "/logs")
        state.withLock { $0.processID = program.processID }
        let code = try program.wait()
        let output = program.output
        // A last line that a kill cut is left out.
        let whole = output.lastIndex(of: "\n").map { String(output[...$0]) } ?? ""
        let told = whole + promises.map { "promised \($0)\n" }.joined()
        state.withLock { state in
            state.processID = 0
            state.outputs.append(told)
        }
        return (code, output)
    }

    /// Kills the app where it is; false when none runs.
    @discardableResult func kill() -> Bool {
        let processID = state.withLock { $0.processID }
        return processID > 0 && Glibc.kill(processID, SIGKILL) == 0
    }

    /// Writes what the app printed to where the auditor looks, and after each run what the journal
    /// promised then.
    func noteTold() throws {
        let outputs = state.withLock { state in
            defer { state.outputs = [] }
            return state.outputs
        }
        try FileManager.default.createDirectory(
            atPath: folder + "/told", withIntermediateDirectories: true)
        let path = "\(folder)/told/\(name).txt"
        let before = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        try Data((before + outputs.joined()).utf8).write(to: URL(fileURLWithPath: path))
    }

    private var journalFiles: [String] {
        let files = try? FileManager.default.contentsOfDirectory(
            atPath: "\(folder)/\(name)/journal")
        return (files ?? []).filter { $0.hasSuffix(".json") }
    }

    /// Whether a launch has nothing to take up: neither an entry in the journal, nor a file that the
    /// end of the app cut short, which the next launch removes.
    var isTidy: Bool {
        let files = FileManager.default.enumerator(atPath: "\(folder)/\(name)")
        let isWhole = files?.allSatisfy { !(($0 as? String) ?? "").hasSuffix(".tmp") } ?? true
        return journalFiles.isEmpty && isWhole
    }

    /// What the journal of the device promises now: to have a payment bought that the person
    /// approved, to have a transaction finished.
    private var promises: [String] {
        journalFiles.sorted().compactMap { file in
            let path = "\(folder)/\(name)/journal/\(file)"
            guard let data = FileManager.default.contents(atPath: path) else { return nil }
            if file.hasPrefix("finish-") {
                let finish = try? JSONDecoder().decode(Finish.self, from: data)
                return finish.map { "finish \($0.transactionId)" }
            }
            guard file.hasPrefix("attempt-"),
                let attempt = try? JSONDecoder().decode(Attempt.self, from: data),
                attempt.stage.approved != nil
            else { return nil }
            return "attempt \(attempt.attemptId)"
        }
    }

    private struct Attempt: Decodable {
        struct Stage: Decodable {
            struct Approved: Decodable {}

            let approved: Approved?
        }

        let attemptId: String
        let stage: Stage
    }

    private struct Finish: Decodable {
        let transactionId: String
    }

    /// The revision that the device says its receipt has.
    var receiptRevision: Int64? {
        struct Receipt: Decodable {
            let revision: Int64
        }
        return FileManager.default.contents(atPath: "\(folder)/\(name)/receipt.json")
            .flatMap { try? JSONDecoder().decode(Receipt.self, from: $0).revision }
    }
}
