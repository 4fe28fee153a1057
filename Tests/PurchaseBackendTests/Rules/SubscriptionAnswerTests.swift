import StoreModel
import Testing

@testable import PurchaseBackend

/// What is read of answers that speak of subscriptions.
struct SubscriptionAnswerTests {
    private typealias Answers = SubscriptionAnswers

    private func read(
        _ text: String, from environment: StoreEnvironment = .production
    ) -> VerifyAnswer {
        VerifyAnswer.read(httpStatus: 200, body: Array(text.utf8), from: environment)
    }

    private func verified(_ text: String) throws -> ReceiptSummary {
        try #require(read(text).receipt, "\(read(text))")
    }

    private func moment(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds)
    }

    @Test func `a unified answer gives periods, renewal, clock and newest receipt`() throws {
        let first = Answers.Period()
        let second = first.renewed("1000000000000002")
        let answer = Answers.unified(
            [second, first], [.init(renewsAs: "gold.year", isRetried: false, intent: 1)],
            at: Answers.start + 5, inApp: [first])
        let receipt = try verified(answer)
        #expect(receipt.requestedAt == moment(Answers.start + 5))
        #expect(receipt.verdict == nil)
        #expect(receipt.latestReceipt == Array("latest".utf8))
        #expect(
            receipt.renewals == [
                "1000000000000001": .init(
                    renews: true, renewsAs: "gold.year", isRetried: false, intent: 1)
            ])
        let periods = try #require(receipt.periods["1000000000000001"])
        #expect(periods.map(\.transactionID) == ["1000000000000001", "1000000000000002"])
        #expect(periods.map(\.expiresAt) == [moment(first.ends), moment(second.ends)])
        #expect(receipt.purchases.count == 2, "what is listed twice is one")
    }

    @Test func `renewals listed beside an empty receipt are read`() throws {
        let receipt = try verified(Answers.unified([.init()], inApp: []))
        #expect(receipt.purchases.map(\.transactionID) == ["1000000000000001"])
    }

    @Test func `a cancellation in either list counts, and an upgrade is not one`() throws {
        var taken = Answers.Period()
        taken.cancelledAt = Answers.start + 1
        let receipt = try verified(Answers.unified([taken], inApp: [.init()]))
        #expect(receipt.purchases.map(\.isCancelled) == [true])
        #expect(receipt.purchases.map(\.cancelledAt) == [moment(Answers.start + 1)])
        taken.isUpgraded = true
        let upgraded = try verified(Answers.unified([taken], inApp: []))
        #expect(upgraded.purchases.map(\.isCancelled) == [false])
        #expect(upgraded.purchases.map(\.isUpgraded) == [true])
        // The receipt has the cancellation and not what it was for.
        let held = try verified(Answers.unified([taken]))
        #expect(held.purchases.map(\.isCancelled) == [false])
        #expect(held.purchases.map(\.isUpgraded) == [true])
    }

    @Test func `a receipt signed before a refund was reversed decides nothing about the period`()
        throws
    {
        var taken = Answers.Period()
        taken.cancelledAt = Answers.start + 1
        let receipt = try verified(Answers.unified([.init()], inApp: [taken]))
        #expect(receipt.purchases.map(\.isCancelled) == [false])
        #expect(receipt.purchases.map(\.cancelledAt) == [nil])
        #expect(receipt.listed == ["1000000000000001"])
    }

    @Test func `an iOS 6 style answer has an object, numbers and no clock`() throws {
        let first = Answers.Period()
        let second = first.renewed("1000000000000002")
        let receipt = try verified(Answers.old(first, latest: second, renews: false))
        #expect(receipt.verdict == .running)
        #expect(receipt.requestedAt == nil)
        #expect(receipt.latestReceipt == Array("old".utf8))
        #expect(receipt.listed == ["1000000000000002"], "the newest, as it stands")
        #expect(receipt.renewals["1000000000000001"]?.renews == false)
        #expect(receipt.renewals["1000000000000001"]?.renewsAs == "gold.month")
        #expect(
            receipt.periods["1000000000000001"]?.map(\.expiresAt)
                == [moment(first.ends), moment(second.ends)])
    }

    @Test func `21006 with a receipt means an expired subscription`() throws {
        let answer = Answers.old(
            .init(), latest: .init(), status: 21_006, renews: false, isRetried: false, intent: 1)
        #expect(read(answer).storeStatus == 21_006)
        let receipt = try verified(answer)
        #expect(receipt.verdict == .expired)
        #expect(receipt.listed.isEmpty, "one that is not served may have been taken back")
        #expect(receipt.renewals.values.first?.intent == 1)
        #expect(read("{\"status\":21006}") == .refused(status: 21_006))
        #expect(read("{\"status\":21006,\"receipt\":null}") == .refused(status: 21_006))
    }

    @Test func `an iOS 6 style receipt without a subscription has no verdict`() throws {
        let text = """
            {"status":0,"receipt":{"bid":"b","bvrs":"1","quantity":"1","product_id":"coins",
            "transaction_id":"1","original_transaction_id":"1"}}
            """
        #expect(try verified(text).verdict == nil)
    }

    @Test func `a restored transaction takes its end from the newest one`() throws {
        let latest = Answers.Period(transaction: "1000000000000007").oldJSON()
        let text = """
            {"status":0,"receipt":{"bid":"b","bvrs":"1","quantity":"1","product_id":"gold.month",
            "transaction_id":"1000000000000009","original_transaction_id":"1000000000000001",
            "purchase_date_ms":"1"},"latest_receipt_info":\(latest)}
            """
        let receipt = try verified(text)
        #expect(receipt.verdict == .running)
        #expect(receipt.periods["1000000000000001"]?.count == 1)
    }

    @Test(arguments: [
        (#""expires_date_ms":"5000","purchase_date_ms":"1000""#, 5_000),
        (#""expires_date_ms":5000,"purchase_date_ms":1000"#, 5_000),
        (#""expires_date":"5000","purchase_date":"1970-01-01 00:00:01 Etc/GMT""#, 5_000),
        (#""expires_date":"1970-01-01 00:00:05 Etc/GMT","purchase_date_ms":"1""#, 5_000),
    ])
    func `an expiry date is read in every spelling`(fields: String, end: Int64) throws {
        let receipt = try verified(Self.answer(period: fields))
        #expect(receipt.periods["1"]?.first?.expiresAt == moment(end))
    }

    private static func answer(period: String, more: String = "") -> String {
        """
        {"status":0,"receipt":{"bundle_id":"b","application_version":"1","in_app":[]},
        "latest_receipt_info":[{"quantity":"1","product_id":"p","transaction_id":"1",
        "original_transaction_id":"1",\(period)}]\(more)}
        """
    }

    @Test(arguments: [
        answer(period: #""expires_date_ms":"5000""#),
        answer(period: #""expires_date":"tomorrow","purchase_date_ms":"1""#),
        answer(period: #""expires_date_ms":"x","expires_date":"x","purchase_date_ms":"1""#),
        #"{"status":0,"receipt":{"bundle_id":"b","application_version":"1","in_app":[]},"latest_receipt_info":"x"}"#,
        #"{"status":0,"receipt":{"bundle_id":"b","application_version":"1","in_app":[]},"latest_receipt_info":[{}]}"#,
        answer(
            period: #""purchase_date_ms":"1""#,
            more: #","pending_renewal_info":[{"auto_renew_status":"1"}]"#),
        answer(period: #""purchase_date_ms":"1""#, more: #","pending_renewal_info":{}"#),
    ])
    func `a present but malformed part makes the answer invalid`(text: String) {
        guard case .retry = read(text) else {
            Issue.record("read as \(read(text))")
            return
        }
    }

    @Test(arguments: ["\"%%%\"", "7", "null", "\"\""])
    func `a newest receipt that cannot be sent back is left out`(text: String) throws {
        let answer = Self.answer(
            period: #""purchase_date_ms":"1""#, more: ",\"latest_receipt\":\(text)")
        #expect(try verified(answer).latestReceipt == nil)
    }

    @Test(arguments: ["\"1\"", "1", "\"true\"", "true"])
    func `an auto-renew status is read in every spelling`(text: String) throws {
        let item = "{\"original_transaction_id\":1,\"auto_renew_status\":\(text)}"
        let receipt = try verified(
            Self.answer(
                period: #""purchase_date_ms":"1""#, more: ",\"pending_renewal_info\":[\(item)]"))
        #expect(receipt.renewals["1"]?.renews == true)
    }

    @Test func `a thousand renewals are read, and an answer above the limit is invalid`() throws {
        var periods = [Answers.Period()]
        for number in 2...1_000 {
            let last = try #require(periods.last)
            periods.append(last.renewed("\(1_000_000_000_000_000 + number)"))
        }
        let receipt = try verified(Answers.unified(periods.reversed()))
        #expect(receipt.periods["1000000000000001"]?.count == 1_000)

        let item =
            "{\"quantity\":1,\"product_id\":\"p\",\"transaction_id\":1,"
            + "\"original_transaction_id\":1}"
        let many = Array(repeating: item, count: BackendLimits.answerPurchasesMax + 1)
        let text = """
            {"status":0,"receipt":{"bundle_id":"b","application_version":"1","in_app":[]},
            "latest_receipt_info":[\(many.joined(separator: ","))]}
            """
        guard case .retry(let reason, _) = read(text) else {
            Issue.record("read")
            return
        }
        #expect(reason.contains("more than \(BackendLimits.answerPurchasesMax) items"))
    }
}
