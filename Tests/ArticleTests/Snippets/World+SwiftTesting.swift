import BodegaTesting
import StoreKit
import Testing

// begin
@Suite struct ClubTests {
    @Test(arguments: 1...8)
    func `members pay each month`(months: Int) async throws {
        let world = try await BodegaStore.shared.world(
            catalogue: catalogue, bundleID: "com.example.rocketcar")
        let observer = ClubObserver()
        var periods = observer.periods.makeAsyncIterator()
        try await world.run { observer.join() }
        _ = await periods.next()
        for _ in 1...months {
            try await world.advance(.days(31))
            _ = await periods.next()
        }
        #expect(try await world.transactions().count == months + 1)
    }
}
// end
