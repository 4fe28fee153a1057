import CMalloc
import Foundation
import StoreKit

/// A small app for tests that begins each sequence of StoreKit 2 and drops it, again and again, and
/// prints what it has before and after.
///
/// `SequenceProbe COUNT BYTES`: every second iteration is dropped before its first element, the others
/// while a task waits for it. It ends with 0 as soon as the process has at most so many bytes more than
/// before, and hardly more threads, and with 1 when that does not come about.
@main enum SequenceProbe {
    private static let triesMax = 300

    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard numbers.count == 2 else { exit(2) }
        // An app that runs listens all the time.
        let updates = Task { for await _ in Transaction.updates {} }
        for await _ in Transaction.all {}
        // Pools and caches have their size after some.
        await drop(numbers[0] / 5)
        try await Task.sleep(for: .seconds(1))
        let before = Usage.now
        print("before: \(before)")
        await drop(numbers[0])
        var after = Usage.now
        for _ in 0..<triesMax where !after.isLike(before, bytesMax: numbers[1]) {
            try await Task.sleep(for: .milliseconds(100))
            after = Usage.now
        }
        print("after: \(after)")
        updates.cancel()
        exit(after.isLike(before, bytesMax: numbers[1]) ? 0 : 1)
    }

    private static func drop(_ count: Int) async {
        for number in 0..<count {
            let waits = number % 2 == 1
            await drop(Transaction.updates, waits)
            await drop(Transaction.unfinished, waits)
            await drop(Transaction.all, waits)
            await drop(Transaction.currentEntitlements, waits)
            await drop(Product.SubscriptionInfo.Status.updates, waits)
            await dropAll(Product.SubscriptionInfo.Status.all, waits)
            await drop(Storefront.updates, waits)
            await drop(PurchaseIntent.intents, waits)
            await drop(Message.messages, waits)
        }
    }

    /// A stream whose iterator stays in its task.
    private static func dropAll<Element>(_ stream: AsyncStream<Element>, _ waits: Bool) async
    where Element: Sendable {
        guard waits else { return }
        let task = Task { for await _ in stream { return } }
        await Task.yield()
        task.cancel()
        await task.value
    }

    private static func drop<News: AsyncSequence>(_ sequence: News, _ waits: Bool) async
    where News.AsyncIterator: Sendable {
        let iterator = sequence.makeAsyncIterator()
        guard waits else { return }
        let task = Task {
            var iterator = iterator
            _ = try? await iterator.next()
        }
        await Task.yield()
        task.cancel()
        await task.value
    }
}

/// What the process has.
private struct Usage: CustomStringConvertible {
    /// How far the number of threads differs from one moment to another: queues share them.
    private static let threadsMax = 48

    /// What is allocated, without what the allocator keeps for later.
    let bytes: Int
    let threads: Int

    static var now: Usage {
        let memory = mallinfo2()
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        return Usage(bytes: Int(memory.uordblks + memory.hblkhd), threads: threads ?? 0)
    }

    func isLike(_ before: Usage, bytesMax: Int) -> Bool {
        bytes <= before.bytes + bytesMax && threads <= before.threads + Self.threadsMax
    }

    var description: String { "\(bytes >> 10) KiB, \(threads) threads" }
}
