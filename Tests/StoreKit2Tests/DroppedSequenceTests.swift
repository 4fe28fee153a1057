import BodegaTesting
import Foundation
import TestSupport
import Testing

@testable import StoreKit

/// Sequences that an app begins and drops, as views do that come and go.
@Suite(.ownThreads) struct DroppedSequenceTests {
    private static let count = 10_000

    @Test func `sequences that are begun and dropped leave no listener behind`() async throws {
        let device = Device(world: try await Kiosk.world())
        let context = device.context()
        defer { context.end() }
        let feed = try #require(context.engine.feed)
        let audience = context.engine.audience
        try await context.run {
            // An app that runs listens all the time.
            let updates = Collector.updates()
            for _ in 0..<Self.count {
                await Self.drop(Transaction.updates)
                await Self.drop(Transaction.unfinished)
                await Self.drop(Transaction.all)
                await Self.drop(Transaction.currentEntitlements)
                await Self.drop(Product.SubscriptionInfo.Status.updates)
                await Self.dropAll(Product.SubscriptionInfo.Status.all)
                await Self.drop(Storefront.updates)
                await Self.drop(PurchaseIntent.intents)
                await Self.drop(Message.messages)
            }
            updates.end()
            await updates.ended()
            #expect(audience.isEmpty)
            #expect(feed.updates.isEmpty && feed.statuses.isEmpty && feed.storefronts.isEmpty)
            #expect(feed.messages.isEmpty && feed.intents.isEmpty && !feed.intents.isWaiting)
            // The sequences work as before.
            let intents = PurchaseIntent.intents.makeAsyncIterator()
            try PromotedPurchase(productIdentifier: Kiosk.issue, madeAtMilliseconds: 1)
                .leave(home: device.path)
            var iterator = intents
            #expect(await iterator.next()?.id == Kiosk.issue)
        }
    }

    /// One that is dropped while its task waits for the first element.
    private static func drop<News: AsyncSequence>(_ sequence: News) async
    where News.AsyncIterator: Sendable {
        let iterator = sequence.makeAsyncIterator()
        let task = Task {
            var iterator = iterator
            _ = try? await iterator.next()
        }
        task.cancel()
        await task.value
    }

    /// The same for a stream whose iterator stays in its task.
    private static func dropAll<Element>(_ stream: AsyncStream<Element>) async
    where Element: Sendable {
        let task = Task { for await _ in stream { return } }
        task.cancel()
        await task.value
    }

    /// The margins are 48 threads, which queues share and a busy machine adds, and 6 MiB, of which each
    /// of these keeps some 100 KiB for later. 10,000 forgotten streams of messages took 21 MiB.
    @Test func `90,000 sequences that are begun and dropped cost neither memory nor threads`()
        async throws
    {
        let device = Device(world: try await Kiosk.world())
        let probe = try device.run("SequenceProbe", ["\(Self.count)", "\(6 << 20)"])
        #expect(probe.status == 0, "\(probe.output)")
    }
}
