import StoreModel
import StoreRules
import Testing

struct VerifyReceiptRulesTests {
    @Test(arguments: [
        (StoreEnvironment.production, StoreEnvironment.production, 0),
        (.sandbox, .sandbox, 0),
        (.sandbox, .production, 21007),
        (.production, .sandbox, 21008),
    ])
    func `a receipt at the wrong address is sent to the other`(
        issued: StoreEnvironment, asked: StoreEnvironment, status: Int
    ) {
        #expect(VerifyReceiptRules.status(ofReceiptFrom: issued, at: asked).rawValue == status)
    }
}
