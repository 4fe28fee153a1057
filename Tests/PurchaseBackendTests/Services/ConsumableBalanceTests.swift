import StoreHTTP
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import PurchaseBackend

/// What users have of consumables, and what a refund leaves.
@Suite(.ownThreads) struct ConsumableBalanceTests {
    private func use(
        _ rig: Rig, _ token: String, _ quantity: Int, id: String, product: String = "coins"
    ) throws -> HTTPResponse {
        let body = try WireJSON.encode(ConsumableUseBody(useId: id, quantity: quantity))
        return try rig.send(
            "POST", "/v1/products/\(product)/uses", token: token,
            String(decoding: body, as: UTF8.self))
    }

    private func balance(_ rig: Rig, _ token: String) throws -> ConsumableBalanceBody? {
        let answer = try rig.send("GET", "/v1/purchases", token: token)
        return try WireJSON.decode(OwnedPurchasesBody.self, from: answer.body).balances?.first
    }

    private func buy(_ rig: Rig, _ token: String, _ transaction: String, quantity: Int) throws {
        rig.store.verified(.init(transaction: transaction, quantity: quantity))
        #expect(try rig.submit(token, transaction: transaction).status == 200)
    }

    /// Has the store revoke a purchase, or reverse that, and the backend hear of it.
    private func refund(
        _ rig: Rig, _ transaction: String, quantity: Int, isReversed: Bool = false
    ) throws {
        rig.store.verified(
            .init(transaction: transaction, quantity: quantity, isCancelled: !isReversed))
        rig.clock.advance(milliseconds: rig.parts.settler.timings.grantCheckMilliseconds)
        // One of a user's purchases is asked about in each round.
        for _ in 1...2 {
            rig.parts.grantWorker.round()
            #expect(rig.parts.grantWorker.pool.drain(milliseconds: 20_000))
        }
    }

    @Test func `a use is taken from the balance once, and never more than there is`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        #expect(try use(rig, token, 1, id: "a").errorCode == "notEnough")
        try buy(rig, token, "1", quantity: 3)
        let first = try use(rig, token, 2, id: "a")
        #expect(first.status == 200)
        #expect(try use(rig, token, 2, id: "a") == first, "the same use again")
        #expect(try use(rig, token, 1, id: "a").errorCode == "useIdTaken")
        #expect(try use(rig, token, 2, id: "b").errorCode == "notEnough")
        #expect(try use(rig, token, 1, id: "b").status == 200)
        #expect(
            try balance(rig, token)
                == ConsumableBalanceBody(productId: "coins", granted: 3, takenBack: 0, used: 3))
        #expect(try balance(rig, rig.signUp("emil")) == nil)
        #expect(try use(rig, token, 1, id: "c", product: "turbo").status == 404)
        for (id, quantity) in [
            ("", 1), ("c", 0), ("c", -1), (String(repeating: "x", count: 65), 1),
        ] {
            #expect(try use(rig, token, quantity, id: id).errorCode == "badField")
        }
    }

    @Test(
        arguments: [
            (RefundedConsumables.belowZero, -2, nil), (.keepUsed, 0, 2),
        ] as [(RefundedConsumables, Int64, Int?)])
    func `a refund of what was used follows the policy`(
        policy: RefundedConsumables, left: Int64, kept: Int?
    ) throws {
        let rig = try Rig(refundedConsumables: policy)
        let token = try rig.signUp(forGood: true)
        try buy(rig, token, "1", quantity: 5)
        let id = try rig.submit(token, transaction: "1").outcome.submissionId
        #expect(try use(rig, token, 2, id: "a").status == 200)
        try refund(rig, "1", quantity: 5)
        #expect(try balance(rig, token)?.balance == left)
        let grant = try rig.submission(id).grant
        #expect(grant?.keptQuantity == kept)
        #expect(grant?.balance?.balance == left)
        #expect(try use(rig, token, 1, id: "b").errorCode == "notEnough")
        // What is bought next makes up for it.
        try buy(rig, token, "2", quantity: 3)
        #expect(try balance(rig, token)?.balance == left + 3)
        // A reversed refund gives back what it took.
        try refund(rig, "1", quantity: 5, isReversed: true)
        #expect(try balance(rig, token)?.balance == 6)
        #expect(try rig.submission(id).grant?.keptQuantity == nil)
    }

    @Test func `a refund of what was not used leaves the rest under either policy`() throws {
        for policy in RefundedConsumables.allCases {
            let rig = try Rig(refundedConsumables: policy)
            let token = try rig.signUp(forGood: true)
            try buy(rig, token, "1", quantity: 5)
            try buy(rig, token, "2", quantity: 2)
            #expect(try use(rig, token, 2, id: "a").status == 200)
            try refund(rig, "2", quantity: 2)
            #expect(try balance(rig, token)?.balance == 3)
            #expect(try balance(rig, token)?.takenBack == 2)
        }
    }

    @Test func `of many uses of the last one at once, one succeeds`() throws {
        let rig = try Rig()
        let token = try rig.signUp()
        try buy(rig, token, "1", quantity: 1)
        let pending = try (0..<8).map { number in
            let body = try WireJSON.encode(ConsumableUseBody(useId: "\(number)", quantity: 1))
            return rig.begin(
                "POST", "/v1/products/coins/uses", token: token,
                String(decoding: body, as: UTF8.self))
        }
        let statuses = try pending.map { try $0.answer().status }.sorted()
        #expect(statuses == [200] + Array(repeating: 409, count: 7))
        #expect(try balance(rig, token)?.balance == 0)
    }
}
