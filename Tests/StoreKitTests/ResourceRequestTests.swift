import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// On-demand resources as an app asks for them. Tests share the main bundle, so each that looks into
/// it has a tag of its own.
@Suite struct ResourceRequestTests {
    private static func contents(_ url: URL?) -> [UInt8]? {
        url.flatMap { FileManager.default.contents(atPath: $0.path) }.map(Array.init)
    }

    // MARK: - The usual way

    @Test func `resources come without an account, and the bundle finds them`() async throws {
        let fixture = try ResourceFixture()
        let track = ResourceFixture.bytes(700_000)
        fixture.add(
            "moonlight",
            [
                "moon-track.bin": track, "moon/crater.txt": Array("deep".utf8),
                "en.lproj/moon-words.txt": Array("dust".utf8), "moon-empty.bin": [],
            ])
        let engine = try fixture.launch()
        let request = NSBundleResourceRequest(tags: ["moonlight"], engine: engine)
        #expect(Bundle.main.url(forResource: "moon-track", withExtension: "bin") == nil)
        #expect(await request.trouble() == nil)
        #expect(request.progress.fractionCompleted == 1 && request.bundle === Bundle.main)
        #expect(request.tags == ["moonlight"] && request.loadingPriority == 0.5)
        #expect(fixture.shop.store.count("sign-in") == 0)
        let bundle = Bundle.main
        let url = bundle.url(forResource: "moon-track", withExtension: "bin")
        #expect(Self.contents(url) == track)
        #expect(bundle.path(forResource: "moon-track", ofType: "bin") == url?.path)
        #expect(bundle.path(forResource: "moon-track.bin", ofType: nil) == url?.path)
        let crater = bundle.url(
            forResource: "crater", withExtension: "txt", subdirectory: "moon")
        #expect(Self.contents(crater) == Array("deep".utf8))
        #expect(
            bundle.path(forResource: "crater", ofType: "txt", inDirectory: "moon") == crater?.path)
        #expect(
            bundle.urls(forResourcesWithExtension: "txt", subdirectory: "moon")?.map(\.path)
                == [crater?.path])
        #expect(
            bundle.paths(forResourcesOfType: "bin", inDirectory: nil).count { $0 == url?.path }
                == 1)
        let words = bundle.url(
            forResource: "moon-words", withExtension: "txt", subdirectory: nil,
            localization: "en")
        #expect(Self.contents(words) == Array("dust".utf8))
        #expect(
            bundle.path(
                forResource: "moon-words", ofType: "txt", inDirectory: nil, forLocalization: "en")
                == words?.path)
        #expect(bundle.path(forResource: "../record", ofType: "json") == nil)
        request.endAccessingResources()
        #expect(Self.contents(url) == track, "it stays until it is purged")
    }

    @Test func `only the request's bundle shows its resources`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("andes", bytes: 10)
        let folder = TemporaryFolder()
        let bundle = try #require(Bundle(path: folder.path))
        let request = NSBundleResourceRequest(
            tags: ["andes"], bundle: bundle, engine: try fixture.launch())
        #expect(await request.trouble() == nil)
        #expect(request.bundle.url(forResource: "andes", withExtension: "bin") != nil)
        #expect(Bundle.main.url(forResource: "andes", withExtension: "bin") == nil)
    }

    @Test func `looking fetches nothing, and begins access when everything is there`() async throws
    {
        let fixture = try ResourceFixture()
        fixture.add("moon", bytes: 1_000)
        fixture.add("mars", bytes: 1_000)
        let engine = try fixture.launch()
        let request = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        #expect(await !request.conditionallyBeginAccessingResources())
        #expect(fixture.parts(of: "moon") == 0 && fixture.stored == [])
        #expect(await request.trouble() == nil, "the same request may fetch then")
        let both = NSBundleResourceRequest(tags: ["moon", "mars"], engine: engine)
        #expect(await !both.conditionallyBeginAccessingResources())
        let one = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        #expect(await one.conditionallyBeginAccessingResources())
        #expect(fixture.parts(of: "moon") == 1 && fixture.parts(of: "mars") == 0)
    }

    @Test func `two requests for one tag share its download`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("moon", bytes: 300_000)
        fixture.shop.store.state.withLock { $0.content.bytesMax = 0 }
        let engine = try fixture.launch()
        let requests = (0..<3).map { _ in NSBundleResourceRequest(tags: ["moon"], engine: engine) }
        async let first = requests[0].trouble()
        async let second = requests[1].trouble()
        async let third = requests[2].trouble()
        try await fixture.shop.sees("all of them waiting") {
            engine.state.withLock { $0.loads.values.map(\.waiting.count) } == [3]
        }
        requests[0].progress.cancel()
        try await fixture.shop.sees("two of them waiting") {
            engine.state.withLock { $0.loads.values.map(\.waiting.count) } == [2]
        }
        fixture.shop.store.state.withLock { $0.content.bytesMax = nil }
        #expect(await first?.code == CocoaError.userCancelled.rawValue)
        #expect(await second == nil)
        #expect(await third == nil)
        #expect(fixture.shop.store.count("resource") == 1)
        #expect(fixture.shop.store.count("resources") == 1)
        #expect(requests[1].progress.fractionCompleted == 1)
    }

    @Test func `a request that nobody keeps still answers`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("moon", bytes: 10)
        let engine = try fixture.launch()
        let isMain = Mutex<Bool?>(nil)
        NSBundleResourceRequest(tags: ["moon"], engine: engine).beginAccessingResources { error in
            isMain.withLock { $0 = Thread.isMainThread || error != nil }
        }
        try await fixture.shop.sees("the answer") { isMain.withLock { $0 } != nil }
        #expect(isMain.withLock { $0 } == false)
        try await fixture.shop.sees("its end") { engine.state.withLock { $0.assets.isEmpty } }
    }

    // MARK: - Launches, versions, worlds

    @Test func `what is on the device needs no store, also at the next launch`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("moon", bytes: 1_000)
        let first = NSBundleResourceRequest(tags: ["moon"], engine: try fixture.launch())
        #expect(await first.trouble() == nil)
        fixture.shop.store.state.withLock { $0.isDown = true }
        let engine = try fixture.launch()
        let looking = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        #expect(await looking.conditionallyBeginAccessingResources())
        let second = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        #expect(await second.trouble() == nil)
        let other = NSBundleResourceRequest(tags: ["mars"], engine: engine)
        let trouble = await other.trouble()
        #expect(trouble?.domain == NSURLErrorDomain)
        #expect(trouble?.code == URLError.cannotConnectToHost.rawValue)
    }

    @Test func `each version of the app has its own resources`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("versioned", ["versioned.txt": Array("old".utf8)])
        fixture.add("versioned", ["versioned.txt": Array("new".utf8)], version: "1.1")
        let old = NSBundleResourceRequest(tags: ["versioned"], engine: try fixture.launch())
        #expect(await old.trouble() == nil)
        let url = Bundle.main.url(forResource: "versioned", withExtension: "txt")
        let new = NSBundleResourceRequest(
            tags: ["versioned"], engine: try fixture.launch(version: "1.1"))
        #expect(await !new.conditionallyBeginAccessingResources())
        #expect(await new.trouble() == nil)
        #expect(
            Self.contents(Bundle.main.url(forResource: "versioned", withExtension: "txt"))
                == Array("new".utf8))
        #expect(Self.contents(url) == Array("old".utf8))
    }

    @Test func `an interrupted download resumes from its bytes at the next launch`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("comet", bytes: 900_000)
        fixture.shop.store.state.withLock { $0.content.bytesMax = 300_000 }
        let request = NSBundleResourceRequest(tags: ["comet"], engine: try fixture.launch())
        async let trouble = request.trouble()
        try await fixture.shop.sees("a part") { request.progress.completedUnitCount == 262_144 }
        request.progress.cancel()
        #expect(await trouble?.code == CocoaError.userCancelled.rawValue)
        fixture.shop.store.state.withLock {
            $0.content.bytesMax = nil
            $0.content.partsGiven = []
        }
        let next = NSBundleResourceRequest(tags: ["comet"], engine: try fixture.launch())
        #expect(await next.trouble() == nil)
        let given = fixture.shop.store.state.withLock { $0.content.partsGiven }
        #expect(!given.contains { $0.contains("bytes=0-") }, "\(given)")
        #expect(
            Self.contents(Bundle.main.url(forResource: "comet", withExtension: "bin"))
                == ResourceFixture.bytes(900_000, 5))
    }

    @Test func `tags that come with the app are there before anything is answered`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("garage", bytes: 1_000, kind: .initial)
        fixture.add("alps", bytes: 1_000, kind: .prefetch)
        fixture.add("moon", bytes: 1_000)
        let engine = try fixture.launch()
        let garage = NSBundleResourceRequest(tags: ["garage"], engine: engine)
        #expect(await garage.conditionallyBeginAccessingResources())
        // The folder is there before the end of its download lets others hold it.
        try await fixture.shop.sees("what comes after the app") {
            fixture.stored == ["garage", "alps"] && engine.state.withLock { $0.loads.isEmpty }
        }
        let alps = NSBundleResourceRequest(tags: ["alps"], engine: engine)
        #expect(await alps.conditionallyBeginAccessingResources())
        #expect(fixture.parts(of: "moon") == 0)
    }

    @Test func `lost tags of those that come with the app delay nobody else`() async throws {
        let fixture = try ResourceFixture()
        for tag in ["garage", "track"] { fixture.add(tag, bytes: 1_000, kind: .initial) }
        fixture.add("moon", bytes: 1_000)
        // The store never answers about its files.
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        fixture.shop.store.next("part", .held(gate))
        let engine = try fixture.launch()
        let garage = NSBundleResourceRequest(tags: ["garage"], engine: engine)
        async let isThere = garage.conditionallyBeginAccessingResources()
        try await fixture.shop.sees("the garage waited for, and a part of it asked for") {
            fixture.shop.store.count("part") == 1
                && engine.state.withLock { $0.loads.values.contains { !$0.waiting.isEmpty } }
        }
        #expect(engine.state.withLock { $0.runCount } == 1, "the track waits behind it")
        let moon = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        #expect(await !moon.conditionallyBeginAccessingResources())
        #expect(await moon.trouble() == nil)
        gate.signal()
        #expect(await isThere, "looking for what comes with the app waits for it")
    }

    @Test func `a request whose task was cancelled can be used again`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("moon", bytes: 1_000)
        fixture.shop.store.state.withLock { $0.content.bytesMax = 0 }
        let request = NSBundleResourceRequest(tags: ["moon"], engine: try fixture.launch())
        let task = Task { await request.trouble() }
        try await fixture.shop.sees("its part asked for") {
            fixture.shop.store.count("part") == 1
        }
        task.cancel()
        #expect(await task.value?.code == CocoaError.userCancelled.rawValue)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await request.trouble()
        }
        #expect(await early.value?.code == CocoaError.userCancelled.rawValue)
        fixture.shop.store.state.withLock { $0.content.bytesMax = nil }
        #expect(await request.trouble() == nil)
    }

    // MARK: - What cannot be had

    @Test(arguments: ["mars", "a/b", "../moon", "", "moon,mars", "mo\u{0}on"])
    func `a tag that the version has not is an invalid one`(tag: String) async throws {
        let fixture = try ResourceFixture()
        fixture.add("moon", bytes: 10)
        let request = NSBundleResourceRequest(tags: ["moon", tag], engine: try fixture.launch())
        #expect(await !request.conditionallyBeginAccessingResources())
        let trouble = try #require(await request.trouble())
        #expect(trouble.domain == NSCocoaErrorDomain)
        #expect(trouble.code == NSBundleOnDemandResourceInvalidTagError)
        #expect(trouble.localizedDescription.contains(tag.debugDescription))
        #expect(fixture.parts(of: "moon") == 0, "none of them is fetched")
    }

    @Test func `ten thousand tags get one answer from one list`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("tag 1", bytes: 10)
        let tags = Set((1...10_000).map { "tag \($0)" })
        let request = NSBundleResourceRequest(tags: tags, engine: try fixture.launch())
        let trouble = await request.trouble()
        #expect(trouble?.code == NSBundleOnDemandResourceInvalidTagError)
        #expect(trouble?.localizedDescription.contains("and 9994 more") == true)
        #expect(fixture.shop.store.count("resources") == 1)
    }

    @Test func `a tag removed while it is held stays until it is purged`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("moon", bytes: 1_000)
        fixture.add("mars", bytes: 1_000)
        let engine = try fixture.launch(settings: ["STOREKIT_RESOURCE_SPACE": "1500"])
        let moon = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        #expect(await moon.trouble() == nil)
        fixture.shop.store.state.withLock { $0.resources.remove("moon") }
        let again = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        #expect(await again.trouble() == nil, "it is there")
        moon.endAccessingResources()
        again.endAccessingResources()
        let mars = NSBundleResourceRequest(tags: ["mars"], engine: engine)
        #expect(await mars.trouble() == nil)
        #expect(fixture.stored == ["mars"])
        mars.endAccessingResources()
        let gone = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        #expect(await gone.trouble()?.code == NSBundleOnDemandResourceInvalidTagError)
    }

    @Test func `bytes that do not match the list are never shown`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("liar", ["liar.bin": ResourceFixture.bytes(1_000)])
        let engine = try fixture.launch()
        fixture.shop.store.state.withLock { $0.content.lie = .otherBytes(times: 2) }
        let request = NSBundleResourceRequest(tags: ["liar"], engine: engine)
        #expect(await request.trouble()?.code == URLError.badServerResponse.rawValue)
        #expect(Bundle.main.url(forResource: "liar", withExtension: "bin") == nil)
        #expect(fixture.stored == [])
        fixture.shop.store.state.withLock { $0.content.lie = .otherBytes(times: 1) }
        #expect(await request.trouble() == nil, "once is forgiven")
    }

    // MARK: - Progress

    @Test func `a paused request waits, and continues when it is resumed`() async throws {
        let fixture = try ResourceFixture()
        fixture.add("moon", bytes: 900_000)
        fixture.shop.store.state.withLock { $0.content.bytesMax = 300_000 }
        let engine = try fixture.launch()
        let request = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        async let trouble = request.trouble()
        try await fixture.shop.sees("a part") { request.progress.completedUnitCount == 262_144 }
        request.progress.pause()
        try await fixture.shop.sees("its pause") {
            engine.state.withLock { $0.takeTurn() == nil && $0.runCount == 0 }
        }
        fixture.shop.store.state.withLock { $0.content.bytesMax = nil }
        let other = NSBundleResourceRequest(tags: ["none"], engine: engine)
        #expect(await other.trouble() != nil, "others go on")
        #expect(request.progress.completedUnitCount == 262_144)
        request.progress.resume()
        #expect(await trouble == nil)
        #expect(request.progress.completedUnitCount == 900_000)
    }

    @Test func `the most urgent request is served first`() async throws {
        let fixture = try ResourceFixture()
        for tag in ["a1", "a2", "b", "c"] { fixture.add(tag, bytes: 1_000) }
        // One of the first two is held to the end, so that the others come one after another.
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        fixture.shop.store.next("part", .held(gate))
        fixture.shop.store.state.withLock { $0.content.bytesMax = 0 }
        let engine = try fixture.launch()
        let requests = ["a1", "a2", "b", "c"].map {
            NSBundleResourceRequest(tags: [$0], engine: engine)
        }
        let ends = Mutex(0)
        for (number, request) in requests.enumerated() {
            request.beginAccessingResources { _ in ends.withLock { $0 += 1 } }
            try await fixture.shop.sees("it in line") {
                engine.state.withLock { $0.loads.count } == number + 1
            }
        }
        requests[3].loadingPriority = NSBundleResourceRequestLoadingPriorityUrgent
        #expect(NSBundleResourceRequestLoadingPriorityUrgent > 1)
        fixture.shop.store.state.withLock { $0.content.bytesMax = nil }
        try await fixture.shop.sees("all but one") { ends.withLock { $0 } == 3 }
        let order = fixture.shop.store.state.withLock { $0.content.partsGiven }
        let place = { (tag: String) in order.firstIndex { $0.hasPrefix(tag + " ") } ?? -1 }
        #expect(place("c") < place("b"))
        gate.signal()
        try await fixture.shop.sees("all") { ends.withLock { $0 } == 4 }
    }
}
