import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// The payload with room for what is signed in it.
struct NoticeBodyTests {
    private func body(
        _ bundleID: String, in environment: StoreEnvironment
    ) throws -> NoticeBody {
        NoticeBody(
            notice: NoticeName(NoticeV2(.consumptionRequest)),
            uuid: "0b7ba2b1-8e2f-4b0e-9f1c-3f4f5a6b7c8d",
            app: AppRow(
                id: AppID(1), bundleID: bundleID, number: try #require(AppNumber(1_234_567_890)),
                storefront: .default, developer: "default", delayMilliseconds: nil,
                gracePeriod: nil),
            environment: environment, environmentName: environment.wireName,
            signedAt: TestStore.start)
    }

    private func text(_ body: NoticeBody, version: String? = "1.2") -> [UInt8] {
        body.json {
            body.writeData(to: &$0, bundleVersion: version, reason: .legal, status: .gracePeriod)
        }
    }

    /// Source: Apple, *responseBodyV2DecodedPayload* and *data*; the order of members is our own.
    @Test func `a payload has Apple's members, with the app's number in production`() throws {
        var payload = text(try body("com.example.app", in: .production))
        SignedPart.transaction.fill("T.T.T".utf8, into: &payload)
        SignedPart.renewal.fill("R.R.R".utf8, into: &payload)
        #expect(
            String(decoding: payload, as: UTF8.self) == """
                {"data":{"appAppleId":1234567890,"bundleId":"com.example.app",\
                "bundleVersion":"1.2","consumptionRequestReason":"LEGAL",\
                "environment":"Production","signedRenewalInfo":"R.R.R",\
                "signedTransactionInfo":"T.T.T","status":4},\
                "notificationType":"CONSUMPTION_REQUEST",\
                "notificationUUID":"0b7ba2b1-8e2f-4b0e-9f1c-3f4f5a6b7c8d",\
                "signedDate":1714558830123,"version":"2.0"}
                """)
    }

    @Test func `a value that looks like room for signed data is not filled`() throws {
        let hostile = #"com.example","signedTransactionInfo":"","x":""#
        var payload = text(try body(hostile, in: .sandbox), version: hostile)
        SignedPart.transaction.fill("T.T.T".utf8, into: &payload)
        let read = try JSONValue(parsing: payload)
        #expect(read["data"]?["bundleId"]?.string == hostile)
        #expect(read["data"]?["bundleVersion"]?.string == hostile)
        #expect(read["data"]?["signedTransactionInfo"]?.string == "T.T.T")
        #expect(read["data"]?["appAppleId"] == nil)
    }
}
