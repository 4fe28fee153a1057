import Foundation
import Testing

@testable import ManyWorldsProbe

/// Many tests at once in one process, each in a world of its own.
@Suite struct ManyWorldsTests {
    private static let count =
        ProcessInfo.processInfo.environment["BODEGA_TESTING_WORLDS"].flatMap { Int($0) } ?? 40

    /// More than these many threads are not added by any number of worlds.
    private static let threadsMax = 64

    /// In a process of its own, where no other test adds threads.
    @Test func `worlds side by side each buy, renew and verify`() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) {
            let worlds = try await ManyWorlds.live(Self.count)
            print(worlds)
            #expect(worlds.troubles == [])
            #expect(worlds.threads <= Self.threadsMax)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        for line in output.split(separator: "\n") where line.contains(" worlds in ") { print(line) }
    }
}
