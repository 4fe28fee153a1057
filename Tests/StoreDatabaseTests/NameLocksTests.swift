import StoreDatabase
import TestSupport
import Testing

/// Locks on names between processes; two values stand for two of them.
struct NameLocksTests {
    private let folder = TemporaryFolder()

    @Test func `an exclusive lock excludes others of its name until it is released`() throws {
        let (one, other) = (try locks(), try locks())
        #expect(one.take("a", .exclusive))
        #expect(!other.take("a", .shared))
        #expect(!other.take("a", .exclusive))
        #expect(other.take("b", .exclusive), "another name is free")
        one.release("a")
        #expect(other.take("a", .exclusive))
    }

    @Test func `shared locks exclude only exclusive ones`() throws {
        let (one, other, third) = (try locks(), try locks(), try locks())
        #expect(one.take("a", .shared))
        #expect(other.take("a", .shared))
        #expect(!third.take("a", .exclusive))
        one.release("a")
        #expect(!third.take("a", .exclusive))
        other.release("a")
        #expect(third.take("a", .exclusive))
    }

    @Test func `a process that ends gives its locks back`() throws {
        let other = try locks()
        do {
            let one = try locks()
            #expect(one.take("a", .exclusive))
            #expect(!other.take("a", .exclusive))
        }
        #expect(other.take("a", .exclusive))
    }

    private func locks() throws -> NameLocks { try NameLocks(path: folder.file("locks")) }
}
