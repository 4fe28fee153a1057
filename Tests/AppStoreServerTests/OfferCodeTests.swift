import Foundation
import StoreHTTP
import StoreModel
import StoreRules
import StoreWire
import Testing

@testable import AppStoreServer

/// The owner's side of offer codes.
struct OfferCodeTests {
    private typealias F = OfferFixture
    private static let day: Int64 = 86_400_000

    @Test func `a custom code is created once, however often it is requested`() async throws {
        let fixture = try await OfferFixture()
        let end = TestStore.start.adding(milliseconds: Self.day)
        let made = try await fixture.makeCode(
            MakeOfferCodeBody(
                offerId: F.fair, word: "spring26", redemptionsMax: 5_000, expiresAt: end))
        let code = OfferCode(
            number: 1, app: try fixture.appID(), product: ProductID(Samples.club),
            offerID: F.fair, kind: .custom(try #require(OfferCodeWord("SPRING26"))),
            redemptionsMax: 5_000, expiresAt: end, madeAt: TestStore.start)
        let body = OfferCodeBody(code, state: .active, redemptionCount: 0)
        #expect(made == MadeOfferCodeBody(offerCode: body, codes: nil))
        fixture.store.move(byMilliseconds: 1_000)
        for word in ["SPRING26", "Spring26"] {
            let again = try await fixture.store.control(
                "POST", F.codes,
                body: MakeOfferCodeBody(
                    offerId: F.fair, word: word, redemptionsMax: 5_000, expiresAt: end))
            again.expectStatus(200)
            #expect(try WireJSON.decode(MadeOfferCodeBody.self, from: again.body) == made)
        }
        #expect(try await fixture.listedCodes() == [body])
        for other in [
            MakeOfferCodeBody(
                offerId: F.show, word: "SPRING26", redemptionsMax: 5_000, expiresAt: end),
            MakeOfferCodeBody(
                offerId: F.fair, word: "SPRING26", redemptionsMax: 5_001, expiresAt: end),
            MakeOfferCodeBody(offerId: F.fair, word: "SPRING26", redemptionsMax: 5_000),
        ] {
            let answer = try await fixture.store.control("POST", F.codes, body: other)
            #expect(answer.status == 409 && errorCode(answer) == "offerCodeTaken")
        }
    }

    @Test func `the word of an ended code cannot name another code`() async throws {
        let fixture = try await OfferFixture()
        let body = MakeOfferCodeBody(offerId: F.fair, word: "ONCE", redemptionsMax: 1)
        _ = try await fixture.makeCode(body)
        try await fixture.store.control("DELETE", "\(F.codes)/1").expectStatus(200)
        let answer = try await fixture.store.control("POST", F.codes, body: body)
        #expect(answer.status == 409 && errorCode(answer) == "offerCodeTaken")
    }

    @Test func `one-time codes are shown once and stored as digests`() async throws {
        let fixture = try await OfferFixture()
        let made = try await fixture.makeCode(MakeOfferCodeBody(offerId: F.fair, count: 50))
        let codes = try #require(made.codes)
        #expect(Set(codes).count == 50)
        #expect(codes.allSatisfy { $0.wholeMatch(of: /[A-Z2-9]{18}/) != nil })
        #expect(made.offerCode.kind == .oneTime && made.offerCode.redemptionsMax == 50)
        let listed = try await fixture.store.control("GET", F.codes)
        let text = String(decoding: listed.body, as: UTF8.self)
        #expect(try fixture.rowCounts()["one_time_code"] == 50)
        for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path) {
            guard let bytes = FileManager.default.contents(atPath: "\(fixture.folder.path)/\(name)")
            else { continue }
            for code in codes { #expect(bytes.range(of: Data(code.utf8)) == nil, "\(name)") }
        }
        for code in codes {
            #expect(!text.contains(code) && !fixture.store.lines.all.joined().contains(code))
        }
        // The word of a code that is out there cannot become a custom one.
        let answer = try await fixture.store.control(
            "POST", F.codes,
            body: MakeOfferCodeBody(offerId: F.fair, word: codes[7], redemptionsMax: 9))
        #expect(answer.status == 409 && errorCode(answer) == "offerCodeTaken")
    }

    @Test(arguments: [
        (MakeOfferCodeBody(offerId: "nothing", count: 1), 404, "offerUnknown"),
        (MakeOfferCodeBody(offerId: "spring", count: 1), 404, "offerUnknown"),
        (MakeOfferCodeBody(offerId: "Spring fair"), 422, "badField"),
        (MakeOfferCodeBody(offerId: "Spring fair", word: "A"), 422, "badField"),
        (MakeOfferCodeBody(offerId: "Spring fair", redemptionsMax: 1), 422, "badField"),
        (MakeOfferCodeBody(offerId: "Spring fair", word: "A", count: 1), 422, "badField"),
        (
            MakeOfferCodeBody(offerId: "Spring fair", word: "A", redemptionsMax: 1, count: 1), 422,
            "badField"
        ),
        (MakeOfferCodeBody(offerId: "Spring fair", count: 0), 422, "badField"),
        (MakeOfferCodeBody(offerId: "Spring fair", count: -1), 422, "badField"),
        (MakeOfferCodeBody(offerId: "Spring fair", count: 10_001), 422, "badField"),
        (MakeOfferCodeBody(offerId: "Spring fair", count: Int64.max), 422, "badField"),
        (MakeOfferCodeBody(offerId: "Spring fair", word: "A", redemptionsMax: 0), 422, "badField"),
        (
            MakeOfferCodeBody(offerId: "Spring fair", word: "A", redemptionsMax: 1_000_001), 422,
            "badField"
        ),
        (MakeOfferCodeBody(offerId: "Spring fair", word: "", redemptionsMax: 1), 422, "badField"),
        (
            MakeOfferCodeBody(offerId: "Spring fair", word: "A B", redemptionsMax: 1), 422,
            "badField"
        ),
        (MakeOfferCodeBody(offerId: "Spring fair", word: "Ä", redemptionsMax: 1), 422, "badField"),
        (
            MakeOfferCodeBody(offerId: "Spring fair", count: 1, expiresAt: TestStore.start), 422,
            "dateIsOver"
        ),
        (
            MakeOfferCodeBody(
                offerId: "Spring fair", count: 1, expiresAt: Timestamp(milliseconds: 0)), 422,
            "dateOutOfRange"
        ),
    ])
    func `an invalid offer code is refused and nothing is stored`(
        body: MakeOfferCodeBody, status: Int, code: String
    ) async throws {
        let fixture = try await OfferFixture()
        let answer = try await fixture.store.control("POST", F.codes, body: body)
        #expect(answer.status == status && errorCode(answer) == code)
        #expect(try fixture.rowCounts().values.allSatisfy { $0 == 0 })
    }

    @Test func `only a product with an offer-code offer has codes`() async throws {
        let fixture = try await OfferFixture()
        let body = MakeOfferCodeBody(offerId: F.fair, count: 1)
        for (product, code) in [(Samples.fuel, "offerUnknown"), ("absent", "productUnknown")] {
            let path = "\(F.app)/products/\(product)/offer-codes"
            let answer = try await fixture.store.control("POST", path, body: body)
            #expect(answer.status == 404 && errorCode(answer) == code)
        }
        _ = try await fixture.makeCode(body)
        for path in [
            "\(F.app)/products/\(Samples.fuel)/offer-codes/1", "\(F.codes)/2", "\(F.codes)/x",
            "\(F.codes)/-1", "\(F.codes)/9223372036854775808",
        ] {
            let answer = try await fixture.store.control("DELETE", path)
            #expect(answer.status == 404 && errorCode(answer) == "offerCodeUnknown")
        }
        #expect(try await fixture.listedCodes().map(\.state) == [.active])
    }

    @Test func `a code is deactivated once and expires by the world's clock`() async throws {
        let fixture = try await OfferFixture()
        let end = TestStore.start.adding(milliseconds: Self.day)
        _ = try await fixture.makeCode(MakeOfferCodeBody(offerId: F.fair, count: 1))
        _ = try await fixture.makeCode(
            MakeOfferCodeBody(offerId: F.fair, count: 1, expiresAt: end))
        for _ in 0..<2 {
            let answer = try await fixture.store.control("DELETE", "\(F.codes)/1")
            answer.expectStatus(200)
            let body = try WireJSON.decode(OfferCodeBody.self, from: answer.body)
            #expect(body.state == .deactivated && body.deactivatedAt == TestStore.start)
            fixture.store.move(byMilliseconds: 1_000)
        }
        #expect(try await fixture.listedCodes().map(\.state) == [.active, .deactivated])
        try await fixture.store.control(
            "PUT", "/control/v1/clock", body: ClockBody(mode: .held, now: end)
        ).expectStatus(200)
        #expect(try await fixture.listedCodes().map(\.state) == [.expired, .deactivated])
    }

    @Test func `the number of an app's offer codes is limited`() async throws {
        let fixture = try await OfferFixture()
        let app = try fixture.appID()
        // A hundred batches would do; their digests are not needed to count them.
        try fixture.database.write { scope in
            for number in 1...100 {
                let count: Int64 = number == 1 ? 9_999 : 10_000
                try scope.addOfferCode(
                    OfferCode(
                        number: try scope.next("offer_code"), app: app,
                        product: ProductID(Samples.club), offerID: F.fair, kind: .oneTime,
                        redemptionsMax: count, expiresAt: nil, madeAt: TestStore.start),
                    digests: [])
            }
        }
        _ = try await fixture.makeCode(MakeOfferCodeBody(offerId: F.fair, count: 1))
        let full = try await fixture.store.control(
            "POST", F.codes, body: MakeOfferCodeBody(offerId: F.fair, count: 1))
        #expect(full.status == 409 && errorCode(full) == "tooManyOfferCodes")
        let word = MakeOfferCodeBody(offerId: F.fair, word: "A", redemptionsMax: 1_000_000)
        _ = try await fixture.makeCode(word)
        try fixture.database.write { scope in
            for number in 102..<Limits.offerCodesMax {
                try scope.addOfferCode(
                    OfferCode(
                        number: try scope.next("offer_code"), app: app,
                        product: ProductID(Samples.club), offerID: F.fair,
                        kind: .custom(try #require(OfferCodeWord("B\(number)"))),
                        redemptionsMax: 1, expiresAt: nil, madeAt: TestStore.start), digests: [])
            }
        }
        #expect(try fixture.rowCounts()["offer_code"] == 1_000)
        let other = try await fixture.store.control(
            "POST", F.codes, body: MakeOfferCodeBody(offerId: F.fair, word: "C", redemptionsMax: 1))
        #expect(other.status == 409 && errorCode(other) == "tooManyOfferCodes")
        try await fixture.store.control("POST", F.codes, body: word).expectStatus(200)
    }

    @Test func `the largest batch of one-time codes is created in one commit`() async throws {
        let fixture = try await OfferFixture()
        let most = Limits.oneTimeCodesPerBatchMax
        let made = try await fixture.makeCode(MakeOfferCodeBody(offerId: F.fair, count: most))
        #expect(Set(made.codes ?? []).count == Int(most))
        #expect(try fixture.rowCounts()["one_time_code"] == Int(most))
    }
}
