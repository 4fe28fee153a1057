import Foundation
import Glibc

/// Names one run of a program on this machine, also after its number was given to another.
struct ProcessName: Codable, Hashable, Sendable {
    let processID: Int32
    /// When it began, in the kernel's ticks since the machine did.
    let startTicks: UInt64
    /// The machine's own run.
    let bootId: String

    /// This run; nil when the system does not tell.
    static let own = ProcessName(of: getpid())

    /// The run that has a number now; nil when there is none, or nothing is known of it.
    init?(of processID: Int32) {
        guard let ticks = Self.startTicks(of: processID), let bootId = Self.bootId else {
            return nil
        }
        self.processID = processID
        startTicks = ticks
        self.bootId = bootId
    }

    /// Whether it goes on. One of another machine, or one that cannot be seen from here, does not.
    var isAlive: Bool {
        bootId == Self.bootId && Self.startTicks(of: processID) == startTicks
    }

    private static let bootId = text(of: "/proc/sys/kernel/random/boot_id").map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func text(of path: String) -> String? {
        (try? DurableFile.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The 22nd field of `/proc/PID/stat`; the second, the program's name, may hold anything. A
    /// process that has ended and was not waited for has state Z.
    private static func startTicks(of processID: Int32) -> UInt64? {
        guard let text = text(of: "/proc/\(processID)/stat"),
            let nameEnd = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: nameEnd)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return UInt64(fields[19])
    }
}
