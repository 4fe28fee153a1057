import Foundation
import StoreModel
import Testing

@testable import StoreSigning

struct ReceiptSigningTests {
    @Test(arguments: StoreEnvironment.allCases, [false, true])
    func `a receipt says what was signed and where`(
        environment: StoreEnvironment, isTest: Bool
    ) throws {
        let signer = try SharedStore.signer(environment, isTest: isTest)
        let receipt = try signer.sign(Samples.fullPayload)
        let verified = try SharedStore.get().receiptVerifier().verify(receipt)
        // A SET is sorted, so purchases may come back in another order.
        #expect(Set(verified.payload.purchases) == Set(Samples.fullPayload.purchases))
        var payload = verified.payload
        payload.purchases = Samples.fullPayload.purchases
        #expect(payload == Samples.fullPayload)
        #expect(verified.environment == environment)
        #expect(verified.isTest == isTest)
        #expect(verified.worldID == Samples.worldID)
    }

    @Test(arguments: [0, 1, 2, 300])
    func `a receipt may hold any number of purchases`(count: Int) throws {
        let purchases = (0..<count).map { Samples.purchase(2_000_000_000_000_000 + Int64($0)) }
        let receipt = try SharedStore.signer().sign(Samples.payload(purchases))
        let verified = try SharedStore.get().receiptVerifier().verify(receipt)
        #expect(Set(verified.payload.purchases) == Set(purchases))
        #expect(verified.payload.purchases.count == count)
    }

    @Test func `the same payload gives the same bytes and another payload another filler`() throws {
        let signer = try SharedStore.signer()
        let receipt = try signer.sign(Samples.payload())
        #expect(try signer.sign(Samples.payload()) == receipt)
        let seal = TestAuthority.seal
        let first = WorldSeal.seed(from: try Samples.payload().der(sealedFor: seal))
        let second = WorldSeal.seed(from: try Samples.payload([]).der(sealedFor: seal))
        #expect(WorldSeal.filler(seed: first) != WorldSeal.filler(seed: second))
        #expect(seal.bytes(seed: first) != seal.bytes(seed: second))
        #expect((40...110).contains(seal.bytes(seed: first).count))
        #expect((40...110).contains(WorldSeal.filler(seed: first).count))
    }

    @Test func `receipt dates drop milliseconds`() throws {
        var payload = Samples.payload()
        payload.createdAt = payload.createdAt.adding(milliseconds: 999)
        let receipt = try SharedStore.signer().sign(payload)
        let verified = try SharedStore.get().receiptVerifier().verify(receipt)
        #expect(verified.payload.createdAt == Samples.payload().createdAt)
    }

    /// A payload that no receipt can say.
    struct Bad: Sendable {
        let name: String
        let change: @Sendable (inout ReceiptPayload) -> Void
    }

    @Test(arguments: [
        Bad(name: "hash of 19 bytes") { $0.deviceHash.removeLast() },
        Bad(name: "no hash") { $0.deviceHash = [] },
        Bad(name: "no opaque value") { $0.opaqueValue = [] },
        Bad(name: "opaque value of 65 bytes") { $0.opaqueValue = .init(repeating: 1, count: 65) },
        Bad(name: "made in 1999") { $0.createdAt = Samples.moment("1999-12-31T23:59:59Z") },
        Bad(name: "made in 2100") { $0.createdAt = Samples.moment("2100-01-01T00:00:00Z") },
        Bad(name: "year 10000") {
            $0.originalPurchaseDate = Timestamp(seconds: 253_402_300_800)
        },
        Bad(name: "year 0") { $0.expiresAt = Timestamp(seconds: -62_135_596_801) },
        Bad(name: "the first of all times") { $0.expiresAt = Timestamp(milliseconds: .min) },
        Bad(name: "a purchase in the year 10000") {
            $0.purchases[0].expiresAt = Timestamp(seconds: 253_402_300_800)
        },
        Bad(name: "25,001 purchases") {
            $0.purchases = .init(
                repeating: Samples.purchase(), count: ReceiptLimits.purchasesMax + 1)
        },
        Bad(name: "17 MiB of text") {
            $0.applicationVersion = String(repeating: "x", count: 17 << 20)
        },
    ])
    func `a payload that no receipt can express is not signed`(bad: Bad) throws {
        var payload = Samples.payload()
        bad.change(&payload)
        let signer = try SharedStore.signer()
        #expect(throws: SigningFailure(.invalidValue, ""), "\(bad.name)") {
            try signer.sign(payload)
        }
    }

    @Test(arguments: [
        "0001-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2024-02-29T09:08:07Z",
        "9999-12-31T23:59:59Z",
    ])
    func `receipt dates are written as Apple writes them`(text: String) {
        let moment = Samples.moment(text)
        #expect(String(decoding: AttributeWriter.rfc3339(moment), as: UTF8.self) == text)
        #expect(CalendarDate(moment).rfc3339 == text)
    }

    @Test(arguments: ["2000-01-01T00:00:00Z", "2049-12-31T23:59:59Z", "2099-12-31T23:59:59Z"])
    func `a receipt can be signed at any time from 2000 to 2099`(date: String) throws {
        var payload = Samples.payload()
        payload.createdAt = Samples.moment(date)
        let receipt = try SharedStore.signer().sign(payload)
        let verified = try SharedStore.get().receiptVerifier().verify(receipt)
        #expect(verified.payload.createdAt == payload.createdAt)
    }

    @Test func `many threads sign and verify at once`() throws {
        let signer = try SharedStore.signer()
        let verifier = try SharedStore.get().receiptVerifier()
        let expected = try signer.sign(Samples.payload())
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            let receipt = try? signer.sign(Samples.payload())
            #expect(receipt == expected)
            #expect(refusal(verifier, expected) == nil)
        }
    }

    @Test func `the device hash is the SHA-1 of guid, opaque value and the identifier's DER`() {
        // The expected value: printf of the bytes, piped into sha1sum.
        let hash = receiptDeviceHash(
            guid: Samples.guid, opaqueValue: Samples.opaqueValue, bundleID: "com.example.rocketcar")
        #expect(hexText(hash) == "4370f814d0a1893a724f5222c2505bfbe8c746b1")
    }
}
