import Foundation
import Synchronization

/// Many tests at once in one process, each in a world of its own.
struct ManyWorlds: CustomStringConvertible {
    let count: Int
    let duration: Duration
    /// How many threads the process had more than before, at most.
    let threads: Int
    /// A sentence for each world in which something went wrong.
    let troubles: [String]

    var description: String { "\(count) worlds in \(duration), \(threads) threads more" }

    /// Has so many worlds subscribe, renew and verify side by side.
    static func live(_ count: Int) async throws -> ManyWorlds {
        let before = threads
        let most = Atomic(before)
        let isDone = Atomic(false)
        let watch = Task {
            while !isDone.load(ordering: .relaxed) {
                most.max(threads, ordering: .relaxed)
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
        return ManyWorlds(
            count: count, duration: ContinuousClock.now - start,
            threads: most.load(ordering: .relaxed) - before, troubles: troubles)
    }

    private static var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
}
