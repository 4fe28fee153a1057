import Foundation
import Glibc

/// Identifies one run of a program on this machine, even after its process number is reused.
struct ProcessName: Codable, Hashable, Sendable {
    let processID: Int32
    /// The start time, in the kernel's ticks since boot.
    let startTicks: UInt64
    /// The machine's boot id.
    let bootId: String

    /// This run; nil when the system does not say.
    static let own = ProcessName(of: getpid())

    /// The run with a process number; nil when there is none, or nothing is known about it.
    init?(of processID: Int32) {
        guard let ticks = Self.startTicks(of: processID), let bootId = Self.bootId else {
            return nil
        }
        self.processID = processID
        startTicks = ticks
        self.bootId = bootId
    }

    /// Whether it still runs. A process of another machine, or one invisible from here, counts as
    /// ended.
    var isAlive: Bool {
        bootId == Self.bootId && Self.startTicks(of: processID) == startTicks
    }

    private static let bootId = text(of: "/proc/sys/kernel/random/boot_id").map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func text(of path: String) -> String? {
        (try? DurableFile.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Field 22 of `/proc/PID/stat`; field 2, the program's name, may hold anything. A process that
    /// has ended but was not waited for has state Z.
    private static func startTicks(of processID: Int32) -> UInt64? {
        guard let text = text(of: "/proc/\(processID)/stat"),
            let nameEnd = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: nameEnd)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return UInt64(fields[19])
    }
}
