import Foundation
import Testing

/// The judge of files in `Tests/Auditor`, which shares no line with the product.
enum Auditor {
    /// What it finds wrong with a lab's folder; empty when all is well, and then it says what it
    /// looked at.
    static func findings(
        in folder: String, settled: Bool, withBackend: Bool = true, logs: String
    ) throws -> [String] {
        let program = try Program(
            "/usr/bin/python3",
            [
                Lab.package + "/Tests/Auditor/audit.py", folder, "--catalogue",
                Lab.package + "/Examples/RocketCar/RocketCar.storekit",
            ] + (settled ? [] : ["--unsettled"]) + (withBackend ? [] : ["--no-backend"]), logs: logs
        )
        return try findings(of: program)
    }

    /// What a judge of these prints: nothing but findings, or what it looked at.
    static func findings(
        of program: Program, secondsMax: Double = Program.secondsMax
    ) throws -> [String] {
        let code = try program.wait(secondsMax: secondsMax)
        let lines = program.output.split(separator: "\n").map(String.init)
        switch code {
        case 0:
            FileHandle.standardError.write(Data(("auditor: " + program.output).utf8))
            return []
        case 1 where !lines.isEmpty: return lines
        default: return ["cannot-audit: \(program.output)\(program.errors)"]
        }
    }
}
