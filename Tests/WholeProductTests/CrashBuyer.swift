import Foundation
import Synchronization
import Testing

/// One device whose app buys again and again, and is launched anew when it is killed.
final class CrashBuyer: Sendable {
    private struct State: Sendable {
        var random: SplitMix
        var isStopping = false
        var processID: Int32 = 0
        var purchases = 0
        /// Runs whose output is not in the file of what was told yet.
        var outputs: [String] = []
    }

    let name: String
    let account: String
    private let folder: String
    private let products: [String]
    private let environment: [String: String]
    private let logs: String
    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    init(lab: Lab, name: String, account: String, products: [String], seed: UInt64) {
        self.name = name
        self.account = account
        self.products = products
        folder = lab.folder
        logs = lab.folder + "/logs"
        environment = lab.appEnvironment(device: name, user: "player-\(name):steering-wheel-1")
            .merging(["STOREKIT_ACCOUNT": "\(account):rocket-fuel-1"]) { $1 }
        state = Mutex(State(random: SplitMix(seed: seed)))
    }

    var purchases: Int { state.withLock { $0.purchases } }

    /// Buys on a thread of its own until `stop`.
    func start() {
        Thread.detachNewThread { [self] in
            while let arguments = nextPurchase() { _ = try? runApp(arguments) }
            ended.signal()
        }
    }

    private func nextPurchase() -> [String]? {
        state.withLock { state in
            guard !state.isStopping else { return nil }
            let product = products[Int(state.random.next(below: UInt64(products.count)))]
            let quantity = product == Lab.fuel ? 1 + state.random.next(below: 3) : 1
            return ["buy", product, "--quantity", "\(quantity)", "--time-limit", "20"]
        }
    }

    /// Kills the app where it is.
    func kill() {
        let processID = state.withLock { $0.processID }
        if processID > 0 { Glibc.kill(processID, SIGKILL) }
    }

    /// Kills the app and buys no more.
    func stop() {
        state.withLock { $0.isStopping = true }
        while ended.wait(timeout: .now() + .milliseconds(20)) == .timedOut { kill() }
    }

    /// Runs the app once; how it ended.
    private func runApp(_ arguments: [String]) throws -> Int32 {
        let program = try Program(
            "RocketCar", arguments, environment: environment, logs: logs)
        state.withLock { $0.processID = program.processID }
        let code = try program.wait()
        state.withLock { state in
            state.processID = 0
            state.purchases += Audit.seen(in: program.output).count
            state.outputs.append(program.output)
        }
        return code
    }

    /// Lets the app do what is left over; whether nothing is after it.
    func launch() throws -> Bool {
        defer { noteTold() }
        return try runApp(["launch", "--settle", "1.5", "--time-limit", "50"]) == 0
    }

    /// Writes what the app printed to where the auditor looks; a last line that a kill cut is left
    /// out.
    func noteTold() {
        let outputs = state.withLock { state in
            defer { state.outputs = [] }
            return state.outputs
        }
        let whole = outputs.map { output in
            output.lastIndex(of: "\n").map { String(output[...$0]) } ?? ""
        }
        let path = "\(folder)/told/\(name).txt"
        let before = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        try? Data((before + whole.joined()).utf8).write(to: URL(fileURLWithPath: path))
    }

    var journalFiles: [String] {
        let files = try? FileManager.default.contentsOfDirectory(
            atPath: "\(folder)/\(name)/journal")
        return (files ?? []).filter { $0.hasSuffix(".json") }
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
