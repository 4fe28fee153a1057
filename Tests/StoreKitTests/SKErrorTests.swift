import StoreKit
import Testing

@Suite struct SKErrorTests {
    @Test func `an SKError is caught by its code`() {
        do {
            throw SKError(.paymentCancelled)
        } catch SKError.paymentCancelled {
            return
        } catch {
            Issue.record("not caught: \(error)")
        }
    }

    @Test func `an SKError survives being passed as any Error`() {
        let error: any Error = SKError(.paymentInvalid, userInfo: ["a": 1])
        #expect((error as? SKError)?.code == .paymentInvalid)
        #expect((error as? SKError)?.userInfo["a"] as? Int == 1)
        #expect((error as NSError).domain == SKErrorDomain)
        #expect((error as NSError).code == 3)
        switch error {
        case SKError.paymentInvalid: break
        default: Issue.record("the code does not match")
        }
    }

    @Test(arguments: [
        (SKError.unknown, 0), (SKError.paymentCancelled, 2), (SKError.ineligibleForOffer, 18),
    ])
    func `SKError codes have Apple's numbers`(code: SKError.Code, number: Int) {
        #expect(code.rawValue == number)
        #expect(SKError(code).errorCode == number)
    }

    @Test func `unknown codes and states are kept as values`() {
        #expect(SKError.Code(rawValue: 99)?.rawValue == 99)
        #expect(SKPaymentTransactionState(rawValue: 10)?.rawValue == 10)
        #expect(SKPaymentTransactionState.deferred.rawValue == 4)
        #expect(SKProduct.PeriodUnit.year.rawValue == 3)
        switch SKPaymentTransactionState.failed {
        case .purchasing, .purchased, .restored, .deferred: Issue.record("wrong case")
        case .failed: break
        @unknown default: Issue.record("unknown case")
        }
    }

    @Test func `the store's sentence is the localized description`() {
        let error = SKError(.unknown, userInfo: [NSLocalizedDescriptionKey: "The reason."])
        #expect(error.localizedDescription == "The reason.")
        #expect((error as any Error).localizedDescription == "The reason.")
    }
}
