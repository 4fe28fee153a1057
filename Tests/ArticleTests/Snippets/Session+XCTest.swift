import StoreKitTest
import XCTest

// begin
@available(iOS 17.0, *)
final class MembershipTests: XCTestCase {
    private var session: SKTestSession?

    override func setUp() async throws {
        let session = try SKTestSession(configurationFileNamed: "Products")
        session.disableDialogs = true
        session.clearTransactions()
        self.session = session
    }

    override func tearDown() async throws {
        session = nil
    }

    func testAMembershipThatExpiredEntitlesToNothing() async throws {
        let session = try XCTUnwrap(session)
        try await session.buyProduct(identifier: "com.example.rocketcar.club")
        try session.expireSubscription(productIdentifier: "com.example.rocketcar.club")
        for await entitlement in Transaction.currentEntitlements {
            XCTFail("still entitled to \(entitlement)")
        }
    }
}
// end
