import Foundation
import TestSupport
import Testing

/// Programs that others wrote read the documents and ask for everything that stands in them.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct DocumentWalkTests {
    /// Requests of each operation that chance makes; `scripts/test --walk` asks for more.
    private static let examples = ProcessInfo.processInfo.environment["BODEGA_WALK_EXAMPLES"]
    /// Of what chance makes; always the same in the ordinary tests.
    private static let seed = ProcessInfo.processInfo.environment["BODEGA_SEED"] ?? "1"

    private func token(_ file: String, in folder: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func walk(_ what: String, _ arguments: [String], in lab: Lab) throws {
        let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
        let token = try token("control-token", in: lab.storeData)
        let program = try Program(
            python,
            [
                "\(Lab.package)/Tests/Verifiers/walk.py", what, lab.storeURL, token,
                "--examples", Self.examples ?? "10", "--seed", Self.seed,
            ] + arguments,
            environment: ["PYTHONDONTWRITEBYTECODE": "1"], logs: lab.folder + "/logs")
        let code = try program.wait(secondsMax: Self.examples == nil ? 1_800 : 7_200)
        #expect(code == 0, "seed \(Self.seed): \(program.output)\(program.errors)")
    }

    @Test func `the store's answers all conform to its OpenAPI document`() throws {
        let lab = try Lab()
        try lab.startStore()
        try walk("store", [], in: lab)
        #expect(lab.store?.isRunning == true)
    }

    @Test func `the backend's answers all conform to its OpenAPI document`() throws {
        let lab = try Lab()
        try lab.startStore()
        try lab.startBackend()
        let token = try token("operator-token", in: lab.backendData)
        try walk(
            "backend", ["--backend-url", lab.backendURL, "--operator-token", token], in: lab)
        #expect(lab.backend?.isRunning == true)
    }

    @Test func `both OpenAPI documents are valid and the pinned bodies conform to them`() throws {
        let lab = try Lab()
        try lab.startStore()
        try lab.startBackend()
        let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
        let program = try Program(
            python,
            ["\(Lab.package)/Tests/Verifiers/check_documents.py", lab.storeURL, lab.backendURL],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"], logs: lab.folder + "/logs")
        #expect(try program.wait() == 0, "\(program.output)\(program.errors)")
        #expect(program.output.contains("bodies"))
    }
}
