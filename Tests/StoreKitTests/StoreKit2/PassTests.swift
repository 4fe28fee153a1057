import Foundation
import Synchronization
import Testing

@testable import StoreKit

@Suite struct PassTests {
    typealias Samples = SignedSamples

    private func transaction(_ id: Int) throws -> VerificationResult<Transaction> {
        .verified(
            try Transaction(Samples.signed(Samples.transaction.with("transactionId", "\(id)"))))
    }

    @Test func `a list is read at each iteration, and ends`() async throws {
        let reads = Mutex(0)
        let listed = [try transaction(1), try transaction(2)]
        let list = Transaction.Transactions {
            Pass {
                reads.withLock { $0 += 1 }
                return listed
            }
        }
        for turn in 1...2 {
            var seen: [UInt64] = []
            for await result in list { seen.append(result.unsafePayloadValue.id) }
            #expect(seen == [1, 2])
            #expect(reads.withLock { $0 } == turn)
        }
    }

    @Test func `an iterator at the end of its list stays there`() async throws {
        let listed = [try transaction(1)]
        var iterator = Transaction.Transactions { Pass { listed } }.makeAsyncIterator()
        #expect(await iterator.next() == listed[0])
        #expect(await iterator.next() == nil)
        #expect(await iterator.next() == nil)
    }

    @Test func `updates come in their order, and each iteration has a stream of its own`()
        async throws
    {
        let started = Mutex(0)
        let listed = [try transaction(1), try transaction(2)]
        let updates = Transaction.Transactions {
            started.withLock { $0 += 1 }
            let (stream, continuation) = AsyncStream.makeStream(
                of: VerificationResult<Transaction>.self)
            for result in listed { continuation.yield(result) }
            return Pass(news: stream)
        }
        for turn in 1...2 {
            var seen: [UInt64] = []
            for await result in updates {
                seen.append(result.unsafePayloadValue.id)
                if seen.count == 2 { break }
            }
            #expect(seen == [1, 2])
            #expect(started.withLock { $0 } == turn)
        }
    }

    @Test func `a cancelled task gets nothing more, from a list and from a stream`() async throws {
        let listed = [try transaction(1)]
        let list = Transaction.Transactions { Pass { listed } }
        let (stream, continuation) = AsyncStream.makeStream(
            of: VerificationResult<Transaction>.self)
        let updates = Transaction.Transactions { Pass(news: stream) }
        let (begun, began) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            began.finish()
            var seen = 0
            for await _ in updates { seen += 1 }
            for await _ in list { seen += 1 }
            return seen
        }
        for await _ in begun {}
        waiting.cancel()
        #expect(await waiting.value == 0)
        withExtendedLifetime(continuation) {}
    }

    @Test func `an iterator may be handed from one task to another`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Message.self)
        continuation.yield(Message(reason: .generic))
        continuation.yield(Message(reason: .billingIssue))
        var iterator = Message.Messages { Pass(news: stream) }.makeAsyncIterator()
        #expect(await iterator.next()?.reason == .generic)
        let handed = iterator
        let second = await Task {
            var own = handed
            return await own.next()?.reason
        }.value
        #expect(second == .billingIssue)
    }
}
