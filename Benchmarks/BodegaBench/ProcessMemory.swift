import Foundation

/// This process's memory, as the system counts it.
struct ProcessMemory {
    let residentMegabytes: Double
    let peakMegabytes: Double

    static func now() throws -> ProcessMemory { try of("self") }

    /// Of the only program that this process has started.
    static func ofChild() throws -> ProcessMemory {
        let parent = "PPid:\t\(getpid())\n"
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        let child = processes.first { name in
            (try? String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8))?
                .contains(parent) == true
        }
        guard let child else { throw Failure("this process has started no program") }
        return try of(child)
    }

    private static func of(_ process: String) throws -> ProcessMemory {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        func megabytes(_ name: String) throws -> Double {
            guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
                let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
                    .dropFirst().first.flatMap({ Double($0) })
            else { throw Failure("/proc/\(process)/status has no \(name)") }
            return kibibytes / 1_024
        }
        return ProcessMemory(
            residentMegabytes: try megabytes("VmRSS:"), peakMegabytes: try megabytes("VmHWM:"))
    }
}
