import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// Seeds whose accounts need approval or are interrupted.
struct WaitingSeedTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func seed(_ accounts: String, finished: Bool) async -> HTTPResponse {
        let text = SeedTests.text(
            accounts: accounts,
            purchases: """
                [{"account":"buyer","productId":"\(Samples.fuel)","at":"2026-01-31",
                  "finished":\(finished)}]
                """)
        return await store.send(
            "PUT", "/control/v1/worlds/one", token: TestStore.controlToken,
            body: Array(text.utf8))
    }

    @Test func `a seed can contain a purchase awaiting approval`() async throws {
        let seeded = await seed(
            #"[{"name":"buyer","password":"rocket-fuel-1","needsApproval":true}]"#,
            finished: false)
        #expect(seeded.status == 200 || seeded.status == 201)
        let list = try await store.control("GET", "/t/one/control/v1/approvals")
        let approvals = try WireJSON.decode(ApprovalsBody.self, from: list.body).approvals
        #expect(approvals.map(\.account) == ["buyer"])
        let answer = try await store.control("POST", "/t/one/control/v1/approvals/1/approve")
        #expect(answer.status == 200)
        let bought = try WireJSON.decode(ApprovalBody.self, from: answer.body)
        #expect(bought.transactionId == "2000000000500000")
    }

    @Test func `a seed that finishes a waiting purchase is refused with the reason`() async throws {
        let seeded = await seed(
            #"[{"name":"buyer","password":"rocket-fuel-1","interruptsPurchases":true}]"#,
            finished: true)
        #expect(seeded.status == 422 && errorCode(seeded) == "badSeed")
        #expect(String(decoding: seeded.body, as: UTF8.self).contains("cannot be finished"))
    }

    @Test func `a reset drops purchases awaiting approval`() async throws {
        _ = await seed(
            #"[{"name":"buyer","password":"rocket-fuel-1","needsApproval":true}]"#,
            finished: false)
        let reset = try await store.control(
            "POST", "/control/v1/worlds/one/reset", body: ResetWorldBody(keepCatalogue: true))
        #expect(reset.status == 200)
        let list = try await store.control("GET", "/t/one/control/v1/approvals")
        #expect(try WireJSON.decode(ApprovalsBody.self, from: list.body).approvals.isEmpty)
    }
}
