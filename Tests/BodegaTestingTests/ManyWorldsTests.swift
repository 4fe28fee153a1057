import BodegaTesting
import Foundation
import Synchronization
import Testing

/// Many tests at once in one process, each in a world of its own.
@Suite struct ManyWorldsTests {
    /// `BODEGA_TESTING_WORLDS=200 scripts/test --filter ManyWorldsTests` for all of them.
    private static let count =
        ProcessInfo.processInfo.environment["BODEGA_TESTING_WORLDS"].flatMap { Int($0) } ?? 40

    /// More than these many threads are not added by any number of worlds.
    private static let threadsMax = 64

    /// In a process of its own, where no other test adds threads.
    @Test func `worlds side by side each buy, renew and verify`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) { try await Self.live() }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        for line in output.split(separator: "\n") where line.contains(" worlds in ") { print(line) }
    }

    private static func live() async throws {
        let threads = threads
        let most = Atomic(0)
        let isDone = Atomic(false)
        let watch = Task {
            while !isDone.load(ordering: .relaxed) {
                most.max(Self.threads, ordering: .relaxed)
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        let start = ContinuousClock.now
        let troubles = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<count { group.addTask { try await Rocket.world().live() } }
            return try await group.reduce(into: [String]()) {
                if let trouble = $1 { $0.append(trouble) }
            }
        }
        isDone.store(true, ordering: .relaxed)
        await watch.value
        let added = most.load(ordering: .relaxed) - threads
        print("\(count) worlds in \(ContinuousClock.now - start), \(added) threads more")
        #expect(troubles == [])
        #expect(added <= threadsMax)
    }

    private static var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
}
