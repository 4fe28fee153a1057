import Foundation
import TestSupport
import Testing

/// Apple's App Store Server Library, unmodified, asks a running store everything that it can.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct ServerAPILibraryTests {
    @Test func `Apple's library gets what happened, and each error, from a running store`() throws {
        let lab = try Lab()
        try lab.startStore()
        let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
        let token = try String(
            contentsOfFile: lab.storeData + "/control-token", encoding: .utf8)
        let program = try Program(
            python,
            [
                "\(Lab.package)/Tests/Verifiers/server_api.py", lab.storeURL,
                token.trimmingCharacters(in: .whitespacesAndNewlines), lab.storeData + "/keys",
            ],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"], logs: lab.folder + "/logs")
        #expect(try program.wait(secondsMax: 600) == 0, "\(program.output)\(program.errors)")
        #expect(program.output.contains("their token gives 4040005"))
    }
}
