import Foundation
import StoreWire
import TestSupport
import Testing

/// Notifications flow while things go on happening.
@Suite(.ownThreads) struct NotificationFlowTests {
    private static let purchasesMax = 1_000

    @Test func `notifications are delivered while customers never stop buying`() throws {
        let lab = try Lab.open(withBackend: false)
        let receiver = try ReceiverProgram(in: lab.folder)
        try lab.notify(receiver)
        let url = lab.storeURL + "/sandbox/device/v1/attempts"
        let tokens = try (0..<4).map { _ in try lab.signedInDevice() }
        let (log, bought) = (receiver.log, Shared(0))
        @Sendable func isTaken() -> Bool {
            FileManager.default.contents(atPath: log)?.isEmpty == false
        }
        onThreads(tokens.count) { place in
            while !isTaken(), bought.value < Self.purchasesMax {
                let body = AttemptRequestBody(
                    attemptId: UUID().uuidString, productId: Lab.fuel, quantity: 1,
                    applicationUsername: nil)
                guard let bytes = try? WireJSON.encode(body) else { return }
                _ = try? Lab.call("POST", url, token: tokens[place], body: bytes)
                bought.update { $0 += 1 }
            }
        }
        #expect(
            bought.value < Self.purchasesMax,
            "nothing had been delivered when so much had been bought")
    }
}
