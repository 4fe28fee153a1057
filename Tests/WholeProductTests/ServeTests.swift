import Foundation
import StoreCaller
import TestSupport
import Testing

/// The store as a process: starting, refusing to start, stopping.
@Suite(.ownThreads) struct ServeTests {
    private func serve(_ lab: Lab, _ extra: [String] = []) throws -> (code: Int32, text: String) {
        let program = try Program(
            "bodega", ["serve", "--data", lab.storeData, "--port", "0"] + extra,
            logs: lab.folder + "/logs")
        let code = try program.wait()
        return (code, program.output + program.errors)
    }

    @Test func `the first start says where the control token is and keeps it private`() throws {
        let lab = try Lab()
        try lab.startStore()
        let first = try #require(lab.store?.output)
        let file = lab.storeData + "/control-token"
        #expect(first.contains("control token  in \(file)"))
        let token = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!first.contains(token.trimmingCharacters(in: .newlines)))
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        lab.store?.terminate()
        #expect(try lab.store?.wait() == 0)
        try lab.startStore()
        #expect(lab.store?.output.contains("control token") == false)
        try lab.bodega(["account", "list"])
    }

    @Test func `a terminal shows the new control token`() throws {
        let lab = try Lab()
        let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
        let steps = lab.folder + "/steps"
        try "wait shown once\nscreen\nsignal TERM\nend 0".write(
            toFile: steps, atomically: true, encoding: .utf8)
        let terminal = try Program(
            python,
            [
                Lab.package + "/Tests/Terminal/play.py", "--size", "200x24", steps,
                Program.folder + "/bodega", "serve", "--data", lab.storeData, "--port", "0",
            ], logs: lab.folder + "/logs")
        #expect(try terminal.wait() == 0)
        let token = try String(contentsOfFile: lab.storeData + "/control-token", encoding: .utf8)
        #expect(terminal.output.contains(token.trimmingCharacters(in: .newlines)))
    }

    @Test func `the store's health and readiness endpoints answer`() throws {
        let lab = try Lab()
        try lab.startStore()
        #expect(try Lab.call("GET", lab.storeURL + "/health").status == 200)
        #expect(try Lab.call("GET", lab.storeURL + "/ready").status == 200)
    }

    @Test func `a second store on the same directory is refused by name`() throws {
        let lab = try Lab()
        try lab.startStore()
        let second = try serve(lab)
        #expect(second.code == 1)
        #expect(second.text.contains("process \(lab.store?.processID ?? 0)"))
        #expect(second.text.contains(lab.storeData))
    }

    @Test(arguments: ["serve", "backend"])
    func `a data directory that cannot be is refused in a sentence`(server: String) throws {
        let lab = try Lab()
        let file = lab.folder + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        let backend = [
            "--products", Lab.package + "/Examples/RocketCar/Backend/products.json",
            "--production-url", "http://127.0.0.1:9", "--sandbox-url", "http://127.0.0.1:9",
            "--shared-secret-file", file,
        ]
        for (path, reason) in [
            (file, "\(file) is a file, not a directory"),
            (file + "/below/it", "\(file) is a file, not a directory"),
            ("/proc/bodega", "/proc/bodega: No such file or directory"),
        ] {
            try Data("0123456789abcdef0123456789abcdef".utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let program = try Program(
                "bodega",
                [server, "--data", path, "--port", "0"] + (server == "backend" ? backend : []),
                logs: lab.folder + "/logs")
            #expect(try program.wait() == 1)
            #expect(program.errors.contains(path), "\(program.errors)")
            #expect(program.errors.contains(reason), "\(program.errors)")
            #expect(
                program.errors.contains("name another directory with --data"), "\(program.errors)")
            #expect(!program.errors.contains("Error Domain"), "\(program.errors)")
        }
    }

    @Test func `a port already in use is refused with a sentence`() throws {
        let lab = try Lab()
        try lab.startStore()
        let other = try Lab()
        let program = try Program(
            "bodega", ["serve", "--data", other.storeData, "--port", "\(lab.storePort)"],
            logs: other.folder + "/logs")
        #expect(try program.wait() == 1)
        #expect(program.errors.contains("\(lab.storePort)"))
    }

    @Test func `keys are never created over old data`() throws {
        let lab = try Lab()
        try lab.startStore()
        lab.store?.terminate()
        try lab.store?.wait()
        try FileManager.default.moveItem(
            atPath: lab.storeData + "/keys", toPath: lab.storeData + "/elsewhere")
        let refused = try serve(lab)
        #expect(refused.code == 1)
        #expect(refused.text.contains("restore"))
        #expect(!FileManager.default.fileExists(atPath: lab.storeData + "/keys"))
        try FileManager.default.moveItem(
            atPath: lab.storeData + "/elsewhere", toPath: lab.storeData + "/keys")
        let key = try #require(
            try FileManager.default.contentsOfDirectory(atPath: lab.storeData + "/keys")
                .first { $0.hasSuffix(".key") || $0.contains("key") })
        try FileManager.default.removeItem(atPath: lab.storeData + "/keys/" + key)
        let lacking = try serve(lab)
        #expect(lacking.code == 1)
        #expect(lacking.text.contains(key))
    }

    @Test func `a first start that ended while creating keys begins again`() throws {
        let lab = try Lab()
        try FileManager.default.createDirectory(
            atPath: lab.storeData + "/keys", withIntermediateDirectories: true)
        try Data("half".utf8).write(
            to: URL(fileURLWithPath: lab.storeData + "/keys/production-root.key"))
        try lab.startStore()
        #expect(try Lab.call("GET", lab.storeURL + "/ready").status == 200)
    }

    @Test func `a store database of a newer version is refused and left alone`() throws {
        let lab = try Lab()
        try lab.startStore()
        lab.store?.terminate()
        try lab.store?.wait()
        _ = try SQLiteFile(lab.storeFile).rows("INSERT INTO schema_version (number) VALUES (999)")
        let refused = try serve(lab)
        #expect(refused.code == 1)
        #expect(refused.text.contains("schema 999"))
    }

    @Test func `listening beyond this machine needs a flag and prints a warning`() throws {
        let lab = try Lab()
        let refused = try serve(lab, ["--host", "0.0.0.0"])
        #expect(refused.code == 1)
        #expect(refused.text.contains("--allow-plain-http"))
        try lab.startStore(extra: ["--host", "0.0.0.0", "--allow-plain-http"])
        #expect(lab.store?.errors.contains("warning") == true)
        #expect(try Lab.call("GET", lab.storeURL + "/health").status == 200)
    }

    @Test func `control and operator answer to hosts that are allowed by option or environment`()
        throws
    {
        let lab = try Lab()
        try lab.startStore(extra: ["--allow-host", "one.test", "--allow-host=two.test"])
        let control = lab.storeURL + "/control/v1/clock"
        #expect(try status(control, host: "one.test") == 401)
        #expect(try status(control, host: "two.test:8080") == 401)
        #expect(try status(control, host: "three.test") == 421)
        #expect(try status(lab.storeURL + "/health", host: "three.test") == 200)
        try lab.startBackend(environment: ["BODEGA_BACKEND_ALLOW_HOST": "one.test, two.test"])
        let operating = lab.backendURL + "/operator/v1/submissions"
        #expect(try status(operating, host: "two.test") == 401)
        #expect(try status(operating, host: "three.test") == 421)
        let refused = try serve(lab, ["--allow-host", "http://one.test"])
        #expect(refused.code == 2)
        #expect(refused.text.contains("--allow-host http://one.test is not a host"))
    }

    private func status(_ url: String, host: String) throws -> Int {
        try Caller().send(CallerRequest(method: "GET", url: url, headers: [("Host", host)])).status
    }

    @Test func `SIGTERM ends waiting polls and exits 0`() throws {
        let lab = try Lab.open()
        let device = try lab.signedInDevice()
        let polls = try (0..<9).map { _ in
            let poll = try RawConnection(port: lab.storePort)
            poll.push(
                "GET /sandbox/device/v1/updates?after=0&wait=25 HTTP/1.1\r\nHost: a\r\n"
                    + "Authorization: Bearer \(device)\r\n\r\n")
            return poll
        }
        // The ninth of a device ends the oldest; the other eight wait.
        #expect(eventually { polls.count { $0.hasNews } == 1 })
        lab.store?.terminate()
        #expect(try lab.store?.wait() == 0)
        // Those that nobody had ended would be told to ask again.
        #expect(polls.allSatisfy { $0.status == "200" })
        #expect(!FileManager.default.fileExists(atPath: lab.storeData + "/server.json"))
    }

    @Test func `a body above the limit is refused and the store continues`() throws {
        let lab = try Lab.open()
        let big = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
        let url = lab.storeURL + "/sandbox/device/v1/register"
        #expect(try answer(url, big).status == 413)
        #expect(try answer(url, Array(big.dropLast())).status == 400)
        let receipt = [UInt8](repeating: UInt8(ascii: "x"), count: (16 << 20) + 1)
        let verify = lab.storeURL + "/sandbox/verifyReceipt"
        #expect(try answer(verify, receipt).status == 413)
        let read = try answer(verify, Array(receipt.dropLast()))
        #expect(String(decoding: read.body, as: UTF8.self) == #"{"status":21000}"#)
    }

    /// On a busy machine a large body may take longer than the store waits for it; then it is sent
    /// again.
    private func answer(_ url: String, _ body: [UInt8]) throws -> CallerResponse {
        for _ in 0..<20 {
            do {
                return try Lab.call("POST", url, body: body)
            } catch let error as CallerError where error.code == .connectionLost {
                continue
            }
        }
        return try Lab.call("POST", url, body: body)
    }

    @Test func `a log that nobody reads blocks nothing`() throws {
        let lab = try Lab()
        // A pipe that is never read: it holds 64 KiB and then no more.
        let pipe = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.folder + "/bodega")
        process.arguments = ["serve", "--data", lab.storeData, "--port", "0"]
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let file = lab.storeData + "/server.json"
        try #require(eventually { FileManager.default.fileExists(atPath: file) })
        let address = try JSONDecoder().decode(
            Address.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        for _ in 0..<1_000 {
            #expect(try Lab.call("GET", address.url + "/health").status == 200)
        }
        Glibc.kill(process.processIdentifier, SIGTERM)
        #expect(eventually { !process.isRunning })
        #expect(process.terminationStatus == 0)
    }

    private struct Address: Decodable {
        let url: String
    }
}
