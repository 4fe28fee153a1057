import Foundation
import Testing

extension Lab {
    /// Starts the store and runs a program of `Tests/Verifiers` against it, with its address and data
    /// directory; gives its output.
    func verify(with script: String, _ options: [String] = []) throws -> String {
        try startStore()
        let python = try #require(Self.python)
        let program = try Program(
            python,
            ["\(Self.package)/Tests/Verifiers/\(script)", storeURL, storeData] + options,
            environment: ["PYTHONDONTWRITEBYTECODE": "1"], logs: folder + "/logs")
        #expect(try program.wait(secondsMax: 600) == 0, "\(program.output)\(program.errors)")
        return program.output
    }
}
