import Foundation
import StoreModel
import StoreSigning
import StoreWire
import Testing

/// What `verifyReceipt` answers to the receipt of a single transaction of a subscription.
struct OldAnswer {
    private let json: JSONValue
    private let status: Int64
    private let isServed: Bool
    private let receipt: JSONValue
    private let newest: JSONValue

    init(_ json: JSONValue) throws {
        self.json = json
        status = try #require(json["status"]?.integer)
        isServed = status == 0
        receipt = try #require(json["receipt"])
        let (name, other) = ("latest_receipt_info", "latest_expired_receipt_info")
        newest = try #require(json[isServed ? name : other])
        #expect(json[isServed ? other : name] == nil)
    }

    /// The newest period's receipt comes along while it is served, and says what is told of it.
    func check(with verifier: TransactionReceiptVerifier) throws {
        guard isServed else {
            #expect(json["latest_receipt"] == nil)
            return
        }
        let text = try #require(json["latest_receipt"]?.string)
        let latest = try verifier.verify(Array(try #require(Data(base64Encoded: text)))).info
        #expect(latest.transactionID == newest["transaction_id"]?.string)
        let end = latest.subscription?.expiresAt
        #expect(end.map { "\($0.milliseconds)" } == newest["expires_date"]?.string)
    }

    /// `iOS 6 #1 to 2026-05-01: 0, newest #2 to 2026-06-01, silver on`
    func line(_ numbers: SaleNumbers) -> String {
        let product = json["auto_renew_product_id"]?.string?.productName ?? ""
        return "iOS 6 \(Self.period(receipt, numbers)): \(status), "
            + "\(isServed ? "newest" : "ended") \(Self.period(newest, numbers)), "
            + "\(product) \(json.renewing)"
    }

    private static func period(_ json: JSONValue, _ numbers: SaleNumbers) -> String {
        let end = json["expires_date"]?.string.flatMap { Int64($0) }
        var text = numbers[json["transaction_id"]?.string ?? ""]
        text += " to " + (end.map { Timestamp(milliseconds: $0).told } ?? "no end")
        if let date = json["cancellation_date"]?.string {
            text += " cancelled \(date.prefix(10))"
            if let reason = json["cancellation_reason"]?.string { text += " for \(reason)" }
        }
        return text
    }
}
