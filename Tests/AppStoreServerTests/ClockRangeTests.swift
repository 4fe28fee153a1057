import StoreHTTP
import StoreModel
import StoreWire
import Testing

/// What a world's clock may show is what certificates are valid for.
struct ClockRangeTests {
    @Test(arguments: [Timestamp.certified.lowerBound, Timestamp.certified.upperBound])
    func `purchases at both ends of a world's time range have receipts`(time: Timestamp)
        async throws
    {
        let store = try TestStore(at: Timestamp(seconds: 946_684_800))
        try await store.stock()
        let held = try await store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: time))
        #expect(held.status == 200)
        let token = try await store.signIn()
        _ = try await store.buy(Samples.turbo, token: token)
        let receipt = try await store.receipt(token: token)
        #expect(try await store.verify(receipt)["status"]?.integer == 0)
        let early = try await store.control(
            "PUT", "/control/v1/clock",
            body: ClockBody(mode: .held, now: Timestamp(milliseconds: 946_684_799_999)))
        #expect(early.status == 422 && errorCode(early) == "clockOutOfRange")
    }
}
