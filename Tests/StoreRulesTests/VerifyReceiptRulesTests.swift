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
    func `a receipt for the wrong environment is referred to the other`(
        issued: StoreEnvironment, asked: StoreEnvironment, status: Int
    ) {
        #expect(VerifyReceiptRules.status(ofReceiptFrom: issued, at: asked).rawValue == status)
    }

    @Test(arguments: [
        (StoreEnvironment.sandbox, StoreEnvironment.sandbox, SecretCheck.notNeeded, 0),
        (.sandbox, .sandbox, .right, 0), (.sandbox, .sandbox, .wrong, 21004),
        (.production, .production, .right, 0), (.production, .production, .wrong, 21004),
        (.sandbox, .production, .wrong, 21007), (.sandbox, .production, .right, 21007),
        (.production, .sandbox, .wrong, 21008),
    ])
    func `a wrong secret is reported only at the right address`(
        issued: StoreEnvironment, asked: StoreEnvironment, secret: SecretCheck, status: Int
    ) {
        #expect(
            VerifyReceiptRules.status(ofReceiptFrom: issued, at: asked, secret: secret).rawValue
                == status)
    }

    @Test func `only auto-renewable subscriptions require a secret`() {
        #expect(VerifyReceiptRules.needsSecret([.consumable, .autoRenewable]))
        #expect(!VerifyReceiptRules.needsSecret([.consumable, .nonConsumable, .nonRenewing]))
        #expect(!VerifyReceiptRules.needsSecret([]))
    }
}
