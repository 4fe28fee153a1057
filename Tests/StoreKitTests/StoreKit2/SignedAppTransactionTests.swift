import Foundation
import Testing

@testable import StoreKit

@Suite struct SignedAppTransactionTests {
    typealias Samples = SignedSamples

    @Test func `an app's purchase has every member of its payload`() throws {
        let app = try AppTransaction(Samples.signed(Samples.app))
        #expect(app.appID == 1_234_567_890)
        #expect(app.appTransactionID == "704312345678901")
        #expect(app.appVersion == "2.1")
        #expect(app.appVersionID == 42)
        #expect(app.bundleID == "com.example.rocketcar")
        #expect(app.environment == .production)
        #expect(app.originalAppVersion == "1.0")
        #expect(app.originalPurchaseDate == Date(milliseconds: 1_375_340_400_000))
        #expect(app.originalPlatform == .macOS)
        #expect(app.preorderDate == Date(milliseconds: 1_370_000_000_000))
        #expect(app.deviceVerification == Data([1, 2, 3, 4]))
        #expect(app.deviceVerificationNonce == UUID(uuidString: Samples.nonce))
        #expect(app.signedDate == Date(milliseconds: 1_700_000_400_000))
    }

    @Test func `members that are absent are nil or empty, and the platform is iOS`() throws {
        let app = try AppTransaction(Samples.signed(Samples.app.only(Samples.neededByApps)))
        #expect(app.appID == nil)
        #expect(app.appTransactionID == "")
        #expect(app.appVersionID == nil)
        #expect(app.originalPlatform == .iOS)
        #expect(app.preorderDate == nil)
    }

    @Test(arguments: SignedSamples.neededByApps)
    func `an app's purchase without a member that it needs is an error`(name: String) throws {
        let signed = try Samples.signed(Samples.app.without(name))
        #expect(throws: MissingProperty(name: name)) { try AppTransaction(signed) }
    }

    @Test func `an app's purchase equals its copy, and its JSON is the payload's bytes`() throws {
        let signed = try Samples.signed(Samples.app)
        let app = try AppTransaction(signed)
        #expect(try app == AppTransaction(signed))
        #expect(
            try app != AppTransaction(Samples.signed(Samples.app.with("applicationVersion", "3"))))
        #expect(app.jsonRepresentation == signed.payload)
    }
}
