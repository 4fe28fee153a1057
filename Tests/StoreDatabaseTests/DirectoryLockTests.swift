import Foundation
import TestSupport
import Testing

@testable import StoreDatabase

struct DirectoryLockTests {
    private let folder = TemporaryFolder()

    @Test func `a directory is locked by one process, which is named`() throws {
        var first: DirectoryLock? = try DirectoryLock(directory: folder.path)
        let held = #expect(throws: DirectoryLock.Held.self) {
            try DirectoryLock(directory: folder.path)
        }
        #expect(held?.processID == getpid())
        #expect(first != nil)
        first = nil
        _ = try DirectoryLock(directory: folder.path)
    }

    @Test func `a missing directory is an error that names it`() {
        let failure = #expect(throws: DatabaseError.self) {
            try DirectoryLock(directory: folder.path + "/absent")
        }
        #expect(failure?.detail.contains("/absent/lock") == true)
    }
}
