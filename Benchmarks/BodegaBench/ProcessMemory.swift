import Foundation

/// This process's memory, as the system counts it.
struct ProcessMemory {
    let residentMegabytes: Double
    let peakMegabytes: Double

    static func now() throws -> ProcessMemory {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func megabytes(_ name: String) throws -> Double {
            guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
                let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
                    .dropFirst().first.flatMap({ Double($0) })
            else { throw Failure("/proc/self/status has no \(name)") }
            return kibibytes / 1_024
        }
        return ProcessMemory(
            residentMegabytes: try megabytes("VmRSS:"), peakMegabytes: try megabytes("VmHWM:"))
    }
}
