import Foundation
import StoreCaller
import Synchronization
import TestSupport
import Testing

@testable import PurchaseBackend

/// Sign-ins on a real socket while somebody takes whatever can be taken.
@Suite(.ownThreads) struct SignInFairnessTests {
    @Test func `made-up names on eighty connections keep no user from signing in`() throws {
        let site = try Site()
        for number in 0..<8 { _ = try site.signUp("user-\(number)") }
        let isOver = Mutex(false)
        let turnedAway = Mutex(0)
        let attack = DispatchGroup()
        for connection in 0..<80 {
            attack.enter()
            Thread.detachNewThread {
                defer { attack.leave() }
                var count = 0
                while !isOver.withLock({ $0 }) {
                    count += 1
                    let answer = try? Self.signIn(site, "stranger-\(connection)-\(count)")
                    if answer == 503 { turnedAway.withLock { $0 += 1 } }
                }
            }
        }
        defer {
            isOver.withLock { $0 = true }
            attack.wait()
        }
        // There is no room for them all.
        try eventually { turnedAway.withLock { $0 } > 0 }
        let statuses = try (0..<40).map { try Self.signIn(site, "user-\($0 % 8)") }
        #expect(statuses == Array(repeating: 200, count: 40))
    }

    private static func signIn(_ site: Site, _ name: String) throws -> Int {
        try site.send(
            "POST", "/v1/sessions", "{\"name\":\"\(name)\",\"password\":\"correct horse\"}"
        ).status
    }
}
