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

    @Test func `a released lock is free although a child process still has its file`() throws {
        var first: DirectoryLock? = try DirectoryLock(directory: folder.path)
        let copy = try #require(ForkedDescriptor(of: folder.path + "/lock"))
        #expect(first != nil)
        first = nil
        _ = try DirectoryLock(directory: folder.path)
        withExtendedLifetime(copy) {}
    }

    @Test func `a missing directory is made, with those above it, for its owner alone`() throws {
        let path = folder.path + "/a/b"
        _ = try DirectoryLock(directory: path)
        for place in [path, folder.path + "/a"] {
            let found = try FileManager.default.attributesOfItem(atPath: place)
            #expect(found[.posixPermissions] as? Int == 0o700)
        }
        #expect(FileManager.default.fileExists(atPath: path + "/lock"))
    }

    @Test(arguments: ["", "/below", "/below/that"])
    func `a file in the way is named`(place: String) throws {
        let file = folder.path + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        let failure = #expect(throws: DirectoryLock.Unusable.self) {
            try DirectoryLock(directory: file + place)
        }
        #expect(
            failure?.description
                == "\(file) is a file, not a directory; name another directory with --data")
    }

    @Test(arguments: [
        (EACCES, "no permission to write /a; grant it to this user, or name another"),
        (EROFS, "/a is on a read-only file system; name another directory"),
        (ENOSPC, "no space for /a; free some on its disk"),
        (ENOENT, "/a: No such file or directory; name another directory with --data"),
    ])
    func `what the system refuses is a sentence that says what to do`(
        number: Int32, sentence: String
    ) {
        #expect(DirectoryLock.Unusable("/a", number).description.hasPrefix(sentence))
    }

    @Test func `where the system makes no directories, the place is named`() {
        let failure = #expect(throws: DirectoryLock.Unusable.self) {
            try DirectoryLock(directory: "/proc/bodega/store")
        }
        #expect(failure?.description.contains("/proc/bodega") == true)
    }
}
