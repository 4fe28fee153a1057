import Foundation
import TestSupport
import Testing

/// What the kernel sees: nothing is answered or posted before it is on the disk.
@Suite(.ownThreads) struct SyncTraceTests {
    private static let calls =
        "trace=fsync,fdatasync,rename,renameat,renameat2,sendto,sendmsg,write,writev,recvfrom,read"

    private func traced(_ program: String, _ arguments: [String], to trace: String) -> [String] {
        ["-f", "-y", "-s", "40000", "-e", Self.calls, "-o", trace, Program.folder + "/" + program]
            + arguments
    }

    @Test func `the store syncs its log before each answer`() throws {
        let lab = try Lab.open()
        lab.store?.terminate()
        try lab.store?.wait()
        let trace = lab.folder + "/store.trace"
        let store = try Program(
            "/usr/bin/strace",
            traced(
                "bodega", ["serve", "--data", lab.storeData, "--port", "\(lab.storePort)"],
                to: trace), logs: lab.folder + "/logs")
        #expect(eventually { store.output.contains("listens on") })
        for _ in 0..<3 { try lab.app(["buy", Lab.fuel]) }
        store.terminate()
        Glibc.kill(try child(of: store), SIGTERM)
        try store.wait()
        var isSynced = false
        var answers = 0
        // Threads in the middle of syncing the log: their call ends in a line of its own.
        var syncing: Set<Substring> = []
        for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
            if line.contains("POST /sandbox/device/v1/attempts")
                || line.contains("/finish HTTP/1.1")
            {
                isSynced = false
            }
            let thread = line.prefix { $0 != " " }
            if line.contains("fdatasync(") && line.contains("sqlite-wal") {
                if line.contains("<unfinished") { syncing.insert(thread) } else { isSynced = true }
            }
            if line.contains("fdatasync resumed"), syncing.remove(thread) != nil {
                isSynced = true
            }
            let isAnswer =
                line.contains("HTTP/1.1 200")
                && (line.contains(#"\"state\":\"done\""#)
                    || line.contains(#"{\"receiptRevision\""#))
            if isAnswer {
                answers += 1
                #expect(isSynced, "answered before the log was synced: \(line)")
            }
        }
        #expect(answers == 6, "three purchases and three finishes")
    }

    @Test func `the device syncs its journal's file and folder before each post`() throws {
        let lab = try Lab.open()
        try lab.app(["buy", Lab.turbo])
        let trace = lab.folder + "/app.trace"
        let app = try Program(
            "/usr/bin/strace", traced("RocketCar", ["buy", Lab.fuel], to: trace),
            environment: lab.appEnvironment(), logs: lab.folder + "/logs")
        #expect(try app.wait() == 0, "\(app.output)\(app.errors)")
        var syncs: [String] = []
        var posts = 0
        for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
            if line.contains("fsync(") && line.contains("/journal/") { syncs.append("file") }
            if line.contains("rename") && line.contains("/journal/") { syncs.append("rename") }
            if line.contains("fsync(") && line.contains("/journal>") { syncs.append("folder") }
            let isPost =
                line.contains("POST /sandbox/device/v1/attempts")
                || line.contains("POST /sandbox/device/v1/transactions/")
            if isPost {
                posts += 1
                #expect(syncs.suffix(3) == ["file", "rename", "folder"], "\(syncs) before \(line)")
                syncs = []
            }
        }
        #expect(posts == 2, "one attempt and one finish")
    }

    /// The process that strace runs.
    private func child(of program: Program) throws -> Int32 {
        let path = "/proc/\(program.processID)/task/\(program.processID)/children"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try #require(text.split(separator: " ").first.flatMap { Int32($0) })
    }
}
