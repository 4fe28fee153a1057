import CrashPoints
import Foundation
import TestSupport
import Testing

/// An account that is deleted, by the command line, as app, store and backend see it.
@Suite(.ownThreads) struct AccountDeletionStoryTests {
    private let lab: Lab

    init() throws {
        lab = try Lab.open()
    }

    private func verified(code: Int32 = 0) throws -> String {
        try lab.bodega(
            ["receipt", "verify", lab.receiptPath(), "--url", lab.storeURL + "/sandbox"],
            code: code)
    }

    @Test func `a store killed after a deletion has done it once, and its receipts get 21010`()
        throws
    {
        let bought = try #require(try lab.buyAndKeep([Lab.turbo]).first)
        #expect(try verified().contains(#""status":0"#))
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(
            environment: ["BODEGA_CRASH_POINT": CrashPoint.storeAccountDeleted.rawValue])
        let id = "0F8FAD5B-D9CB-469F-A165-70867728950E"
        let delete = ["account", "delete", "buyer@example.com", "--yes", "--request-id", id]
        let said = try lab.bodega(delete, code: 1)
        #expect(said.contains("--request-id \(id)"), "\(said)")
        #expect(try lab.store?.wait() == 128 + SIGKILL, "the point was not reached")
        try lab.startStore()
        let done = try lab.bodega(delete)
        #expect(done.contains("deleted buyer@example.com; its history is that of deleted-"))
        #expect(try verified(code: 1).contains("21010"))
        let user = try lab.backendUser("driver")
        #expect(try lab.submit(bought.appReceipt, of: bought, as: user).status == .refused)
        let list = try lab.bodega(["account", "list"])
        #expect(!list.contains("buyer@example.com"), "\(list)")
        for (question, count) in [
            ("SELECT count(*) FROM account WHERE deleted_ms IS NOT NULL", 1),
            ("SELECT count(*) FROM device_token WHERE account_id IS NOT NULL", 0),
            ("SELECT count(*) FROM store_transaction", 1),
        ] {
            #expect(try lab.count(question, in: lab.storeFile) == count, "\(question)")
        }
    }

    @Test func `without a terminal a deletion has to be confirmed`() throws {
        let said = try lab.bodega(["account", "delete", "buyer@example.com"], code: 2)
        #expect(said.contains("add --yes to confirm"), "\(said)")
        #expect(try lab.bodega(["account", "list"]).contains("buyer@example.com"))
    }
}
