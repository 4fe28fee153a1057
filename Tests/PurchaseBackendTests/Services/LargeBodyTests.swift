import Dispatch
import TestSupport
import Testing

@testable import PurchaseBackend

@Suite(.ownThreads) struct LargeBodyTests {
    @Test func `large bodies wait for each other and small ones do not wait for them`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        rig.store.verified(.init())
        let gate = Gate()
        rig.parts.reading.async { gate.wait() }
        let receipt = String(repeating: "AAAA", count: BackendLimits.quickBodyMax / 4)
        let body = try Rig.submission(receipt: receipt)
        let pending = rig.begin("POST", "/v1/receipts", token: token, body)
        #expect(try rig.submit(token).status == 200)
        #expect(!pending.isThere)
        gate.open()
        #expect(try pending.answer().status == 200)
    }
}
