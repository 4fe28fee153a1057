import Foundation
import StoreModel
import Synchronization
import Testing

@testable import StoreSigning
@testable import StoreVerification

struct ReceiptRefusalTests {
    @Test func `a unified receipt truncated at any byte is malformed`() throws {
        let receipt = try SharedStore.signer().sign(Samples.payload())
        let verifier = try SharedStore.get().receiptVerifier()
        for count in 0..<receipt.count {
            let problem = refusal(verifier, Array(receipt.prefix(count)))
            #expect(problem?.isMalformed == true, "cut at \(count)")
        }
        #expect(refusal(verifier, receipt + [0])?.isMalformed == true)
        #expect(refusal(verifier, receipt) == nil)
    }

    @Test func `a unified receipt with any bit flipped is refused`() throws {
        let receipt = try SharedStore.signer().sign(Samples.payload())
        let verifier = try SharedStore.get().receiptVerifier()
        let certificates = try ReceiptContainer(receipt).certificates.contents
        let accepted = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: receipt.count) { byte in
            // Each altered certificate costs a chain's check, so those get one bit per byte.
            let bits = certificates.contains(byte) ? byte % 8..<byte % 8 + 1 : 0..<8
            for bit in bits {
                var altered = receipt
                altered[byte] ^= 1 << UInt8(bit)
                if refusal(verifier, altered) == nil { accepted.withLock { $0.append(byte) } }
            }
        }
        #expect(accepted.withLock { $0 } == [])
    }

    @Test func `a signed payload truncated at any byte is refused without a trap`() throws {
        let authority = try TestAuthority()
        let payload = try authority.payload()
        let verifier = authority.verifier
        for count in stride(from: 0, to: payload.count, by: 7) {
            let receipt = try authority.receipt(payload: Array(payload.prefix(count)))
            #expect(refusal(verifier, receipt)?.isMalformed == true, "cut at \(count)")
        }
    }

    /// Two places whose certificates are swapped under one signature.
    struct Swap: Sendable {
        let fromEnvironment: StoreEnvironment
        let fromTest: Bool
        let toEnvironment: StoreEnvironment
        let toTest: Bool
    }

    @Test(arguments: [
        Swap(fromEnvironment: .sandbox, fromTest: false, toEnvironment: .sandbox, toTest: false),
        Swap(
            fromEnvironment: .production, fromTest: false, toEnvironment: .production,
            toTest: false),
        Swap(fromEnvironment: .sandbox, fromTest: true, toEnvironment: .sandbox, toTest: true),
        Swap(
            fromEnvironment: .sandbox, fromTest: false, toEnvironment: .production, toTest: false),
        Swap(fromEnvironment: .sandbox, fromTest: true, toEnvironment: .sandbox, toTest: false),
    ])
    func `a receipt under another world's certificates is refused`(swap: Swap) throws {
        let store = try SharedStore.get()
        let receipt = try SharedStore.signer(
            swap.fromEnvironment, isTest: swap.fromTest
        ).sign(Samples.payload())
        let other = try SharedStore.signer(
            swap.toEnvironment, isTest: swap.toTest, worldID: Samples.otherWorldID
        ).sign(Samples.payload())
        let (mine, theirs) = (try ReceiptContainer(receipt), try ReceiptContainer(other))
        let forged = ReceiptContainer.der(
            payload: mine.reader.contents(of: mine.payload),
            certificates: theirs.reader.contents(of: theirs.certificates),
            signerIssuer: Array(theirs.signerIssuer), signerSerial: Array(theirs.signerSerial),
            signature: mine.signature)
        let verifier = store.receiptVerifier()
        // Also with the other chain in the cache.
        for _ in 0..<2 {
            let problem = refusal(verifier, forged)
            #expect(problem?.isMalformed == false)
            let sharesKey =
                swap.fromEnvironment == swap.toEnvironment && swap.fromTest == swap.toTest
            #expect(problem?.text.contains(sharesKey ? "world" : "signature") == true)
            #expect(refusal(verifier, other) == nil)
        }
    }

    @Test func `a seal of another world, environment or kind does not match`() {
        let seal = TestAuthority.seal
        let bytes = seal.bytes(seed: [1, 2, 3])
        #expect(seal.fits(bytes))
        let others = [
            WorldSeal(worldID: Samples.otherWorldID, environment: .sandbox, isTest: false),
            WorldSeal(worldID: Samples.worldID, environment: .production, isTest: false),
            WorldSeal(worldID: Samples.worldID, environment: .sandbox, isTest: true),
            WorldSeal(worldID: "", environment: .sandbox, isTest: false),
        ]
        for other in others { #expect(!other.fits(bytes)) }
        #expect(!seal.fits([]))
        #expect(!seal.fits(Array(bytes.dropLast())))
        #expect(!seal.fits(bytes + [0]))
    }

    @Test func `a unified receipt above the limit is refused before it is read`() throws {
        let verifier = try SharedStore.get().receiptVerifier()
        let large = [UInt8](repeating: 0x30, count: ReceiptLimits.receiptBytesMax + 1)
        #expect(refusal(verifier, large)?.text.contains("at most 16777216") == true)
    }

    @Test func `data that is not a receipt is malformed`() throws {
        let verifier = try SharedStore.get().receiptVerifier()
        let things = [
            [], [0], [0x30, 0x00], Array("{\"signature\" = \"x\";}".utf8),
            Array("MIIB".utf8), try SharedStore.get().rootCertificate(.sandbox, isTest: false),
        ]
        for thing in things { #expect(refusal(verifier, thing)?.isMalformed == true) }
    }

    /// A payload with one thing wrong, and what is said of it.
    struct BadPayload: Sendable {
        let name: String
        let problem: String
        let set: @Sendable () -> [[UInt8]]

        init(_ name: String, _ problem: String, _ set: @escaping @Sendable () -> [[UInt8]]) {
            (self.name, self.problem, self.set) = (name, problem, set)
        }
    }

    /// Attributes that suffice, without some types.
    static func attributes(without types: Set<Int64> = []) -> AttributeWriter {
        var writer = AttributeWriter()
        for type in [0, 2, 3, 19] as [Int64] where !types.contains(type) { writer.add(type, "x") }
        for type in [4, 5, 7] as [Int64] where !types.contains(type) {
            writer.add(type, raw: TestAuthority.seal.bytes(seed: [1]))
        }
        for type in [12, 18] as [Int64] where !types.contains(type) {
            writer.add(type, Samples.moment("2024-05-01T10:20:31Z"))
        }
        return writer
    }

    static func with(_ change: (inout AttributeWriter) -> Void, without: Int64...) -> [[UInt8]] {
        var writer = attributes(without: Set(without))
        change(&writer)
        return writer.attributes
    }

    @Test(arguments: [
        BadPayload("enough", "") { with { _ in } },
        BadPayload("unknown types", "") {
            with {
                $0.add(4_000, "x"); $0.add(.max, "x")
            }
        },
        BadPayload("no type", "attribute 0 ") { with({ _ in }, without: 0) },
        BadPayload("no bundle", "attribute 2 ") { with({ _ in }, without: 2) },
        BadPayload("no version", "attribute 3 ") { with({ _ in }, without: 3) },
        BadPayload("no opaque value", "attribute 4 ") { with({ _ in }, without: 4) },
        BadPayload("no hash", "attribute 5 ") { with({ _ in }, without: 5) },
        BadPayload("no date", "attribute 12 ") { with({ _ in }, without: 12) },
        BadPayload("no first date", "attribute 18 ") { with({ _ in }, without: 18) },
        BadPayload("no first version", "attribute 19 ") { with({ _ in }, without: 19) },
        BadPayload("no seal", "world") { with({ _ in }, without: 7) },
        BadPayload("empty date", "attribute 12 ") {
            with({ $0.add(12, nil as Timestamp?) }, without: 12)
        },
        BadPayload("twice", "attribute 2 comes twice") { with { $0.add(2, "y") } },
        BadPayload("text for a number", "INTEGER was expected") { with { $0.add(1, "1") } },
        BadPayload("number for a text", "UTF8String was expected") {
            with({ $0.add(2, 5) }, without: 2)
        },
        BadPayload("short date", "does not have the form") {
            with({ $0.add(12, raw: DERWriter.ia5String("2024-05-01")) }, without: 12)
        },
        BadPayload("month 13", "does not have the form") {
            with { $0.add(21, raw: DERWriter.ia5String("2024-13-01T00:00:00Z")) }
        },
        BadPayload("rest after a value", "too many") {
            with { $0.add(1, raw: DERWriter.integer(1) + [0]) }
        },
        BadPayload("not a set of sequences", "SEQUENCE was expected") { [DERWriter.null] },
        BadPayload("empty purchase", "attribute 1701 ") {
            with { $0.add(17, raw: DERWriter.set(of: [])) }
        },
        BadPayload("unknown kind", "attribute 1707 ") { with { $0.addPurchase(kind: 4) } },
        BadPayload("flag 2", "neither 0 nor 1") { with { $0.addPurchase(trial: 2) } },
        BadPayload("good purchase", "") { with { $0.addPurchase() } },
        BadPayload("two good purchases", "") {
            with {
                $0.addPurchase(); $0.addPurchase()
            }
        },
    ])
    func `a signed payload is read strictly`(bad: BadPayload) throws {
        let authority = try TestAuthority()
        let receipt = try authority.receipt(payload: DERWriter.set(of: bad.set()))
        let problem = refusal(authority.verifier, receipt)
        if bad.problem.isEmpty {
            #expect(problem == nil, "\(bad.name)")
        } else {
            #expect(problem?.text.contains(bad.problem) == true, "\(bad.name): \(problem as Any)")
        }
    }
}

extension AttributeWriter {
    fileprivate mutating func addPurchase(kind: Int64 = 1, trial: Int64 = 0) {
        var inner = AttributeWriter()
        inner.add(1701, 1)
        for type in [1702, 1703, 1705] as [Int64] { inner.add(type, "1") }
        for type in [1704, 1706] as [Int64] {
            inner.add(type, Samples.moment("2024-05-01T10:20:31Z"))
        }
        inner.add(1707, kind)
        inner.add(1713, trial)
        add(17, raw: inner.set)
    }
}
