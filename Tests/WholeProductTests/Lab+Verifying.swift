import Foundation
import Testing

extension Lab {
    /// Starts the store and runs a program of `Tests/Verifiers` against it, with its address, control
    /// token and keys; gives its output.
    func verify(with script: String, _ options: [String] = []) throws -> String {
        try startStore()
        let python = try #require(Self.python)
        let token = try String(contentsOfFile: storeData + "/control-token", encoding: .utf8)
        let program = try Program(
            python,
            [
                "\(Self.package)/Tests/Verifiers/\(script)", storeURL,
                token.trimmingCharacters(in: .whitespacesAndNewlines), storeData + "/keys",
            ] + options,
            environment: ["PYTHONDONTWRITEBYTECODE": "1"], logs: folder + "/logs")
        #expect(try program.wait(secondsMax: 600) == 0, "\(program.output)\(program.errors)")
        return program.output
    }
}
