import StoreModel
import StoreRules
import Testing

struct ReviewRulesTests {
    private static let allowed: [SaleState: [ReviewStep: SaleState]] = [
        .pendingApproval: [.approved: .clearedForSale, .rejected: .rejected],
        .rejected: [.submitted: .pendingApproval, .rejected: .rejected],
        .clearedForSale: [
            .submitted: .pendingApproval, .rejected: .rejected, .removed: .removedFromSale,
        ],
        .removedFromSale: [
            .submitted: .pendingApproval, .rejected: .rejected, .relisted: .clearedForSale,
        ],
    ]

    @Test(arguments: SaleState.allCases, ReviewStep.allCases)
    func `each review step from each state leads where the table says`(
        state: SaleState, step: ReviewStep
    ) throws {
        if let next = Self.allowed[state]?[step] {
            #expect(try ReviewRules.after(step, in: state) == next)
        } else {
            #expect(throws: ReviewRules.Refusal.notAllowed(step, in: state)) {
                try ReviewRules.after(step, in: state)
            }
        }
    }

    /// Whatever is tried in whatever order, nothing comes to be sold that was never approved.
    @Test func `no path from waiting or rejected to sale avoids an approval`() {
        var reached: Set<SaleState> = [.pendingApproval, .rejected]
        for _ in SaleState.allCases {
            for state in reached {
                for step in ReviewStep.allCases where step != .approved {
                    if let next = try? ReviewRules.after(step, in: state) { reached.insert(next) }
                }
            }
        }
        #expect(reached == [.pendingApproval, .rejected])
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        var state = SaleState.pendingApproval
        let request: ReviewRequest
        var last: ReviewRequest?
        let expected: Result<ReviewDecision, ReviewRules.Refusal>
    }

    private static func request(
        _ state: SaleState, _ reason: RejectionReason? = nil, note: String? = nil
    ) -> ReviewRequest {
        ReviewRequest(state: state, reason: reason, note: note)
    }

    static let rows = [
        Row(
            testDescription: "an approval", request: request(.clearedForSale),
            expected: .success(.taken(.approved, .clearedForSale))),
        Row(
            testDescription: "the same state again", state: .clearedForSale,
            request: request(.clearedForSale), expected: .success(.unchanged)),
        Row(
            testDescription: "what was removed comes back without an approval",
            state: .removedFromSale, request: request(.clearedForSale),
            expected: .success(.taken(.relisted, .clearedForSale))),
        Row(
            testDescription: "what was rejected is handed in anew first", state: .rejected,
            request: request(.clearedForSale),
            expected: .failure(.notAllowed(.approved, in: .rejected))),
        Row(
            testDescription: "what waits is not removed", request: request(.removedFromSale),
            expected: .failure(.notAllowed(.removed, in: .pendingApproval))),
        Row(
            testDescription: "a rejection with a clause of the policy",
            request: request(.rejected, .digitalGoodsOnly),
            expected: .success(.taken(.rejected, .rejected))),
        Row(
            testDescription: "a rejection without a reason",
            request: request(.rejected, note: "no"),
            expected: .failure(.reasonMissing)),
        Row(
            testDescription: "another reason without a note", request: request(.rejected, .other),
            expected: .failure(.noteMissing)),
        Row(
            testDescription: "another reason with a note",
            request: request(.rejected, .other, note: "it is empty"),
            expected: .success(.taken(.rejected, .rejected))),
        Row(
            testDescription: "an approval with a reason",
            request: request(.clearedForSale, .digitalGoodsOnly),
            expected: .failure(.reasonNotWanted)),
        Row(
            testDescription: "the same rejection twice", state: .rejected,
            request: request(.rejected, .digitalGoodsOnly),
            last: request(.rejected, .digitalGoodsOnly),
            expected: .success(.unchanged)),
        Row(
            testDescription: "a rejection for one more reason", state: .rejected,
            request: request(.rejected, .noIntermediaryCurrency),
            last: request(.rejected, .digitalGoodsOnly),
            expected: .success(.taken(.rejected, .rejected))),
    ]

    @Test(arguments: rows)
    func `a review decision is taken or refused as its row says`(row: Row) {
        let decided = Result { () throws(ReviewRules.Refusal) in
            try ReviewRules.decide(row.request, in: row.state, last: row.last)
        }
        #expect(decided == row.expected)
    }

    @Test func `a new product waits for review when the shop requires it`() {
        #expect(ReviewRules.stateOfNewProduct(waitsForReview: true) == .pendingApproval)
        #expect(ReviewRules.stateOfNewProduct(waitsForReview: false) == .clearedForSale)
    }

    @Test func `devices know only approved products`() {
        #expect(
            SaleState.allCases.filter(\.isKnownToDevices) == [.clearedForSale, .removedFromSale])
    }
}
