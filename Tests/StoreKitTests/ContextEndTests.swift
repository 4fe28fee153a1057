import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// What a context refuses, and what is left of one that has ended.
@Suite(.ownThreads) struct ContextEndTests {
    private static let sentence = "The world has ended."

    /// Refuses what the app begins, when it is told to.
    private final class Refusal: Sendable {
        let isOn = Mutex(false)

        var reason: FailureReason? {
            isOn.withLock { $0 } ? FailureReason(.paymentNotAllowed, "Another address.") : nil
        }
    }

    private func context(of shop: Shop, _ refusal: Refusal = Refusal()) -> StoreContext {
        let settings = shop.settings()
        return StoreContext(objection: { refusal.reason }) { StoreConfiguration.read(settings) }
    }

    @Test func `the end stops downloads of resources, those that run and those that wait`()
        async throws
    {
        let shop = try Shop()
        let tags: Set = ["one", "two", "three"]
        shop.store.state.withLock { state in
            for tag in tags { state.resources.add(tag, ["\(tag).bin": [1, 2, 3]]) }
        }
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        shop.store.next("part", .held(first), .held(second))
        let context = StoreContext(variables: shop.settings(), ending: Self.sentence)
        let request = await context.run { UncheckedBox(NSBundleResourceRequest(tags: tags)) }.value
        let trouble = Task { await request.trouble() }
        try await shop.sees("two parts") { shop.store.count("part") == 2 }
        context.end()
        first.signal()
        second.signal()
        let heard = await trouble.value
        #expect(heard?.localizedDescription == Self.sentence)
        #expect(context.resources.state.withLock { $0.loads.isEmpty && $0.runCount == 0 })
        #expect(shop.store.count("part") == 2)
        let again = await request.trouble()
        #expect(again?.code == CocoaError.featureUnsupported.rawValue)
    }

    @Test(.timeLimit(.minutes(3))) func `a call that the end cancels ends its download for good`()
        async throws
    {
        let fixture = try ResourceFixture()
        fixture.add("alone", bytes: 3_000_000)
        let engine = try fixture.launch()
        let gate = DispatchSemaphore(value: 0)
        fixture.shop.store.next("part", .held(gate))
        let request = NSBundleResourceRequest(tags: ["alone"], engine: engine)
        let trouble = Task { await request.trouble() }
        try await fixture.shop.sees("the part") { fixture.shop.store.count("part") == 1 }
        // The connection alone ends, without a word to the engine.
        try engine.parts.get().connection.end()
        gate.signal()
        let heard = await trouble.value
        #expect(heard?.localizedDescription.contains("has ended") == true)
        #expect(engine.state.withLock { $0.loads.isEmpty && $0.runCount == 0 })
    }

    @Test func `the end leaves no download that comes unasked, and begins none`() async throws {
        let fixture = try ResourceFixture()
        for tag in ["one", "two", "three"] { fixture.add(tag, bytes: 1_000, kind: .prefetch) }
        fixture.add("moon", bytes: 1_000)
        let gate = DispatchSemaphore(value: 0)
        fixture.shop.store.next("part", .held(gate))
        let engine = try fixture.launch()
        let request = NSBundleResourceRequest(tags: ["moon"], engine: engine)
        #expect(await !request.conditionallyBeginAccessingResources())
        try await fixture.shop.sees("the first part") { fixture.shop.store.count("part") == 1 }
        let ends = engine.state.withLock { $0.loads.values.flatMap(\.unasked) }
        #expect(ends.count == 3)
        try engine.parts.get().connection.end()
        engine.end(saying: Self.sentence)
        gate.signal()
        #expect(engine.state.withLock { $0.loads.isEmpty })
        #expect(ends.allSatisfy { $0.group.wait(timeout: .now()) == .success && !$0.isComplete })
        // The list is known, so the store need not be asked for it.
        engine.state.withLock { $0.installing = [] }
        #expect(await request.trouble()?.localizedDescription == Self.sentence)
        #expect(engine.state.withLock { $0.loads.isEmpty })
    }

    /// Gives each reader of a file its bytes when the reader asks, the last one after the body.
    private func feed(
        readersOf path: String, untilLast isLast: () -> Bool, _ beforeLast: () -> Void
    ) throws {
        let bytes = try #require(FileManager.default.contents(atPath: path))
        func placePipe() {
            #expect(mkfifo(path + ".next", 0o600) == 0 && rename(path + ".next", path) == 0)
        }
        placePipe()
        var isOver = false
        while !isOver {
            // Returns when somebody opens it for reading; the next reader gets another pipe.
            let pipe = open(path, O_WRONLY | O_CLOEXEC)
            isOver = isLast()
            if isOver { beforeLast() } else { placePipe() }
            try FileHandle(fileDescriptor: pipe, closeOnDealloc: true).write(contentsOf: bytes)
        }
    }

    @Test func `the end waits for a request for products that is being registered`() async throws {
        let shop = try Shop()
        let context = StoreContext(variables: shop.settings(), ending: Self.sentence)
        let connection = try context.engine.parts.get().connection
        let file = shop.home + "/device.json"
        let ended = DispatchSemaphore(value: 0)
        let written = Mutex(false)
        Thread.detachNewThread { _ = context.products([Shop.turbo]) }
        try feed(readersOf: file, untilLast: { shop.store.count("register") == 1 }) {
            Thread.detachNewThread {
                context.end()
                var status = stat()
                let isFile = stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                written.withLock { $0 = isFile }
                ended.signal()
            }
            while !connection.hasEnded { usleep(1_000) }
        }
        ended.wait()
        #expect(written.withLock { $0 }, "the answer was still to be written")
        #expect(throws: SKError.self) { _ = try context.products([Shop.turbo]).get() }
    }

    @Test func `after the end key values do not make the home folder again`() async throws {
        let shop = try Shop()
        let context = StoreContext(variables: shop.settings(), ending: Self.sentence)
        let values = await context.run { UncheckedBox(NSUbiquitousKeyValueStore.default) }.value
        values.set(1 as Int64, forKey: "laps")
        #expect(values.synchronize())
        context.end()
        try FileManager.default.removeItem(atPath: shop.home)
        values.set(2 as Int64, forKey: "laps")
        #expect(values.longLong(forKey: "laps") == 2 && !values.synchronize())
        #expect(!FileManager.default.fileExists(atPath: shop.home))
    }

    @Test func `a price consent is not shown at the app's request while that is refused`()
        async throws
    {
        let shop = try Shop()
        let refusal = Refusal()
        let context = context(of: shop, refusal)
        let decider = PriceConsentTests.Decider(isWilling: false)
        shop.keep(decider)
        context.queue.delegate = decider
        #expect(context.signIn() == nil)
        shop.store.askAboutPrice(of: Shop.turbo)
        let ear = Ear(receiptPath: "")
        context.queue.add(ear)
        try await shop.sees("the question") { decider.asked.withLock { $0.count } == 1 }
        func show() {
            context.queue.showPriceConsentIfNeeded()
            for queue in [context.engine.events, context.engine.sheets] { queue.sync {} }
        }
        // The delegate's answer is handled before what the app begins after it.
        DispatchQueue.main.sync {}
        refusal.isOn.withLock { $0 = true }
        show()
        #expect(shop.store.priceConsents == [.pending])
        refusal.isOn.withLock { $0 = false }
        show()
        #expect(shop.store.priceConsents == [.agreed])
        context.queue.remove(ear)
    }

    @Test func `handlers of resources and promotions are called in their context`() async throws {
        let shop = try Shop()
        let refusal = Refusal()
        let context = context(of: shop, refusal)
        let (request, own) = await context.run {
            (
                UncheckedBox(NSBundleResourceRequest(tags: ["moon"])),
                UncheckedBox(SKProductStorePromotionController())
            )
        }
        let device = context.promotionController
        for controller in [own.value, device] {
            let isBound = await withCheckedContinuation { answer in
                controller.fetchStorePromotionOrder { _, _ in
                    answer.resume(returning: StoreContext.current === context)
                }
            }
            #expect(isBound)
        }
        refusal.isOn.withLock { $0 = true }
        let isBound = await withCheckedContinuation { answer in
            request.value.beginAccessingResources { (_: (any Error)?) in
                answer.resume(returning: StoreContext.current === context)
            }
        }
        #expect(isBound)
    }
}
