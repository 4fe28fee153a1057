import Foundation
import StoreWire
import Testing

/// A backend whose disk is full says so, acknowledges nothing, and goes on once there is room.
struct BackendDiskTests {
    @Test(.enabled(if: BackendDisk.canMount, "this machine lets nobody mount a file system"))
    func `a full disk is 503, and room is enough to go on`() throws {
        try check { lab in try BackendDisk(lab, kind: .fileSystem) }
    }

    @Test func `files that may not grow are 503, and room is enough to go on`() throws {
        try check { lab in try BackendDisk(lab, kind: .fileSizeLimit) }
    }

    private func check(_ make: (Lab) throws -> BackendDisk) throws {
        let lab = try Lab.open()
        let disk = try make(lab)
        defer { disk.backend.kill() }
        let credentials = #"{"name":"filler","password":"steering-wheel-1"}"#
        let signedUp = try Lab.call(
            "POST", lab.backendURL + "/v1/users", body: Array(credentials.utf8))
        let token = try WireJSON.decode(BackendSessionBody.self, from: signedUp.body).token
        var output = try lab.app(["buy", Lab.fuel])

        try disk.fill()
        let refused = try Lab.call(
            "POST", lab.backendURL + "/v1/receipts", token: token, body: try submission())
        #expect(refused.status == 503, "\(String(decoding: refused.body, as: UTF8.self))")
        let error = try WireJSON.decode(RetryLaterBody.self, from: refused.body)
        #expect(error.error.code == "storageFailed")
        #expect(refused.headers["retry-after"] == "30")
        for path in ["/health", "/ready", "/v1/products"] {
            #expect(try Lab.call("GET", lab.backendURL + path).status == 200, "\(path)")
        }
        let buying = try lab.app(["buy", Lab.turbo], code: nil)
        #expect(buying.contains("purchased \(Lab.turbo)"))
        // A small one may still find room in the log, whose pages are used again.
        let isDelivered = buying.contains("delivered \(Lab.turbo)")
        output += buying
        #expect(try disk.submissions(of: "filler", lab) == [])
        #expect(
            Set(try disk.submissions(of: "driver", lab).map(\.productId))
                == (isDelivered ? [Lab.fuel, Lab.turbo] : [Lab.fuel]))

        try disk.makeRoom()
        let known = try Lab.call(
            "POST", lab.backendURL + "/v1/receipts", token: token, body: try submission())
        #expect(known.status == 422, "the store was asked, and it is no receipt")
        output += try lab.settle()
        #expect(output.contains("delivered \(Lab.turbo)"))
        let granted = try disk.submissions(of: "driver", lab)
            .filter { $0.state == .granted }.map(\.transactionId)
        #expect(Set(granted) == Audit.seen(in: output))
        #expect(granted.count == 2)
        #expect(disk.backend.isRunning, "it was never started again")
    }

    /// A receipt that is none, longer than what is left of any page.
    private func submission() throws -> [UInt8] {
        try WireJSON.encode(
            ReceiptSubmissionBody(
                receiptData: String(repeating: "A", count: 200_000), productId: Lab.fuel,
                transactionId: "1", appVersion: "1.0"))
    }
}

/// The lab's backend started again where its disk can be filled.
private final class BackendDisk {
    enum Kind {
        /// A file system of 4 MB in a mount name space of the backend's own.
        case fileSystem
        /// What `ulimit -f` sets, moved while the backend runs.
        case fileSizeLimit
    }

    let backend: Program
    private let kind: Kind
    private let path: String

    init(_ lab: Lab, kind: Kind) throws {
        self.kind = kind
        path = lab.folder + "/disk"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        lab.backend?.kill()
        let arguments = [
            "backend", "--data", path, "--port", "\(lab.backendPort)", "--products",
            Lab.package + "/Examples/RocketCar/Backend/products.json", "--production-url",
            lab.storeURL + "/production", "--sandbox-url", lab.storeURL + "/sandbox",
            "--allow-sandbox",
        ]
        switch kind {
        case .fileSystem:
            let mount = "mount -t tmpfs -o size=4m tmpfs '\(path)' && exec \"$0\" \"$@\""
            backend = try Program(
                "/usr/bin/unshare",
                Self.unsharing + ["sh", "-c", mount, Program.folder + "/bodega"] + arguments,
                logs: lab.folder + "/logs")
        case .fileSizeLimit:
            backend = try Program("bodega", arguments, logs: lab.folder + "/logs")
        }
        let program = backend
        let isUp = eventually { program.output.contains("listens on") || !program.isRunning }
        try #require(isUp && program.isRunning, "\(program.errors)")
    }

    /// As root a name space of mounts, else one of users, too.
    private static let unsharing = getuid() == 0 ? ["--mount"] : ["--mount", "--map-root-user"]

    static let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = unsharing + ["mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// The folder as the backend sees it.
    private var seen: String {
        switch kind {
        case .fileSystem: "/proc/\(backend.processID)/root\(path)"
        case .fileSizeLimit: path
        }
    }

    func fill() throws {
        switch kind {
        case .fileSystem:
            let filler = fopen(seen + "/filler", "w")
            try #require(filler != nil)
            let block = [UInt8](repeating: 1, count: 4_096)
            setbuf(filler, nil)
            while fwrite(block, 1, block.count, filler) == block.count {}
            fclose(filler)
        case .fileSizeLimit: try limit("0")
        }
    }

    func makeRoom() throws {
        switch kind {
        case .fileSystem: try FileManager.default.removeItem(atPath: seen + "/filler")
        case .fileSizeLimit: try limit("unlimited")
        }
    }

    private func limit(_ size: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        process.arguments = ["--pid", "\(backend.processID)", "--fsize=\(size):"]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Asked as the operator: SQLite would not find the file from outside the name space.
    func submissions(of user: String, _ lab: Lab) throws -> [OperatorSubmissionBody] {
        let token = try String(contentsOfFile: seen + "/operator-token", encoding: .utf8)
        let answer = try Lab.call(
            "GET", lab.backendURL + "/operator/v1/submissions?user=\(user)",
            token: token.trimmingCharacters(in: .whitespacesAndNewlines))
        return try WireJSON.decode(OperatorSubmissionsBody.self, from: answer.body).submissions
    }
}
