import Foundation
import TestSupport
import Testing

@testable import StoreKit

/// How far each customer's news were taken in.
@Suite final class CursorFileTests {
    private let folder = TemporaryFolder()
    let home: HomeFolder
    let file: CursorFile

    init() throws {
        home = try HomeFolder(path: folder.file("home"))
        file = CursorFile(home: home)
    }

    private func customer(_ account: String) -> Customer {
        Customer(worldId: "W", account: account)
    }

    @Test func `each customer has a separate event cursor`() {
        file.save(3, of: customer("ada"))
        file.save(5, of: customer("bob"))
        file.save(4, of: customer("ada"))
        #expect(file.cursor(of: customer("ada")) == 4)
        #expect(file.cursor(of: customer("bob")) == 5)
        #expect(file.cursor(of: Customer(worldId: "V", account: "ada")) == nil)
    }

    @Test func `a cursor file with a single customer is still read`() throws {
        let earlier = #"{"customer":{"account":"ada","worldId":"W"},"cursor":7}"#
        try DurableFile.write(Array(earlier.utf8), to: home.cursorFile)
        #expect(file.cursor(of: customer("ada")) == 7)
        file.save(9, of: customer("bob"))
        #expect(file.cursor(of: customer("ada")) == 7)
        #expect(file.cursor(of: customer("bob")) == 9)
    }
}
