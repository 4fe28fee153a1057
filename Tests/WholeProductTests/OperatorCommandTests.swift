import Foundation
import StoreWire
import TestSupport
import Testing

/// `bodega backend lookup`, `retry` and `recheck` against a backend that runs.
@Suite(.ownThreads) struct OperatorCommandTests {
    private func run(
        _ lab: Lab, _ arguments: [String], code: Int32 = 0
    ) throws -> String {
        let program = try Program(
            "bodega", ["backend"] + arguments,
            environment: ["BODEGA_BACKEND_DATA": lab.backendData], logs: lab.folder + "/logs")
        let ended = try program.wait()
        #expect(ended == code, "\(arguments): \(program.output)\(program.errors)")
        return program.output + program.errors
    }

    private func submissions(
        _ lab: Lab, _ arguments: String...
    ) throws -> [OperatorSubmissionBody] {
        let text = try run(lab, ["lookup"] + arguments + ["--json"])
        return try WireJSON.decode(OperatorSubmissionsBody.self, from: Array(text.utf8)).submissions
    }

    @Test func `the doctor examines a running, a stopped and a broken backend`() throws {
        let lab = try Lab.open()
        let running = try run(lab, ["doctor"])
        #expect(running.contains("this backend answers at"), "\(running)")
        #expect(running.contains("This installation is sound."), "\(running)")
        lab.backend?.kill()
        let port = ["--port", "\(lab.backendPort)"]
        #expect(try run(lab, ["doctor"] + port).contains("is free"))
        let data = lab.backendData
        let files = FileManager.default
        try files.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: data + "/backend.sqlite")
        let open = try run(lab, ["doctor"] + port)
        #expect(open.contains("warning  database"), "\(open)")
        try files.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: data + "/operator-token")
        let token = try run(lab, ["doctor"] + port, code: 1)
        #expect(token.contains("chmod 600 \(data)/operator-token"), "\(token)")
        try Data("no database".utf8).write(to: URL(fileURLWithPath: data + "/backend.sqlite"))
        let broken = try run(lab, ["doctor", "--json"] + port, code: 1)
        #expect(broken.contains(#""isSound":false"#))
        for (path, said) in [
            ("/none", "/none does not exist"), ("/logs", "does not hold a backend"),
        ] {
            let text = try run(lab, ["doctor", "--data", lab.folder + path] + port, code: 1)
            #expect(text.contains(said), "\(text)")
        }
        #expect(!files.fileExists(atPath: lab.folder + "/none"))
    }

    @Test func `a purchase is found by user, transaction, receipt file and state`() throws {
        let lab = try Lab.open()
        let output = try lab.app(["buy", Lab.turbo])
        let transaction = try #require(Audit.seen(in: output).first)
        let found = try submissions(lab, "user", "driver")
        #expect(found.map(\.transactionId) == [transaction])
        #expect(found.map(\.state) == [.granted])
        #expect(found.first?.grant?.productId == Lab.turbo)
        #expect(try submissions(lab, "transaction", transaction) == found)
        #expect(try submissions(lab, "state", "granted") == found)
        #expect(try submissions(lab, "state", "refused") == [])
        // The receipt's file as it stands on the device, and in base64 as the app sends it.
        #expect(try submissions(lab, "receipt", lab.receiptPath()) == found)
        let receipt = try Data(contentsOf: URL(fileURLWithPath: lab.receiptPath()))
        let text = lab.folder + "/receipt.txt"
        try receipt.base64EncodedData(options: .lineLength64Characters)
            .write(to: URL(fileURLWithPath: text))
        #expect(try submissions(lab, "receipt", text) == found)
        let digest = try #require(found.first?.receipt.sha256)
        #expect(try submissions(lab, "receipt", digest) == found)

        let table = try run(lab, ["lookup", "user", "driver"])
        #expect(table.hasPrefix("SUBMISSION"))
        #expect(table.contains(transaction))
        let id = try #require(found.first?.submissionId)
        let page = try run(lab, ["lookup", "submission", id])
        for word in ["driver", transaction, "granted", "received", "Sandbox", digest] {
            #expect(page.contains(word), "\(word) in \(page)")
        }
        #expect(try run(lab, ["recheck", id]).hasPrefix("outcome  stands"))
        #expect(try run(lab, ["retry", id], code: 1).contains("nothing to retry"))
        #expect(try run(lab, ["lookup", "user", "nobody"], code: 1).contains("no user"))
        #expect(try run(lab, ["lookup", "receipt", "/nowhere"], code: 1).contains("/nowhere"))
        #expect(try run(lab, ["lookup", "user", "a", "--limit", "0"], code: 2).contains("limit"))
        #expect(try run(lab, ["lookup", "colour", "red"], code: 2).contains("colour"))
        #expect(try run(lab, ["lookup"], code: 2).contains("user, transaction, receipt"))
        #expect(try run(lab, ["sell"], code: 2).contains("lookup"))
    }

    @Test func `the operator token is a private file, and replaced after it is deleted`()
        throws
    {
        let lab = try Lab.open()
        let path = lab.backendData + "/operator-token"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        let first = try String(contentsOfFile: path, encoding: .utf8)
        let token = first.trimmingCharacters(in: .whitespacesAndNewlines)
        let address = lab.backendURL + "/operator/v1/submissions?state=kept"
        #expect(try Lab.call("GET", address, token: token).status == 200)
        let said = (lab.backend?.output ?? "") + (lab.backend?.errors ?? "")
        #expect(!said.contains(token))

        lab.backend?.terminate()
        try lab.backend?.wait()
        try lab.startBackend()
        #expect(try Lab.call("GET", address, token: token).status == 200, "the same after a start")

        lab.backend?.terminate()
        try lab.backend?.wait()
        try FileManager.default.removeItem(atPath: path)
        try lab.startBackend()
        #expect(try Lab.call("GET", address, token: token).status == 401)
        #expect(try String(contentsOfFile: path, encoding: .utf8) != first)
        #expect(try run(lab, ["lookup", "state", "kept"]).hasPrefix("SUBMISSION"))
    }

    @Test func `a command without a token or a backend says what to do`() throws {
        let lab = try Lab()
        #expect(try run(lab, ["lookup", "user", "a"], code: 1).contains("BODEGA_OPERATOR_TOKEN"))
        try FileManager.default.createDirectory(
            atPath: lab.backendData, withIntermediateDirectories: true)
        try Data("an-operator-token-of-more-than-32-bytes".utf8).write(
            to: URL(fileURLWithPath: lab.backendData + "/operator-token"))
        let text = try run(lab, ["lookup", "user", "a", "--url", "http://127.0.0.1:9"], code: 1)
        #expect(text.contains("bodega backend"))
    }

    /// A data directory with a token that a server left; what a command says of it.
    private func expectNoServer(
        _ process: Int32?, _ sentence: String, in lab: Lab
    ) throws {
        let files = [
            (lab.backendData, "operator-token", "backend lookup user a", "bodega backend"),
            (lab.storeData, "control-token", "world list", "bodega serve"),
        ]
        for (folder, token, command, start) in files {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data("a-token-of-more-than-32-bytes-0123456789".utf8).write(
                to: URL(fileURLWithPath: folder + "/" + token))
            if let process {
                try Data("\(process)\n".utf8).write(to: URL(fileURLWithPath: folder + "/lock"))
                try Data(
                    WireJSON.encode(
                        ServerFileBody(url: "http://127.0.0.1:9", processId: process))
                ).write(to: URL(fileURLWithPath: folder + "/server.json"))
            }
            let program = try Program(
                "bodega", command.split(separator: " ").map(String.init) + ["--data", folder],
                logs: lab.folder + "/logs")
            #expect(try program.wait() == 1)
            #expect(program.errors.contains(sentence), "\(program.errors)")
            #expect(program.errors.contains(start), "\(program.errors)")
        }
    }

    @Test func `no token is sent to an address whose server is gone`() throws {
        let lab = try Lab()
        let gone = try Program("/bin/true", [], logs: lab.folder + "/logs")
        #expect(try gone.wait() == 0)
        try expectNoServer(gone.processID, "process \(gone.processID)", in: lab)
    }

    @Test func `no token is sent to an address whose server's process id was reused`() throws {
        let lab = try Lab()
        try expectNoServer(getpid(), "process \(getpid())", in: lab)
    }

    @Test func `no token is sent to the usual address while no server has claimed it`() throws {
        let lab = try Lab()
        try expectNoServer(nil, "no server has written its address", in: lab)
    }
}
