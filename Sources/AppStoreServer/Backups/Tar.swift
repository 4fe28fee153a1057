import Foundation
import Glibc

/// The archive of a backup, by Debian's tar.
enum Tar {
    /// Packs what is in a folder, and compares the archive with it. A name that ends in `.gz` or
    /// `.zst` has it compressed.
    static func pack(_ folder: String, into file: String) throws {
        // Restored by another user, they belong to that one.
        let usual = ["--format=posix", "--owner=0", "--group=0", "--numeric-owner"]
        try run(
            usual + ["--create", "--auto-compress", "--file", file, "--directory", folder, "."],
            failing: "notBackedUp", "the archive could not be written", about: file)
        try run(
            ["--compare", "--file", file, "--directory", folder], failing: "notBackedUp",
            "the archive, read back, is not what was written", about: file,
            ignoring: ["Uid differs", "Gid differs"])
    }

    /// Unpacks an archive into an empty folder.
    static func unpack(_ file: String, into folder: String) throws {
        try run(
            [
                "--extract", "--file", file, "--directory", folder, "--no-same-owner",
            ], failing: "backupDamaged", "\(file) is damaged, or no backup", about: folder)
    }

    /// Throws with what tar says, unless it only says what is ignored.
    private static func run(
        _ arguments: [String], failing code: String, _ sentence: String, about file: String,
        ignoring: [String] = []
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // A colon in a name does not stand after a host's.
        process.arguments = ["tar", "--force-local"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        let said = Pipe()
        process.standardOutput = said
        process.standardError = said
        do { try process.run() } catch { throw BackupFailure(code, "cannot run tar: \(error)") }
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let faults = text.split(separator: "\n").filter { line in
            !ignoring.contains { line.hasSuffix($0) }
        }
        if process.terminationStatus == 0 { return }
        if process.terminationStatus == 127 {
            throw BackupFailure(code, "tar is missing: install it, with apt-get install tar")
        }
        // Exit code 1 means differences; without any other than ignored ones all is well.
        if process.terminationStatus == 1, faults.isEmpty, !ignoring.isEmpty { return }
        let isFull = ["No space left", "Wrote only"].contains { text.contains($0) }
        guard !isFull else { throw BackupFailure.diskFull(file) }
        throw BackupFailure(
            code, "\(sentence): " + faults.prefix(3).joined(separator: "; "))
    }
}
