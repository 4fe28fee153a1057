import Foundation
import StoreWire
import TestSupport
import Testing

/// `bodega serve --temporary`: a store that lives as long as its owner and leaves nothing.
@Suite(.ownThreads) struct TemporaryStoreTests {
    private let place = TemporaryFolder()
    private let input = Pipe()

    private func start(_ extra: [String] = []) throws -> (Program, TemporaryStoreBody) {
        let program = try Program(
            "bodega", ["serve", "--temporary"] + extra,
            environment: ["BODEGA_DATA": place.file("elsewhere")], input: input, logs: place.path)
        return (program, try ready(program))
    }

    private func ready(_ program: Program) throws -> TemporaryStoreBody {
        _ = eventually { program.output.contains("\n") || !program.isRunning }
        try #require(program.output.hasSuffix("\n"), "\(program.errors)")
        return try WireJSON.decode(TemporaryStoreBody.self, from: Array(program.output.utf8))
    }

    /// What is there besides the programs' logs.
    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.path)
            .filter { !$0.hasSuffix(".out") && !$0.hasSuffix(".err") }
    }

    @Test func `the line says where it is, and the end of standard input ends it`() throws {
        let (program, body) = try start()
        #expect(body.processId == program.processID)
        #expect(body.folder.hasPrefix(place.path) && body.data.hasPrefix(body.folder))
        let name = URL(fileURLWithPath: body.folder).lastPathComponent
        #expect(try place.mode(name) == 0o700)
        #expect(try leftovers() == [name])
        let accounts = try Lab.call(
            "GET", body.url + "/control/v1/accounts", token: body.controlToken)
        #expect(accounts.status == 200)
        // Its owner's own files go as well.
        try FileManager.default.createDirectory(
            atPath: body.folder + "/device/StoreKit", withIntermediateDirectories: true)
        try Data("a".utf8).write(to: URL(fileURLWithPath: body.folder + "/device/StoreKit/file"))
        try input.fileHandleForWriting.write(contentsOf: Data("ignored\n".utf8))
        #expect(try Lab.call("GET", body.url + "/ready").status == 200)
        try input.fileHandleForWriting.close()
        #expect(try program.wait() == 0)
        #expect(try leftovers() == [])
        #expect(program.output.split(separator: "\n").count == 1)
        #expect(program.errors.contains(#""stopped""#), "\(program.errors)")
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
    func `every signal that asks it to end removes the folder`(signal: Int32) throws {
        let (program, _) = try start()
        kill(program.processID, signal)
        #expect(try program.wait() == 0)
        #expect(try leftovers() == [])
    }

    @Test func `an owner that is killed takes it along`() throws {
        let script = """
            mkfifo "$1/fifo"
            "$0" serve --temporary <"$1/fifo" >"$1/ready.out" 2>"$1/ready.err" &
            exec 3>"$1/fifo"
            rm "$1/fifo"
            wait
            """
        let owner = try Program(
            "/bin/bash", ["-c", script, Program.folder + "/bodega", place.path], logs: place.path)
        var line = ""
        _ = eventually {
            line = (try? String(contentsOfFile: place.file("ready.out"), encoding: .utf8)) ?? ""
            return line.hasSuffix("\n") || !owner.isRunning
        }
        let body = try WireJSON.decode(TemporaryStoreBody.self, from: Array(line.utf8))
        #expect(try leftovers().count == 1)
        kill(owner.processID, SIGKILL)
        #expect(eventually { kill(body.processId, 0) != 0 })
        #expect(try leftovers() == [])
        owner.kill()
    }

    @Test func `nothing is made when it cannot be`() throws {
        let lab = try Lab()
        try lab.startStore()
        for (extra, code, reason) in [
            (["--data", place.file("own")], Int32(2), "leave out --data, or --temporary"),
            (["--port", "\(lab.storePort)"], 1, "\(lab.storePort)"),
            (["--payment-ca-file", "a"], 2, "--payment-ca-file needs --payment-gateway"),
        ] {
            let program = try Program(
                "bodega", ["serve", "--temporary"] + extra, input: Pipe(), logs: place.path)
            #expect(try program.wait() == code)
            #expect(program.errors.contains(reason), "\(program.errors)")
            #expect(program.output.isEmpty)
            #expect(try leftovers() == [])
        }
        let ownerless = try Program("bodega", ["serve", "--temporary"], logs: place.path)
        #expect(try ownerless.wait() == 2)
        #expect(ownerless.errors.contains("and it has ended"), "\(ownerless.errors)")
        #expect(try leftovers() == [])
    }
}
