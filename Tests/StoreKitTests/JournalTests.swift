import Foundation
import Glibc
import TestSupport
import Testing

@testable import StoreKit

@Suite final class JournalTests {
    private let folder = TemporaryFolder()
    let home: HomeFolder
    let scope: StoreScope

    init() throws {
        home = try HomeFolder(path: folder.file("a/b"))
        scope = StoreScope(url: try #require(URL(string: "http://127.0.0.1/sandbox")))
    }

    func attempt(
        _ id: String, at moment: Int64 = 1, _ stage: AttemptRecord.Stage = .written,
        scope: StoreScope? = nil, worldId: String? = "W"
    ) -> AttemptRecord {
        AttemptRecord(
            attemptId: id, scope: scope ?? self.scope, worldId: worldId, deviceGuid: "G",
            madeAtMilliseconds: moment, productId: "a", quantity: 2, applicationUsername: "u",
            requestData: Data([1, 2]), simulatesAskToBuyInSandbox: true, stage: stage)
    }

    @Test func `journal entries are read back in the order they were made`() throws {
        let journal = Journal(home: home)
        let failed = AttemptRecord.Stage.failed(FailureReason(.paymentInvalid, "Why."))
        let records = [
            attempt("C", at: 1), attempt("A", at: 2, .approved(account: "ada")),
            attempt("B", at: 3, failed),
        ]
        for record in records.reversed() { try journal.write(record) }
        let finish = FinishRecord(
            transactionId: "2000", scope: scope, worldId: "W", account: "ada")
        try journal.write(finish)
        #expect(journal.contents(of: scope).attempts == records)
        #expect(journal.contents(of: scope).finishes == [finish])
        try journal.removeAttempt("A")
        try journal.removeAttempt("A")
        try journal.removeFinish(finish.name)
        #expect(journal.contents(of: scope).attempts == [records[0], records[2]])
        #expect(journal.contents(of: scope).finishes.isEmpty)
    }

    @Test func `half-written files of killed processes are removed at the next launch`() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        let gone = "attempt-1.json.\(process.processIdentifier).5.tmp"
        let kept = ["attempt-1.json.\(getpid()).5.tmp", "of-others.tmp", "x.0.1.tmp", "a.b.c.tmp"]
        for folder in [home.path, home.journalFolder, home.path + "/StoreKit"] {
            for name in kept + [gone] {
                try Data("half".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            }
        }
        _ = try HomeFolder(path: home.path)
        for folder in [home.path, home.journalFolder, home.path + "/StoreKit"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!names.contains(gone))
            #expect(Set(names).isSuperset(of: kept))
        }
    }

    @Test func `journal entries of another store are left in place`() throws {
        let journal = Journal(home: home)
        let other = StoreScope(url: try #require(URL(string: "http://127.0.0.1/production")))
        try journal.write(attempt("A", scope: other))
        #expect(journal.contents(of: scope).attempts.isEmpty)
        #expect(journal.contents(of: other).attempts.count == 1)
    }

    @Test(arguments: ["", "{", "null", "[1]", "{\"attemptId\":1}", "\u{0}\u{0}"])
    func `a damaged journal file is set aside and the others are read`(damage: String) throws {
        let journal = Journal(home: home)
        try journal.write(attempt("A"))
        try journal.write(attempt("B"))
        let path = journal.attemptFile("A")
        try Data(damage.utf8).write(to: URL(fileURLWithPath: path))
        #expect(journal.contents(of: scope).attempts.map(\.attemptId) == ["B"])
        #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(journal.contents(of: scope).attempts.map(\.attemptId) == ["B"])
    }

    @Test func `folders and files are private and no temporary file stays`() throws {
        try Journal(home: home).write(attempt("A"))
        var info = stat()
        #expect(stat(home.path, &info) == 0)
        #expect(info.st_mode & 0o777 == 0o700)
        #expect(stat(Journal(home: home).attemptFile("A"), &info) == 0)
        #expect(info.st_mode & 0o777 == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: home.journalFolder)
        #expect(names == ["attempt-A.json"])
    }

    @Test func `a hostile transaction id cannot lead out of the folder`() {
        let path = Journal(home: home).finishFile(
            TransactionName(worldId: "../w", transactionId: "../../x"))
        #expect(path == home.journalFolder + "/finish-______x-___w.json")
        let answer = Journal(home: home).finishFile(
            TransactionName(worldId: "w", transactionId: "7", attemptId: "../A"))
        #expect(answer == home.journalFolder + "/finish-7-w-___A.json")
    }

    @Test func `a receipt is never replaced by an older one`() throws {
        let file = ReceiptFile(home: home, isSandbox: true)
        func state(_ revision: Int64, _ account: String = "ada", world: String = "W")
            -> ReceiptFile.State
        {
            ReceiptFile.State(
                revision: revision, customer: Customer(worldId: world, account: account),
                appVersion: "1", scope: scope)
        }
        #expect(!file.holds(state(0)))
        #expect(try file.store([2], as: state(2), overNewer: false))
        #expect(try !file.store([1], as: state(1), overNewer: false))
        #expect(try DurableFile.read(file.path) == [2])
        // The store may have been set back: neither an older nor a newer one counts.
        #expect(!file.holds(state(1)) && file.holds(state(2)) && !file.holds(state(3)))
        #expect(try file.store([1], as: state(1), overNewer: true))
        #expect(try DurableFile.read(file.path) == [1] && file.holds(state(1)))
        #expect(try file.store([9], as: state(1, "bob"), overNewer: false))
        #expect(try DurableFile.read(file.path) == [9])
        // Another world's receipt holds nothing of this one, whatever its revision.
        #expect(!file.holds(state(1, "bob", world: "V")))
        #expect(try file.store([8], as: state(1, "bob", world: "V"), overNewer: false))
        #expect(try DurableFile.read(file.path) == [8])
    }

    @Test func `a receipt's state file describes only that receipt's bytes`() throws {
        let file = ReceiptFile(home: home, isSandbox: true)
        let state = ReceiptFile.State(
            revision: 2, customer: Customer(worldId: "W", account: "ada"), appVersion: "1",
            scope: scope)
        #expect(try file.store([2], as: state, overNewer: false) && file.holds(state))
        // As after a crash, or the loss of power, between the receipt and what is said of it.
        try DurableFile.write([3], to: file.path)
        #expect(!file.holds(state))
        #expect(try file.store([2], as: state, overNewer: false) && file.holds(state))
        // As an older version wrote it: it names no file.
        try home.save(state, to: home.receiptStateFile)
        #expect(!file.holds(state))
        try DurableFile.write([], to: home.receiptStateFile)
        #expect(!file.holds(state))
    }

    @Test func `finishes in two worlds with the same transaction id are stored separately`() throws
    {
        let journal = Journal(home: home)
        let finishes = ["V", "W"].map {
            FinishRecord(transactionId: "2000", scope: scope, worldId: $0, account: "ada")
        }
        for finish in finishes { try journal.write(finish) }
        #expect(journal.contents(of: scope).finishes == finishes)
        try journal.removeFinish(finishes[0].name)
        #expect(try journal.finish(finishes[1].name) == finishes[1])
    }

    @Test func `an unreadable journal file is not taken for a missing one`() throws {
        // A link to itself cannot be opened, whoever asks.
        #expect(symlink(home.deviceFile, home.deviceFile) == 0)
        #expect(throws: DurableFile.Failure.self) {
            try home.load(DeviceRecord.self, from: home.deviceFile)
        }
        let configuration = try #require(
            try StoreConfiguration.read([
                "STOREKIT_URL": "http://127.0.0.1/sandbox", "STOREKIT_BUNDLE_ID": "a",
                "STOREKIT_APP_VERSION": "1", "STOREKIT_HOME": home.path,
            ]).get())
        let connection = StoreConnection(configuration: configuration, home: home)
        #expect(throws: DurableFile.Failure.self) { try connection.guid() }
        var info = stat()
        #expect(lstat(home.deviceFile, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `concurrent writers leave one complete file`() async throws {
        let path = home.path + "/whole"
        await withTaskGroup(of: Void.self) { group in
            for byte in UInt8(0)..<16 {
                group.addTask {
                    try? DurableFile.write([UInt8](repeating: byte, count: 100_000), to: path)
                }
            }
        }
        let bytes = try #require(try DurableFile.read(path))
        #expect(bytes.count == 100_000)
        #expect(Set(bytes).count == 1)
    }

    @Test func `a folder that cannot be created is named`() throws {
        #expect(throws: DurableFile.Failure.self) { try HomeFolder(path: "/proc/none/x") }
        #expect(throws: DurableFile.Failure.self) {
            try DurableFile.write([1], to: "/proc/none/x")
        }
    }
}
