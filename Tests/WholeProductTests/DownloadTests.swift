import CrashPoints
import Foundation
import TestSupport
import Testing

/// Content with whole processes: a store that keeps it, an app that fetches it and is killed on
/// the way, a disk that is too small.
@Suite(.ownThreads) struct DownloadTests {
    /// Some files, of which one comes in several parts.
    static let files: [String: [UInt8]] = [
        "index.json": Array("{}".utf8),
        "maps/1.bin": (0..<24_000_000).map { (number: Int) -> UInt8 in
            UInt8(truncatingIfNeeded: number &* 31 &+ (number >> 9))
        },
        "maps/2.bin": [UInt8](repeating: 7, count: 100_000),
    ]

    /// A lab whose turbo brings content.
    static func open() throws -> Lab {
        let lab = try Lab.open()
        try upload(files, to: lab)
        return lab
    }

    static func upload(_ files: [String: [UInt8]], version: String = "1.0", to lab: Lab) throws {
        let folder = "\(lab.folder)/levels-\(version)"
        for (path, bytes) in files {
            let file = URL(fileURLWithPath: "\(folder)/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        try lab.bodega([
            "content", "upload", Lab.turbo, folder, "--content-version", version, "--bundle-id",
            Lab.bundleID,
        ])
    }

    static func start(
        _ lab: Lab, _ arguments: [String], device: String = "phone",
        environment: [String: String] = [:]
    ) throws -> Program {
        try Program(
            "DownloadProbe", arguments,
            environment: lab.appEnvironment(device: device).merging(environment) { $1 },
            through: lab.deviceDisks[device]?.prefix ?? [], logs: lab.folder + "/logs")
    }

    /// Runs the app to its end; what it said.
    @discardableResult
    static func run(
        _ lab: Lab, _ arguments: [String], device: String = "phone",
        environment: [String: String] = [:]
    ) throws -> String {
        let program = try start(lab, arguments, device: device, environment: environment)
        #expect(try program.wait() == 0, "\(program.output)\(program.errors)")
        return program.output + program.errors
    }

    /// How far a download was when the app said something of it first.
    static func progress(_ words: String, in output: String) -> Double? {
        output.split(separator: "\n").first { $0.hasPrefix(words + " ") }
            .flatMap { Double($0.dropFirst(words.count + 1)) }
    }

    static func expectContent(at path: String) throws {
        for (name, bytes) in files {
            let found = try #require(
                FileManager.default.contents(atPath: "\(path)/Contents/\(name)"), "\(name)")
            #expect(Array(found) == bytes, "\(name)")
        }
        #expect(FileManager.default.fileExists(atPath: path + "/ContentInfo.plist"))
    }

    private func caches(_ lab: Lab, _ device: String = "phone") -> [String] {
        let path = "\(lab.folder)/\(device)/Caches"
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Bytes of all files that have come below a folder of caches.
    private func arrivedBytes(below caches: String) -> Int {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: caches)) ?? []
        return names.reduce(0) { sum, name in
            var info = stat()
            let isFile = stat("\(caches)/\(name)", &info) == 0 && info.st_mode & S_IFMT == S_IFREG
            return sum + (isFile ? Int(info.st_size) : 0)
        }
    }

    @Test func `content is bought, downloaded, moved and finished`() throws {
        let lab = try Self.open()
        let target = lab.folder + "/mine"
        let output = try Self.run(lab, [Lab.turbo, "--finish", "--move=\(target)"])
        #expect(output.contains("found 0 0.0") && output.contains("download 3 1.0"))
        #expect(output.contains("removed 1"), "\(output)")
        try Self.expectContent(at: target)
        // The folder goes after the observer was told, so a later launch may have to sweep it.
        let isSwept = try eventually {
            try Self.run(lab, [Lab.fuel])
            return caches(lab).isEmpty
        }
        #expect(isSwept, "\(caches(lab))")
    }

    @Test func `another device of the account downloads what is unfinished`() throws {
        let lab = try Self.open()
        try Self.run(lab, [Lab.turbo])
        // Buying something signs it in, and the store's list brings the rest.
        let output = try Self.run(lab, [Lab.fuel], device: "tablet")
        #expect(output.contains("purchased"), "\(output)")
        let again = try Self.run(lab, [], device: "tablet")
        let path = try #require(
            again.split(separator: "\n").first { $0.hasPrefix("content ") }, "\(again)")
        try Self.expectContent(at: String(path.dropFirst("content ".count)))
    }

    @Test func `an app killed during a download resumes it`() throws {
        let lab = try Self.open()
        let target = lab.folder + "/mine"
        let first = try Self.start(lab, [Lab.turbo])
        #expect(eventually { first.output.contains("download 1 0.") }, "\(first.output)")
        first.kill()
        var last = ""
        // Each launch goes on by itself and is killed a little later.
        for milliseconds in [20, 60, 100, 150] where last.isEmpty {
            let program = try Self.start(lab, ["--move=\(target)", "--finish"])
            if eventually({ program.output.contains("found") || !program.isRunning }) {
                usleep(UInt32(milliseconds) * 1_000)
            }
            if program.output.contains("content") {
                try program.wait()
                last = program.output
            } else {
                program.kill()
            }
        }
        if last.isEmpty { last = try Self.run(lab, ["--move=\(target)", "--finish"]) }
        #expect(last.contains("removed 1"), "\(last)")
        try Self.expectContent(at: target)
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
    }

    @Test func `an app killed after the download has the content at the next launch`() throws {
        let lab = try Self.open()
        let point = CrashPoint.deviceDownloadComplete.rawValue
        let first = try Self.start(lab, [Lab.turbo], environment: ["BODEGA_CRASH_POINT": point])
        #expect(try first.wait() == 128 + SIGKILL, "\(first.output)")
        #expect(!first.output.contains("content"))
        let target = lab.folder + "/mine"
        try Self.run(lab, ["--move=\(target)", "--finish"])
        try Self.expectContent(at: target)
    }

    @Test func `a download waits for a store killed half-way`() throws {
        let lab = try Self.open()
        let program = try Self.start(lab, [Lab.turbo])
        #expect(eventually { program.output.contains("download 1") }, "\(program.output)")
        lab.store?.kill()
        try lab.startStore()
        #expect(try program.wait() == 0, "\(program.output)\(program.errors)")
        #expect(program.output.contains("download 3 1.0"), "\(program.output)\(program.errors)")
    }

    @Test func `a paused download is resumed by a later launch`() throws {
        let lab = try Self.open()
        let paused = try Self.run(lab, [Lab.turbo, "--pause"])
        let stopped = try #require(Self.progress("download 2", in: paused), "\(paused)")
        #expect(stopped > 0 && stopped < 1)
        let later = try Self.run(lab, [])
        let found = try #require(Self.progress("found 2", in: later), "\(later)")
        #expect(found >= stopped && found < 1 && later.contains("download 3 1.0"), "\(later)")
    }

    @Test(.enabled(if: SmallDisk.whyNot == nil, SmallDisk.comment))
    func `a full disk fails a download, keeps its bytes, and room lets it resume`() throws {
        let lab = try Self.open()
        let mount = lab.folder + "/disk"
        let disk = try SmallDisk(at: mount, kibibytes: 40_000, logs: lab.folder + "/logs")
        lab.deviceDisks["phone"] = disk
        let gate = try ContentGate(to: lab.storePort, parts: 2)
        let environment = ["STOREKIT_HOME": mount + "/phone"].merging(gate.environment) { $1 }
        // Too small from the first byte on.
        let filler = disk.outside + "/other"
        #expect(FileManager.default.createFile(atPath: filler, contents: Data(count: 30_000_000)))
        let refused = try Self.run(lab, [Lab.turbo], environment: environment)
        #expect(refused.contains("error There is no room left on the disk"), "\(refused)")
        #expect(refused.contains("download 4"))
        try FileManager.default.removeItem(atPath: filler)
        // It fills up on the way.
        let program = try Self.start(lab, [], environment: environment)
        let hasBegun = eventually {
            arrivedBytes(below: disk.outside + "/phone/Caches") > 1_000 || !program.isRunning
        }
        #expect(hasBegun && program.isRunning, "\(program.output)\(program.errors)")
        try disk.fill()
        gate.open()
        #expect(try program.wait() == 0, "\(program.output)\(program.errors)")
        let stopped = Self.progress("download 4", in: program.output) ?? 0
        #expect(stopped > 0 && stopped < 1, "\(program.output)")
        disk.free()
        let last = try Self.run(lab, [], environment: environment)
        #expect((Self.progress("found 0", in: last) ?? 0) > 0, "\(last)")
        #expect(last.contains("download 3 1.0"), "\(last)")
        let content = try #require(
            last.split(separator: "\n").first { $0.hasPrefix("content ") }, "\(last)")
        let path = content.dropFirst("content \(mount)".count)
        try Self.expectContent(at: disk.outside + path)
    }
}
