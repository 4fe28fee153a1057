import Foundation
import StoreWire
import TestSupport
import Testing

@testable import StoreKit

/// A customer's copy on disk: what is read is what was written, and nothing else is believed.
@Suite struct SignedCopyFileTests {
    private let folder = TemporaryFolder()
    private let file: SignedCopyFile
    private let customer = Customer(
        worldId: "1B4E28BA-2FA1-41D2-883F-0016D3CCA427", account: "a@b.c")

    init() throws {
        let url = try #require(URL(string: "http://127.0.0.1:8080/sandbox"))
        file = SignedCopyFile(
            home: try HomeFolder(path: folder.file("home")), customer: customer,
            scope: StoreScope(url: url), deviceGuid: "6C1E2D58")
    }

    /// A transaction's line; the JWS is one in form only.
    private static func line(
        _ id: UInt64, says text: String = "{}", isFinished: Bool = false
    ) -> SignedCopyFile.Line {
        var line = SignedCopyFile.Line()
        line.transaction = SignedTransactionBody(
            transactionId: "\(id)", attemptId: "attempt \(id)", deviceGuid: "device",
            isFinished: isFinished ? true : nil,
            transaction: Data(text.utf8).base64EncodedString()
                .replacingOccurrences(of: "=", with: "") + ".c2lnbmF0dXJl")
        return line
    }

    private static var header: SignedCopyFile.Line {
        var line = SignedCopyFile.Line()
        line.header = "aGVhZA"
        return line
    }

    private static func cursor(_ number: Int64) -> SignedCopyFile.Line {
        var line = SignedCopyFile.Line()
        line.cursor = number
        return line
    }

    @Test func `lines that were added are read again, in their order`() throws {
        #expect(try file.read().copy.entries.isEmpty)
        _ = try file.add([Self.header, Self.line(1), Self.line(2), Self.cursor(7)])
        var finish = SignedCopyFile.Line()
        finish.finished = 1
        _ = try file.add([finish, Self.line(2, says: #"{"isUpgraded":true}"#)], isSynced: false)
        let copy = try file.read().copy
        #expect(copy.cursor == 7 && copy.entries.keys.sorted() == [1, 2])
        #expect(copy.entries[1]?.isFinished == true && copy.entries[2]?.isFinished == false)
        #expect(copy.entries[2]?.text.payload == Data(#"{"isUpgraded":true}"#.utf8))
        #expect(copy.entries[2]?.attemptId == "attempt 2")
    }

    @Test func `a purchase and the groups that it changed are read again from one line`() throws {
        var line = Self.line(1)
        line.groups = [
            SignedGroupBody(
                groupId: "g", isEligibleForIntroductoryOffer: true,
                statuses: [
                    SignedStatusBody(
                        status: 1, originalTransactionId: "1", transaction: "e30.c2ln",
                        renewal: "e30.c2ln")
                ])
        ]
        _ = try file.add([Self.header, line])
        let copy = try file.read().copy
        #expect(copy.entries.keys.sorted() == [1])
        #expect(copy.groups.map(\.id) == ["g"])
        #expect(copy.groups.first?.statuses.map(\.number) == [1])
    }

    @Test(arguments: ["\"", "\\", "\n", "\u{e9}", "\"}\n{\"head\":"])
    func `a signature that is none does no harm to the lines beside it`(_ signature: String) throws
    {
        var line = Self.line(1)
        line.transaction = SignedTransactionBody(
            transactionId: "1", attemptId: "attempt 1", deviceGuid: "device", isFinished: nil,
            transaction: "e30.\(signature)")
        _ = try file.add([Self.header, line, Self.line(2)])
        let copy = try file.read().copy
        #expect(copy.entries.keys.sorted() == [1, 2])
        #expect(copy.entries[1]?.text.rest == "e30.\(signature)")
    }

    @Test func `a header with a dot in it makes no transaction`() throws {
        var header = SignedCopyFile.Line()
        header.header = "aGVh.ZA"
        _ = try file.add([header, Self.line(1)])
        #expect(try file.read().copy.entries.isEmpty)
    }

    @Test func `a file that is written anew says the same`() throws {
        _ = try file.add([Self.header, Self.line(1), Self.line(2, isFinished: true)])
        _ = try file.add([Self.line(1, says: #"{"a":1}"#), Self.cursor(9)])
        let before = try file.read()
        _ = try file.replace(with: before)
        let after = try file.read()
        #expect(after.copy.cursor == 9 && after.bytes < before.bytes)
        #expect(after.copy.entries.mapValues(\.text) == before.copy.entries.mapValues(\.text))
        #expect(after.copy.entries[2]?.isFinished == true)
    }

    @Test func `statuses under different headers are the same in a file that is written anew`()
        throws
    {
        func groups(_ number: Int, _ payload: String) -> SignedCopyFile.Line {
            let rest =
                Data(payload.utf8).base64EncodedString()
                .replacingOccurrences(of: "=", with: "") + ".c2ln"
            var line = SignedCopyFile.Line()
            line.groups = ["a", "b"].map { group in
                SignedGroupBody(
                    groupId: group, isEligibleForIntroductoryOffer: false,
                    statuses: [
                        SignedStatusBody(
                            status: group == "a" ? 1 : number, originalTransactionId: group,
                            transaction: Data(#"{"originalTransactionId":"\#(group)"}"#.utf8)
                                .base64EncodedString().replacingOccurrences(of: "=", with: "")
                                + ".c2ln",
                            renewal: rest)
                    ])
            }
            return line
        }
        var later = SignedCopyFile.Line()
        later.header = "bGF0ZXI"
        // The first group's status is only signed again, and keeps its header.
        _ = try file.add([
            Self.header, Self.line(1), groups(1, #"{"signedDate":1}"#), later,
            groups(2, #"{"signedDate":2}"#),
        ])
        let before = try file.read()
        let texts = before.copy.groups.flatMap(\.statuses).map(\.renewal.text)
        #expect(Set(texts.map { $0.prefix { $0 != "." } }) == ["aGVhZA", "bGF0ZXI"])
        _ = try file.replace(with: before)
        let after = try file.read().copy.groups.flatMap(\.statuses).map(\.renewal.text)
        #expect(after == texts)
    }

    @Test func `a file that is written anew keeps what another process added`() throws {
        _ = try file.add([Self.header, Self.line(1)])
        let mine = try file.read()
        _ = try file.add([Self.line(2)])
        _ = try file.replace(with: mine)
        #expect(try file.read().copy.entries.keys.sorted() == [1, 2])
    }

    @Test func `what a test deleted is in no copy any more, however the file is read`() throws {
        _ = try file.add([Self.header, Self.line(1), Self.line(2), Self.line(3)])
        var deleted = SignedCopyFile.Line()
        deleted.deleted = [2, 9]
        _ = try file.add([deleted])
        let copy = try file.read()
        #expect(copy.copy.entries.keys.sorted() == [1, 3])
        _ = try file.replace(with: copy)
        #expect(try file.read().copy.entries.keys.sorted() == [1, 3])
        // The store may sell under no number twice, but a page may come twice.
        _ = try file.add([Self.line(2), deleted])
        #expect(try file.read().copy.entries.keys.sorted() == [1, 3])
    }

    @Test func `a file of the device's former identifier is set aside`() throws {
        _ = try file.add([Self.header, Self.line(1)])
        let now = SignedCopyFile(
            home: file.home, customer: customer, scope: file.scope, deviceGuid: "0B7A")
        #expect(try now.read().copy.entries.isEmpty)
        #expect(FileManager.default.fileExists(atPath: file.path + ".damaged"))
    }

    @Test func `a last line that a crash cut anywhere is passed over`() throws {
        _ = try file.add([Self.header, Self.line(1)])
        let whole = try #require(try DurableFile.read(file.path))
        _ = try file.add([Self.line(2)])
        let all = try #require(try DurableFile.read(file.path))
        for end in whole.count..<all.count {
            try DurableFile.write(Array(all[..<end]), to: file.path)
            #expect(try file.read().copy.entries.keys.sorted() == [1], "\(end)")
        }
        #expect(try file.read().copy.entries.count == 1)
    }

    @Test func `lines after a cut one are added where it began`() throws {
        _ = try file.add([Self.header, Self.line(1)])
        let whole = try #require(try DurableFile.read(file.path))
        _ = try file.add([Self.line(2)])
        let all = try #require(try DurableFile.read(file.path))
        try DurableFile.write(Array(all[..<(whole.count + 20)]), to: file.path)
        _ = try file.add([Self.line(3)])
        #expect(try file.read().copy.entries.keys.sorted() == [1, 3])
    }

    @Test func `an altered byte sets the file aside, wherever it is`() throws {
        _ = try file.add([Self.header, Self.line(1), Self.cursor(3)])
        let good = try #require(try DurableFile.read(file.path))
        for place in good.indices where good[place] != UInt8(ascii: "\n") {
            var bytes = good
            bytes[place] ^= 1
            if bytes[place] == UInt8(ascii: "\n") { continue }
            try DurableFile.write(bytes, to: file.path)
            #expect(try file.read().copy.entries.isEmpty, "\(place)")
            #expect(FileManager.default.fileExists(atPath: file.path + ".damaged"))
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func `a file of a later version is set aside, and a new one takes what comes`() throws {
        _ = try file.add([Self.header, Self.line(1)])
        let written = try String(contentsOfFile: file.path, encoding: .utf8)
        let later = written.replacing(#""format":1"#, with: #""format":2"#)
        try #require(later != written)
        try later.write(toFile: file.path, atomically: true, encoding: .utf8)
        #expect(try file.read().copy.entries.isEmpty)
        #expect(
            try String(contentsOfFile: file.path + ".damaged", encoding: .utf8) == later)
        _ = try file.add([Self.header, Self.line(1), Self.line(2)])
        #expect(try file.read().copy.entries.count == 2)
    }

    @Test func `a file of somebody else is set aside`() throws {
        _ = try file.add([Self.header, Self.line(1)])
        let other = SignedCopyFile(
            home: file.home, customer: Customer(worldId: customer.worldId, account: "other"),
            scope: file.scope, deviceGuid: file.deviceGuid)
        try FileManager.default.copyItem(atPath: file.path, toPath: other.path)
        #expect(try other.read().copy.entries.isEmpty)
        #expect(FileManager.default.fileExists(atPath: other.path + ".damaged"))
        #expect(try file.read().copy.entries.count == 1)
    }
}
