import Foundation
import TestSupport
import Testing

/// The public surface of the modules: nothing appears or goes without somebody having read it.
@Suite(.ownThreads) struct SurfaceTests {
    /// Read once for all tests.
    private static let surface = Result { Surface(try SymbolGraph.of("StoreKit", "CStoreKit")) }
    private static let testSurface = Result { Surface(try SymbolGraph.of("StoreKitTest")) }

    @Test func `the public declarations match the golden file`() throws {
        try compare(try Self.surface.get(), with: "StoreKit.txt")
    }

    @Test func `the declarations for tests match the golden file`() throws {
        try compare(Surface(try SymbolGraph.of("BodegaTesting")), with: "BodegaTesting.txt")
    }

    @Test func `the declarations of StoreKitTest match the golden file`() throws {
        try compare(try Self.testSurface.get(), with: "StoreKitTest.txt")
    }

    private func compare(_ surface: Surface, with name: String) throws {
        let text = surface.text
        let file = (#filePath as NSString).deletingLastPathComponent + "/Golden/" + name
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            return
        }
        let known = String(
            decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
        let (now, before) = (lines(text), lines(known))
        #expect(now.subtracting(before).sorted() == [], "new; GOLDEN_UPDATE=1 renews the file")
        #expect(before.subtracting(now).sorted() == [], "gone; GOLDEN_UPDATE=1 renews the file")
        #expect(text == known)
    }

    @Test func `no declaration of Apple's is missing beyond the table's exceptions`() throws {
        let ours = AppleSurface.declarations(of: try Self.surface.get())
        let missing = AppleSurface.declarations.subtracting(ours)
        #expect(missing.sorted() == AppleSurface.leftOut.map(\.declaration).sorted())
    }

    @Test func `no declaration beyond Apple's exists outside the table's exceptions`() throws {
        let ours = AppleSurface.declarations(of: try Self.surface.get())
        let extra = ours.subtracting(AppleSurface.declarations)
        #expect(extra.sorted() == AppleSurface.extras.map(\.declaration).sorted())
    }

    @Test func `StoreKitTest differs from Apple's in the table's exceptions alone`() throws {
        let ours = AppleSurface.declarations(of: try Self.testSurface.get())
        let apples = AppleSurface.storeKitTest
        #expect(
            apples.subtracting(ours).sorted()
                == AppleSurface.storeKitTestLeftOut.map(\.declaration).sorted())
        #expect(
            ours.subtracting(apples).sorted()
                == AppleSurface.storeKitTestExtras.map(\.declaration).sorted())
    }

    @Test func `a client can override whatever Apple allows`() throws {
        let entries = try Self.surface.get().entries
        let classes = entries.filter { $0.kind == "class" }
        #expect(classes.count == 18)
        #expect(classes.filter { !$0.isOpen }.map(\.path) == [])
        let names = Set(classes.flatMap(\.path))
        let overridable = ["property", "method", "type method"]
        let closed = entries.filter {
            names.contains($0.path[0]) && overridable.contains($0.kind) && !$0.isOpen
        }
        #expect(closed.map(\.path) == [])
    }

    @Test func `a client that uses what Apple deprecated is warned`() throws {
        #expect(deprecated(in: try Self.surface.get()) == AppleSurface.storeKit2Deprecated)
        #expect(deprecated(in: try Self.testSurface.get()) == AppleSurface.storeKitTestDeprecated)
    }

    private func deprecated(in surface: Surface) -> Set<String> {
        Set(surface.entries.filter(\.isDeprecated).map { $0.path.joined(separator: ".") })
    }

    private func lines(_ text: String) -> Set<Substring> {
        Set(text.split(separator: "\n"))
    }
}
