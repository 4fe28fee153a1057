import Synchronization
import Testing

@testable import StoreKit

/// Callers and listeners that wait, without a store.
@Suite struct WaitingTests {
    @Test func `a caller is told once, and what comes later is dropped`() async {
        let callers = PurchaseCallers()
        let key = QueueKey(attemptId: "a")
        let outcome = await callers.outcome(of: "a", mayContinue: { _ in true }) {
            callers.tell(key, .bought(id: "1", Customer(worldId: "w", account: "b")))
            callers.tell(key, .pending)
        }
        guard case .bought("1", _) = outcome else {
            Issue.record("got \(outcome)")
            return
        }
        #expect(!callers.isWaiting(for: key))
    }

    @Test func `a caller whose task is cancelled is freed, and the sequences bring the rest`()
        async
    {
        let callers = PurchaseCallers()
        let key = QueueKey(attemptId: "a")
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            await callers.outcome(of: "a", mayContinue: { _ in true }) { begin.yield() }
        }
        for await _ in began { break }
        #expect(callers.tells(key) && callers.isWaiting(for: key))
        task.cancel()
        guard case .pending = await task.value else {
            Issue.record("not pending")
            return
        }
        #expect(!callers.tells(key))
    }

    @Test func `a caller in a cancelled task begins nothing`() async {
        let callers = PurchaseCallers()
        let hasBegun = Atomic(false)
        let outcome = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await callers.outcome(of: "a", mayContinue: { _ in true }) {
                hasBegun.store(true, ordering: .sequentiallyConsistent)
            }
        }.value
        switch outcome {
        case .cancelled, .pending: break
        default: Issue.record("got \(outcome)")
        }
        let began = hasBegun.load(ordering: .sequentiallyConsistent)
        #expect(!began)
    }

    @Test func `10,000 listeners that begin and leave leave nothing behind`() async {
        let listeners = Listeners<Int>()
        let left = Atomic(0)
        for number in 0..<10_000 {
            let stream = listeners.stream(
                begin: { place, tell in
                    tell(number)
                    listeners.join(place)
                }, left: { left.add(1, ordering: .sequentiallyConsistent) })
            for await element in stream {
                #expect(element == number)
                break
            }
        }
        #expect(listeners.isEmpty)
        let gone = left.load(ordering: .sequentiallyConsistent)
        #expect(gone == 10_000)
    }

    @Test func `every listener hears each message once, and none after the end`() async {
        let listeners = MessageListeners()
        let price = MessageOccasion.priceIncrease(worldId: "w", number: 1)
        let trouble = MessageOccasion.billingIssue(transactionID: 7)
        let first = listeners.stream {}
        listeners.tell([price])
        let second = listeners.stream {}
        // What lasts is told again and again; an occasion that ended and came back is the same.
        for occasions in [[price, trouble], [], [trouble, price]] { listeners.tell(occasions) }
        listeners.end()
        listeners.tell([.winBackOffer(transactionID: 8)])
        for stream in [first, second] {
            var reasons: [Message.Reason] = []
            for await message in stream { reasons.append(message.reason) }
            #expect(reasons == [.priceIncreaseConsent, .billingIssue])
        }
        #expect(listeners.isEmpty)
        for await _ in listeners.stream(left: {}) { Issue.record("told after the end") }
    }

    @Test func `an intent is handed to one who waits, and to nobody whose task is cancelled`()
        async throws
    {
        let listeners = IntentListeners()
        let product = try ProductValueTests.product(ProductValueTests.fuel)
        let intent = PurchaseIntent(product: product, offer: nil)
        #expect(!listeners.hand(intent) && listeners.isEmpty)
        let (waits, wait) = AsyncStream.makeStream(of: Void.self)
        func waiting() -> Task<PurchaseIntent?, Never> {
            let stream = listeners.stream(look: { wait.yield() }, left: {})
            return Task {
                var iterator = stream.makeAsyncIterator()
                return await iterator.next()
            }
        }
        let cancelled = waiting()
        for await _ in waits { break }
        #expect(listeners.isWaiting && !listeners.isEmpty)
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        #expect(!listeners.hand(intent) && listeners.isEmpty)
        let (one, other) = (waiting(), waiting())
        var count = 0
        for await _ in waits {
            count += 1
            if count == 2 { break }
        }
        #expect(listeners.hand(intent))
        #expect(listeners.isWaiting, "the other one waits on")
        listeners.end()
        let heard = [await one.value, await other.value].compactMap { $0 }
        #expect(heard == [intent])
        let late = waiting()
        #expect(await late.value == nil)
    }
}
