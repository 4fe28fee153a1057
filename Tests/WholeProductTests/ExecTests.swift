import Foundation
import StoreWire
import TestSupport
import Testing

/// `bodega exec`: a command with a store of its own, of which nothing is left.
@Suite(.ownThreads) struct ExecTests {
    private let place = TemporaryFolder()

    private static let seed = """
        {"apps":[{"bundleId":"\(Lab.bundleID)","catalogue":"Shop.storekit"}],
         "accounts":[{"name":"buyer@example.com","password":"rocket-fuel-1"}]}
        """

    init() throws {
        try FileManager.default.createDirectory(
            atPath: place.file("tmp"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: Lab.package + "/Examples/RocketCar/RocketCar.storekit",
            toPath: place.file("Shop.storekit"))
        try place.write(Self.seed, "seed.json")
    }

    private func start(
        _ options: [String] = [], _ command: [String], environment: [String: String] = [:]
    ) throws -> Program {
        let own = [
            "TMPDIR": place.file("tmp"), "BODEGA_DATA": place.file("elsewhere"),
            "PATH": "\(Program.folder):/usr/bin:/bin", "PLACE": place.path,
        ]
        return try Program(
            "bodega", ["exec"] + options + ["--"] + command,
            environment: own.merging(environment) { $1 }, logs: place.path)
    }

    /// Starts a script and waits until it runs, with the processes that it has named.
    private func startScript(
        _ script: String, _ options: [String] = []
    ) throws -> (Program, [pid_t]) {
        let program = try start(options, ["bash", "-c", script])
        _ = eventually { program.output.contains("ready\n") || !program.isRunning }
        try #require(program.output.contains("ready\n"), "\(program.errors)")
        let numbers = program.output.split(separator: "\n").compactMap { pid_t($0) }
        try #require(numbers.count > 1 && numbers.allSatisfy(isAlive))
        return (program, numbers)
    }

    /// A shell, one of its children, and one that left its process group.
    private static let family =
        "sleep 1000 & echo $$ $! | tr ' ' '\\n'; setsid sleep 1000 & echo $!;"

    private func isAlive(_ process: pid_t) -> Bool {
        let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return line.map { !$0.contains(") Z ") } ?? false
    }

    private func store(of folder: String) throws -> pid_t {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/server.json"))
        return try WireJSON.decode(ServerFileBody.self, from: Array(bytes)).processId
    }

    private var temporary: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: place.file("tmp"))
        return (names ?? []).map { place.file("tmp/\($0)") }
    }

    @Test func `the command finds a store, a world, an app and an account by variables`() throws {
        let script = """
            set -e
            test "$STOREKIT_HOME" = "$BODEGA_FOLDER/device" && test -f "$BODEGA_FOLDER/store.log"
            PurchaseProbe --emptied=1 \(Lab.turbo)
            test -f "$STOREKIT_HOME/StoreKit/sandboxReceipt"
            bodega buy \(Lab.fuel) --account buyer@example.com
            bodega receipt verify "$STOREKIT_HOME/StoreKit/sandboxReceipt" --url "$BODEGA_SANDBOX_URL"
            bodega account list
            """
        let program = try start(["--seed", place.file("seed.json")], ["bash", "-c", script])
        #expect(try program.wait() == 0, "\(program.errors)")
        #expect(program.output.contains("purchased \(Lab.turbo)"), "\(program.output)")
        #expect(program.output.contains("bought 1 × \(Lab.fuel)"))
        #expect(program.output.contains("buyer@example.com"))
        #expect(program.errors.isEmpty)
        #expect(temporary.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: place.file("elsewhere")))
    }

    @Test func `the backend delivers what the app bought in the store`() throws {
        let script = """
            set -e
            export ROCKETCAR_BACKEND=$BODEGA_BACKEND_URL ROCKETCAR_HOME=$BODEGA_FOLDER/app
            export ROCKETCAR_USER=driver:steering-wheel-1 HOME=$BODEGA_FOLDER
            RocketCar buy \(Lab.turbo)
            bodega backend lookup user driver
            """
        let program = try start(
            ["--seed", place.file("seed.json"), "--backend"], ["bash", "-c", script])
        #expect(try program.wait() == 0, "\(program.output)\(program.errors)")
        #expect(program.output.contains(Lab.turbo), "\(program.output)")
        #expect(temporary.isEmpty)
    }

    @Test(arguments: [
        (["bash", "-c", "exit 7"], Int32(7), ""), (["bash", "-c", "kill -TERM $$"], 143, ""),
        (["bash", "-c", "kill -KILL $$"], 137, ""), (["true", "--help"], 0, ""),
        (["no-such-program"], 127, "there is no program no-such-program in PATH"),
        (["./no-such-program"], 127, "there is no program ./no-such-program"),
        (["/tmp"], 126, "/tmp is a folder"), (["/etc/passwd"], 126, "may not be executed"),
    ])
    func `the exit code is the command's, or says why it did not run`(
        command: [String], code: Int32, sentence: String
    ) throws {
        let program = try start([], command)
        #expect(try program.wait() == code)
        let errors = program.errors
        #expect(sentence.isEmpty ? errors.isEmpty : errors.contains(sentence), "\(errors)")
        #expect(temporary.isEmpty)
    }

    @Test(arguments: [
        ([], "", Int32(2), "bodega exec needs COMMAND"),
        (["--products", "x"], "", 2, "--products needs --backend"),
        (["--backend"], "", 2, "--backend needs --products, or a --seed with one app"),
        (["--seed", "SEED"], "", 1, "line 1, column 1"),
        (
            ["--seed", "SEED"], "{\"accounts\":[],\n \"account\":[]}", 1,
            "line 2, column 12: account: is unknown here"
        ),
        (
            ["--seed", "SEED"], #"{"accounts":[{"name":"a","pasword":"b"}]}"#, 1,
            "accounts[0].pasword: is unknown here"
        ),
    ])
    func `what cannot be is refused before anything starts`(
        options: [String], seed: String, code: Int32, sentence: String
    ) throws {
        try place.write(seed, "bad.json")
        let options = options.map { $0 == "SEED" ? place.file("bad.json") : $0 }
        let isEmpty = sentence.contains("COMMAND")
        let program = try start(options, isEmpty ? [] : ["touch", place.file("ran")])
        #expect(try program.wait() == code)
        #expect(program.errors.contains(sentence), "\(program.errors)")
        #expect(!FileManager.default.fileExists(atPath: place.file("ran")))
        #expect(temporary.isEmpty)
    }

    @Test func `a seed that only the store refuses leaves nothing`() throws {
        let purchase = """
            {"apps":[{"bundleId":"\(Lab.bundleID)","catalogue":"Shop.storekit"}],
             "clock":{"mode":"held","now":"2026-05-01"},
             "accounts":[{"name":"a","password":"rocket-fuel-1","needsApproval":true}],
             "purchases":[{"account":"a","productId":"\(Lab.turbo)","at":"2026-04-01"}]}
            """
        try place.write(purchase, "bad.json")
        let program = try start(["--seed", place.file("bad.json")], ["true"])
        #expect(try program.wait() == 1)
        #expect(program.errors.contains("purchases[0]: It waits"), "\(program.errors)")
        #expect(temporary.isEmpty)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `signals go to all that the command started`(signal: Int32) throws {
        let (program, processes) = try startScript(Self.family + "echo ready; wait; sleep 1000")
        kill(program.processID, signal)
        #expect(try program.wait() == 128 + signal)
        #expect(!processes.contains(where: isAlive))
        #expect(temporary.isEmpty)
    }

    @Test func `Ctrl-C on a terminal reaches the command, which can read from it`() throws {
        let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
        let steps = try place.write(
            "wait ready\ntype hello\nkey enter\nwait heard hello\nkey ctrl-c\nend 130", "steps")
        let terminal = try Program(
            python,
            [
                Lab.package + "/Tests/Terminal/play.py", steps, Program.folder + "/bodega", "exec",
                "bash", "-c", "echo ready; read -r line; echo heard $line; sleep 1000",
            ], environment: ["TMPDIR": place.file("tmp")], logs: place.path)
        #expect(try terminal.wait() == 0, "\(terminal.output)\(terminal.errors)")
        #expect(temporary.isEmpty)
    }

    @Test func `a command that handles a signal decides how it ends`() throws {
        let (program, processes) = try startScript(
            "trap 'echo heard; exit 5' INT; \(Self.family) echo ready; wait; sleep 1000")
        kill(program.processID, SIGINT)
        #expect(try program.wait() == 5)
        #expect(program.output.contains("heard"))
        #expect(!processes.contains(where: isAlive))
        #expect(temporary.isEmpty)
    }

    @Test func `a signal before the command runs ends everything`() throws {
        let program = try start([], ["touch", place.file("ran")])
        #expect(eventually { !temporary.isEmpty })
        kill(program.processID, SIGINT)
        #expect(try program.wait() == 130)
        #expect(!FileManager.default.fileExists(atPath: place.file("ran")))
        #expect(temporary.isEmpty)
    }

    @Test func `what the command leaves running ends with it`() throws {
        let program = try start([], ["bash", "-c", Self.family])
        #expect(try program.wait() == 0)
        let processes = program.output.split(separator: "\n").compactMap { pid_t($0) }
        #expect(processes.count == 3)
        #expect(!processes.contains(where: isAlive))
        #expect(temporary.isEmpty)
    }

    @Test func `nothing survives when exec itself is killed`() throws {
        let (program, processes) = try startScript(
            Self.family + "echo ready; trap '' INT TERM HUP; wait; sleep 1000",
            ["--seed", place.file("seed.json"), "--backend"])
        let folder = try #require(temporary.first)
        let servers = [try store(of: folder + "/store"), try store(of: folder + "/backend")]
        kill(program.processID, SIGKILL)
        #expect(eventually { !(processes + servers).contains(where: isAlive) })
        #expect(temporary.isEmpty)
        program.kill()
    }

    @Test(arguments: ["store", "backend"])
    func `a server that dies ends the command with a sentence`(server: String) throws {
        let (program, processes) = try startScript(
            Self.family + "echo ready; wait", ["--seed", place.file("seed.json"), "--backend"])
        let folder = try #require(temporary.first)
        kill(try store(of: "\(folder)/\(server)"), SIGKILL)
        #expect(try program.wait() == 1)
        #expect(
            program.errors.contains("the \(server) ended by signal 9 while the command ran"),
            "\(program.errors)")
        #expect(!processes.contains(where: isAlive))
        #expect(temporary.isEmpty)
    }
}
