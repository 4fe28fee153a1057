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
}
