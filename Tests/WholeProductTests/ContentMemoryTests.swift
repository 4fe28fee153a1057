import Foundation
import TestSupport
import Testing

/// Content comes to a device with memory that does not grow with it, at the device and at the
/// store.
///
/// `BODEGA_CONTENT_MEBIBYTES` sets another size; the store takes up to 2048.
@Suite(.serialized, .ownThreads) struct ContentMemoryTests {
    private static let mebibytesUsual = 128
    /// What a large package may take more than a small one: some parts of 4 MiB.
    private static let growthKibibytesMax = 40 << 10
    private static let secondsMax = 600.0

    /// How long a package took, and the most memory that the device had for it.
    private struct Move {
        let upSeconds: Double
        let downSeconds: Double
        let kibibytes: Int
    }

    @Test func `a large content package is transferred in constant memory`() throws {
        let wanted = ProcessInfo.processInfo.environment["BODEGA_CONTENT_MEBIBYTES"]
        let mebibytes = wanted.flatMap { Int($0) } ?? Self.mebibytesUsual
        let lab = try Lab.open(withBackend: false)
        let store = try #require(lab.store)
        let small = try move(1, lab, version: "1.0", device: "phone")
        let storeBefore = try Self.peakKibibytes(of: store)
        let large = try move(mebibytes << 20, lab, version: "2.0", device: "tablet")
        let storeAfter = try Self.peakKibibytes(of: store)
        let line =
            "content of \(mebibytes) MiB: "
            + String(format: "up in %.1f s, down in %.1f s; ", large.upSeconds, large.downSeconds)
            + "device \(large.kibibytes) KiB at most, \(small.kibibytes) for one byte; "
            + "store \(storeAfter) KiB at most, \(storeBefore) before\n"
        FileHandle.standardError.write(Data(line.utf8))
        #expect(large.kibibytes - small.kibibytes < Self.growthKibibytesMax, "\(line)")
        #expect(storeAfter - storeBefore < Self.growthKibibytesMax, "\(line)")
    }

    /// Uploads a file of so many bytes, has a new device buy and fetch it, and removes all of it.
    private func move(
        _ bytes: Int, _ lab: Lab, version: String, device: String
    ) throws -> Move {
        let (folder, target) = ("\(lab.folder)/package", "\(lab.folder)/moved")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Self.write(bytes, to: folder + "/world.bin")
        let begin = Date()
        try run(
            "bodega",
            [
                "content", "upload", Lab.turbo, folder, "--content-version", version,
                "--bundle-id", Lab.bundleID,
            ], ["BODEGA_DATA": lab.storeData], lab)
        let uploaded = Date()
        let output = try run(
            "DownloadProbe", [Lab.turbo, "--finish", "--move=\(target)"],
            lab.appEnvironment(device: device), lab)
        let ended = Date()
        let memory = try #require(output.firstMatch(of: /memory ([0-9]+)/).flatMap { Int($0.1) })
        try #require(output.contains("download 3 1.0"), "\(output)")
        #expect(
            FileManager.default.contentsEqual(
                atPath: folder + "/world.bin", andPath: target + "/Contents/world.bin"))
        for place in [folder, target] { try FileManager.default.removeItem(atPath: place) }
        return Move(
            upSeconds: uploaded.timeIntervalSince(begin),
            downSeconds: ended.timeIntervalSince(uploaded), kibibytes: memory)
    }

    @discardableResult
    private func run(
        _ name: String, _ arguments: [String], _ environment: [String: String], _ lab: Lab
    ) throws -> String {
        let program = try Program(
            name, arguments, environment: environment, logs: lab.folder + "/logs")
        let code = try program.wait(secondsMax: Self.secondsMax)
        try #require(code == 0, "\(program.output)\(program.errors)")
        return program.output
    }

    /// Bytes of which no two mebibytes are the same.
    private static func write(_ count: Int, to path: String) throws {
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: path))
        var block = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 9)) })
        var rest = count
        while rest > 0 {
            withUnsafeBytes(of: rest) { block.replaceSubrange(0..<$0.count, with: $0) }
            try file.write(contentsOf: block.prefix(rest))
            rest -= min(rest, block.count)
        }
        try file.close()
    }

    /// The most memory that a program had resident at a time.
    private static func peakKibibytes(of program: Program) throws -> Int {
        let status = try String(
            contentsOfFile: "/proc/\(program.processID)/status", encoding: .utf8)
        let line = try #require(status.firstMatch(of: /VmHWM:[ \t]+([0-9]+) kB/))
        return try #require(Int(line.1))
    }
}
