import BodegaTesting
import TestSupport
import Testing

/// Apps whose main thread runs a loop of its own; others have an asynchronous `main`.
@Suite(.ownThreads) struct MainLoopTests {
    @Test(arguments: ["dispatch", "run-loop"])
    func `a purchase ends while the main thread runs a loop`(loop: String) async throws {
        let device = Device(world: try await Kiosk.world())
        let probe = try device.run("PurchaseProbe", ["--purchase-on=\(loop)", Kiosk.issue])
        #expect(probe.status == 0, "\(probe.output)")
        #expect(probe.output.contains("bought \(Kiosk.issue)"))
        #expect(try await device.world.transactions().count == 1)
    }
}
