import Foundation
import TestSupport
import Testing

/// Apple's App Store Server Library, unmodified, asks a running store everything that it can.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BODEGA_PYTHON"] != nil), .ownThreads)
struct ServerAPILibraryTests {
    @Test(arguments: [false, true])
    func `Apple's library gets what happened, and each error, also by Apple's host names`(
        byName: Bool
    ) throws {
        let output = try Lab().verify(with: "server_api.py", byName: byName)
        #expect(output.contains("their token gives 4040005"))
    }

    @Test func `the history has what filters ask for and revisions lead to what changed`() throws {
        try run("server_api_history.py", in: Lab())
    }

    @Test func `purchases keep the newest token and statuses are those of each group`() throws {
        try run("server_api_accounts.py", in: Lab())
    }

    @Test func `worlds of one seed say the same and sign it differently`() throws {
        try run("seeded_worlds.py", in: Lab())
    }

    @Test func `revisions and paging tokens are good after a restart of the store`() throws {
        let lab = try Lab()
        let places = lab.folder + "/places.json"
        try run("kept_places.py", ["--keep", places], in: lab)
        lab.store?.terminate()
        try lab.store?.wait()
        try run("kept_places.py", ["--kept", places], in: lab)
    }

    /// Starts the store and runs a program of `Tests/Verifiers` against it.
    private func run(_ name: String, _ options: [String] = [], in lab: Lab) throws {
        let output = try lab.verify(with: name, options)
        #expect(output.contains("all checks passed"))
    }
}
