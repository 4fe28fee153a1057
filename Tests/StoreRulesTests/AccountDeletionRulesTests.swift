import StoreRules
import Testing

struct AccountDeletionRulesTests {
    struct Row: Sendable {
        var family = false
        var payment = false
        var refund = false
        let refusal: AccountDeletionRefusal?
    }

    @Test(arguments: [
        Row(refusal: nil),
        Row(family: true, payment: true, refund: true, refusal: .inFamily),
        Row(payment: true, refund: true, refusal: .paymentOpen),
        Row(refund: true, refusal: .refundOpen),
    ])
    func `an account is not deleted while money or a family depends on it`(row: Row) {
        let facts = AccountDeletionFacts(
            isInFamily: row.family, hasOpenPayment: row.payment, hasOpenRefund: row.refund)
        #expect(AccountDeletionRules.refusal(given: facts) == row.refusal)
    }
}
