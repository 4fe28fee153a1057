import Foundation
import StoreWire
import TestSupport
import Testing

/// Notifications flow while things go on happening.
@Suite(.ownThreads) struct NotificationFlowTests {
    private static let purchasesMin = 1_000
    private static let secondsMin = 60.0

    @Test func `notifications are delivered while customers never stop buying`() throws {
        let lab = try Lab.open(withBackend: false)
        let receiver = try ReceiverProgram(in: lab.folder)
        try lab.notify(receiver)
        let url = lab.storeURL + "/sandbox/device/v1/attempts"
        let tokens = try (0..<4).map { _ in try lab.signedInDevice() }
        let (log, bought, isOver) = (receiver.log, Shared(0), Shared(false))
        @Sendable func isTaken() -> Bool {
            FileManager.default.contents(atPath: log)?.isEmpty == false
        }
        // Either alone is over soon, on a fast store or a slow machine.
        let begun = Date()
        @Sendable func isInVain() -> Bool {
            bought.value >= Self.purchasesMin && Date().timeIntervalSince(begun) > Self.secondsMin
        }
        onThreads(tokens.count) { place in
            while !isTaken() {
                if isInVain() { return isOver.update { $0 = true } }
                let body = AttemptRequestBody(
                    attemptId: UUID().uuidString, productId: Lab.fuel, quantity: 1,
                    applicationUsername: nil)
                guard let bytes = try? WireJSON.encode(body) else { return }
                _ = try? Lab.call("POST", url, token: tokens[place], body: bytes)
                bought.update { $0 += 1 }
            }
        }
        #expect(!isOver.value, "nothing had been delivered when \(bought.value) had been bought")
    }
}
