import StoreKitTest
import Testing

// begin
@Suite struct FuelTests {
    @Test(arguments: 1...8)
    func `tanks add up`(tanks: Int) async throws {
        let session = try SKTestSession(configurationFileNamed: "Products")
        try await session.run {
            for _ in 1...tanks {
                try await session.buyProduct(identifier: "com.example.rocketcar.fuel")
            }
        }
        #expect(session.allTransactions().count == tanks)
    }
}
// end
