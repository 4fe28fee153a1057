import Foundation
import Glibc
import TestSupport
import Testing

@testable import StoreKit

/// Which process carries on which attempt.
@Suite final class ClaimTests {
    private let folder = TemporaryFolder()
    let home: HomeFolder
    let journal: Journal
    let scope: StoreScope

    init() throws {
        home = try HomeFolder(path: folder.file("home"))
        journal = Journal(home: home)
        scope = StoreScope(url: try #require(URL(string: "http://127.0.0.1/sandbox")))
    }

    private func write(_ id: String, owner: ProcessName?) throws {
        try journal.write(
            AttemptRecord(
                attemptId: id, scope: scope, worldId: "W", deviceGuid: "G", madeAtMilliseconds: 1,
                productId: "p", quantity: 1, applicationUsername: nil, requestData: nil,
                simulatesAskToBuyInSandbox: false, stage: .approved(account: "ada"), owner: owner))
    }

    private func claimed() -> [String] {
        journal.claim(journal.contents(of: scope).attempts).map(\.attemptId)
    }

    private func sleeper() throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["600"]
        try process.run()
        return process
    }

    /// A program inherits which signals are ignored, so no softer one ends it for certain.
    private func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    @Test func `a journal entry belongs to its running process until that ends`() throws {
        let other = try sleeper()
        let name = try #require(ProcessName(of: other.processIdentifier))
        try write("A", owner: name)
        try write("B", owner: ProcessName.own)
        try write("C", owner: nil)
        #expect(claimed() == ["B", "C"])
        #expect(journal.orphans(of: scope).isEmpty)
        end(other)
        #expect(journal.orphans(of: scope).map(\.attemptId) == ["A"])
        #expect(claimed() == ["A", "B", "C"])
        #expect(journal.orphans(of: scope).isEmpty)
        #expect(journal.contents(of: scope).attempts.allSatisfy { $0.owner == ProcessName.own })
    }

    @Test func `a process id reused by another program is not mistaken for the writer`() throws {
        let own = try #require(ProcessName.own)
        struct Written: Codable {
            var processID: Int32
            var startTicks: UInt64
            var bootId: String
        }
        let earlier = Written(
            processID: own.processID, startTicks: own.startTicks - 1, bootId: own.bootId)
        let otherBoot = Written(
            processID: own.processID, startTicks: own.startTicks, bootId: "another")
        for written in [earlier, otherBoot] {
            let name = try JSONDecoder().decode(
                ProcessName.self, from: try JSONEncoder().encode(written))
            #expect(!name.isAlive)
        }
        #expect(own.isAlive)
    }
}
