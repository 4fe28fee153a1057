import Foundation
import TestSupport
import Testing

/// `bodega world export`, and the schema of what it writes.
@Suite(.ownThreads) struct WorldExportTests {
    private static let check = """
        import json, sys
        from jsonschema import Draft202012Validator as Validator
        schema = json.load(open(sys.argv[1]))
        Validator.check_schema(schema)
        for error in Validator(schema).iter_errors(json.load(open(sys.argv[2]))):
            print(error.json_path, error.message)
        """

    /// What a validator that knows nothing of the store finds in a seed.
    private func findings(in seed: String, _ lab: Lab) throws -> String {
        let python = try #require(ProcessInfo.processInfo.environment["BODEGA_PYTHON"])
        let program = try Program(
            python, ["-c", Self.check, Lab.package + "/docs/seed.schema.json", seed],
            logs: lab.folder + "/logs")
        #expect(try program.wait() == 0, "\(program.errors)")
        return program.output
    }

    @Test func `an exported world is a valid seed of a world that is exported alike`() throws {
        let lab = try Lab.open(withBackend: false)
        let (first, second) = (lab.folder + "/first.json", lab.folder + "/second.json")
        try lab.bodega(["clock", "hold"])
        try lab.bodega(["buy", Lab.turbo, "--account", "buyer@example.com", "--finish"])
        try lab.bodega([
            "subscription", "new", "--state", "expired", "--account", "late@example.com",
        ])
        try lab.bodega(["product", "price", Lab.fuel, "0.79", "--storefront", "DEU"])
        let password = ["--password", "rocket-fuel-1"]
        try lab.bodega(["world", "export", first] + password)
        #expect(try findings(in: first, lab).isEmpty)
        try lab.bodega(["world", "seed", first, "again"])
        try lab.bodega(
            ["world", "export", second] + password, environment: ["BODEGA_WORLD": "again"])
        let text = try String(contentsOfFile: first, encoding: .utf8)
        #expect(try String(contentsOfFile: second, encoding: .utf8) == text)
        for part in ["late@example.com", "\"expired\"", "\"0.79\"", Lab.turbo] {
            #expect(text.contains(part), "\(part)")
        }
        let printed = try lab.bodega(["world", "export", "--world", "again"])
        #expect(!printed.contains("password"))
    }

    @Test(arguments: [
        (#"{"$schema":"seed.schema.json"}"#, ""),
        (#"{"apps":[{"bundleId":"a.b","catalogue":"P.storekit"}]}"#, ""),
        (#"{"accounts":[{"name":"a","pasword":"12345678"}]}"#, "$.accounts[0]"),
        (#"{"accounts":[{"password":"12345678"}]}"#, "$.accounts[0]"),
        (#"{"subscriptions":[{"account":"a","state":"late"}]}"#, "$.subscriptions[0].state"),
        (#"{"clock":{"mode":"fast"}}"#, "$.clock"), (#"{"acounts":[]}"#, "$ Additional"),
    ])
    func `the schema accepts and refuses what the store does`(seed: String, place: String) throws {
        let lab = try Lab()
        let path = lab.folder + "/seed.json"
        try seed.write(toFile: path, atomically: true, encoding: .utf8)
        let found = try findings(in: path, lab)
        #expect(place.isEmpty ? found.isEmpty : found.contains(place), "\(found)")
    }
}
