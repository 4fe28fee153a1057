import Foundation
import Testing

/// What `ulimit -f` sets, moved while a program runs.
struct FileSizeLimit {
    let program: Program

    /// Nothing may be written any more, not even over what is there.
    func close() throws { try set("0") }

    func lift() throws { try set("unlimited") }

    private func set(_ size: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        process.arguments = ["--pid", "\(program.processID)", "--fsize=\(size):"]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
