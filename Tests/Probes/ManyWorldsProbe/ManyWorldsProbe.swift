import Foundation
import Synchronization

/// What the thread sanitizer is to watch: `ManyWorldsProbe N` has N worlds subscribe, renew and
/// verify at once; `ManyWorldsProbe --race` lets two threads change a number, to see that the
/// sanitizer reports that and nothing of the number beside it, which a `Mutex` guards.
@main enum ManyWorldsProbe {
    static func main() async throws {
        let argument = CommandLine.arguments.dropFirst().first ?? ""
        if argument == "--race" { return Race().run() }
        guard let count = Int(argument), count > 0 else {
            FileHandle.standardError.write(Data("ManyWorldsProbe N or --race\n".utf8))
            exit(2)
        }
        let worlds = try await ManyWorlds.live(count)
        print(worlds)
        for trouble in worlds.troubles { print(trouble) }
        exit(worlds.troubles.isEmpty ? 0 : 1)
    }
}

private final class Race: @unchecked Sendable {
    private let guarded = Mutex(0)
    private var unguarded = 0
    private let ended = DispatchSemaphore(value: 0)

    func run() {
        for _ in 0..<2 {
            Thread.detachNewThread { [self] in
                // Often enough that the threads meet in the lock.
                for _ in 0..<100_000 { changeGuarded() }
                changeUnguarded()
                ended.signal()
            }
        }
        for _ in 0..<2 { ended.wait() }
        print("\(guarded.withLock { $0 }) changes under the lock, \(unguarded) without")
    }

    @inline(never) private func changeGuarded() { guarded.withLock { $0 += 1 } }
    @inline(never) private func changeUnguarded() { unguarded += 1 }
}
