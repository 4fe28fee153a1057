import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// The room that on-demand resources take, and what is purged for others.
@Suite struct ResourceSpaceTests {
    private let space = ["STOREKIT_RESOURCE_SPACE": "3000"]

    private func use(_ tag: String, _ engine: ResourceEngine) async {
        let request = NSBundleResourceRequest(tags: [tag], engine: engine)
        #expect(await request.trouble() == nil, "\(tag)")
        request.endAccessingResources()
    }

    private func fixture(_ tags: String..., bytes: Int = 1_000) throws -> ResourceFixture {
        let fixture = try ResourceFixture()
        for tag in tags { fixture.add(tag, bytes: bytes) }
        return fixture
    }

    @Test func `the least recently used resources make room first`() async throws {
        let fixture = try fixture("a", "b", "c", "d", "e")
        let engine = try fixture.launch(settings: space)
        for tag in ["a", "b", "c", "a"] { await use(tag, engine) }
        await use("d", engine)
        #expect(fixture.stored == ["a", "c", "d"])
        await use("e", try fixture.launch(settings: space))
        #expect(fixture.stored == ["a", "d", "e"], "the order outlives a launch")
    }

    @Test func `a preservation priority counts more than the last use`() async throws {
        let fixture = try fixture("a", "b", "c", "d")
        let engine = try fixture.launch(settings: space)
        engine.setPriority(1, of: [try #require(ResourceTag("a"))])
        for tag in ["a", "b", "c", "d"] { await use(tag, engine) }
        #expect(fixture.stored == ["a", "c", "d"])
        let tag = try #require(ResourceTag("a"))
        #expect(try fixture.launch(settings: space).priority(of: tag) == 1)
        #expect(engine.priority(of: try #require(ResourceTag("b"))) == 0)
    }

    @Test func `what a request holds is never purged, whatever process it is in`() async throws {
        let fixture = try fixture("a", "b", "c", "d")
        let engine = try fixture.launch(settings: space)
        let held = NSBundleResourceRequest(tags: ["a"], engine: engine)
        #expect(await held.trouble() == nil)
        for tag in ["b", "c"] { await use(tag, engine) }
        await use("d", try fixture.launch(settings: space))
        #expect(fixture.stored == ["a", "c", "d"])
        withExtendedLifetime(held) {}
    }

    @Test func `without room the app is told, and the request fails`() async throws {
        let fixture = try fixture("a", "b", "c")
        let told = Mutex(0)
        let engine = try fixture.launch(
            settings: ["STOREKIT_RESOURCE_SPACE": "2000"]
        ) { told.withLock { $0 += 1 } }
        let held = NSBundleResourceRequest(tags: ["a", "b"], engine: engine)
        #expect(await held.trouble() == nil)
        let request = NSBundleResourceRequest(tags: ["c"], engine: engine)
        let trouble = try #require(await request.trouble())
        #expect(trouble.domain == NSCocoaErrorDomain)
        #expect(trouble.code == NSBundleOnDemandResourceOutOfSpaceError)
        #expect(told.withLock { $0 } == 1)
        #expect(fixture.parts(of: "c") == 0 && fixture.stored == ["a", "b"])
        held.endAccessingResources()
        #expect(await request.trouble() == nil, "there is room now")
    }

    @Test func `what the app releases when it is told makes room`() async throws {
        let fixture = try fixture("a", "b")
        let held = Mutex<NSBundleResourceRequest?>(nil)
        let engine = try fixture.launch(
            settings: ["STOREKIT_RESOURCE_SPACE": "1500"]
        ) { held.withLock { $0 }?.endAccessingResources() }
        let first = NSBundleResourceRequest(tags: ["a"], engine: engine)
        #expect(await first.trouble() == nil)
        held.withLock { $0 = first }
        let request = NSBundleResourceRequest(tags: ["b"], engine: engine)
        #expect(await request.trouble() == nil)
        #expect(fixture.stored == ["b"])
        held.withLock { $0 = nil }
    }

    @Test func `what has ended is purged although a child process still has its folder`()
        async throws
    {
        let fixture = try fixture("a", "b")
        let engine = try fixture.launch(settings: ["STOREKIT_RESOURCE_SPACE": "1500"])
        let request = NSBundleResourceRequest(tags: ["a"], engine: engine)
        #expect(await request.trouble() == nil)
        let place = try #require(engine.state.withLock { $0.assets.values.first?.folder.path })
        let copy = try #require(ForkedDescriptor(of: place))
        request.endAccessingResources()
        await use("b", engine)
        #expect(fixture.stored == ["b"])
        withExtendedLifetime(copy) {}
    }

    @Test func `more than the limit in use at once is too much`() async throws {
        let fixture = try fixture("a", "b", "c")
        let engine = try fixture.launch(settings: ["STOREKIT_RESOURCE_USE": "2000"])
        let first = NSBundleResourceRequest(tags: ["a", "b"], engine: engine)
        #expect(await first.trouble() == nil)
        let second = NSBundleResourceRequest(tags: ["a", "c"], engine: engine)
        let trouble = try #require(await second.trouble())
        #expect(trouble.domain == NSCocoaErrorDomain)
        #expect(trouble.code == NSBundleOnDemandResourceExceededMaximumSizeError)
        #expect(fixture.parts(of: "c") == 0)
        first.endAccessingResources()
        #expect(await second.trouble() == nil)
    }

    @Test func `resources that come with the app stay until they were used`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("garage", bytes: 1_000, kind: .initial)
        for tag in ["a", "b", "c"] { fixture.add(tag, bytes: 1_000) }
        let engine = try fixture.launch(settings: ["STOREKIT_RESOURCE_SPACE": "2000"])
        await use("a", engine)
        // It arrives in the background, whatever is asked for meanwhile.
        try await fixture.shop.sees("what comes with the app") {
            fixture.stored == ["garage", "a"] && engine.state.withLock { $0.loads.isEmpty }
        }
        await use("b", engine)
        #expect(fixture.stored == ["garage", "b"])
        await use("garage", engine)
        await use("c", engine)
        await use("a", engine)
        #expect(fixture.stored == ["c", "a"])
    }

    @Test func `an abandoned download counts, and is purged like everything else`() async throws {
        let fixture = try fixture("a", "b", bytes: 2_000)
        fixture.shop.store.state.withLock { $0.content.bytesMax = 0 }
        let engine = try fixture.launch(settings: space)
        let request = NSBundleResourceRequest(tags: ["a"], engine: engine)
        async let trouble = request.trouble()
        try await fixture.shop.sees("its part asked for") {
            fixture.shop.store.count("part") == 1
        }
        request.progress.cancel()
        #expect(await trouble?.code == CocoaError.userCancelled.rawValue)
        fixture.shop.store.state.withLock { $0.content.bytesMax = nil }
        try await fixture.shop.sees("its run over") {
            engine.state.withLock { $0.runCount == 0 }
        }
        await use("b", engine)
        #expect(fixture.stored == ["b"])
    }
}
