import Foundation
import StoreModel
import Synchronization
import Testing

@testable import StoreSigning

struct TransactionReceiptRefusalTests {
    private func sample() throws -> (verifier: TransactionReceiptVerifier, receipt: [UInt8]) {
        (
            try SharedStore.get().transactionReceiptVerifier(),
            try SharedStore.transactionSigner().sign(Samples.transactionInfo)
        )
    }

    @Test func `a transaction receipt truncated at any byte is malformed`() throws {
        let (verifier, receipt) = try sample()
        for count in 0..<receipt.count {
            let problem = refusal(verifier, Array(receipt.prefix(count)))
            #expect(problem?.isMalformed == true, "cut at \(count)")
        }
        #expect(refusal(verifier, receipt + [0x7D])?.isMalformed == true)
        #expect(refusal(verifier, receipt + [0x0A]) == nil)
    }

    @Test func `a transaction receipt with any bit flipped is refused`() throws {
        let (verifier, receipt) = try sample()
        let accepted = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: receipt.count) { byte in
            // Within base64 two bits of each byte, as every try costs a signature's check.
            let isMark = [0x09, 0x0A, 0x20, 0x22, 0x3B, 0x3D].contains(receipt[byte])
            for bit in 0..<8 where isMark || bit % 4 == byte % 4 {
                var altered = receipt
                altered[byte] ^= 1 << UInt8(bit)
                // A tab that becomes a line's end says nothing else.
                if receipt[byte] == 0x09, altered[byte] == 0x0D { continue }
                if refusal(verifier, altered) == nil { accepted.withLock { $0.append(byte) } }
            }
        }
        #expect(accepted.withLock { $0 } == [])
    }

    @Test func `a signed text truncated at any byte is refused without a trap`() throws {
        let authority = try TestTransactionAuthority()
        let info = PropertyListText.text(
            Samples.transactionInfo.pairs(sealedFor: TestTransactionAuthority.seal))
        let verifier = authority.verifier
        #expect(refusal(verifier, try authority.receipt(info: info)) == nil)
        for count in 0..<info.count {
            let receipt = try authority.receipt(info: Array(info.prefix(count)))
            #expect(refusal(verifier, receipt)?.isMalformed == true, "cut at \(count)")
        }
    }

    @Test func `a signature blob truncated at any byte is refused without a trap`() throws {
        let (verifier, receipt) = try sample()
        let text = try TransactionReceiptText(receipt)
        for count in 0..<text.signature.count {
            let cut = TransactionReceiptText.text(
                signature: Array(text.signature.prefix(count)), info: text.info, from: .sandbox)
            #expect(refusal(verifier, cut)?.isMalformed == true, "cut at \(count)")
        }
        for version in [0, 1, 3, 255] as [UInt8] {
            let other = TransactionReceiptText.text(
                signature: [version] + text.signature.dropFirst(), info: text.info,
                from: .sandbox)
            #expect(refusal(verifier, other)?.text.contains("version \(version)") == true)
        }
    }

    @Test func `every signed field is covered by the signature`() throws {
        let (verifier, receipt) = try sample()
        let text = try TransactionReceiptText(receipt)
        let pairs = try text.infoPairs()
        #expect(pairs.count == 15)
        for index in pairs.indices {
            var altered = pairs
            altered[index] = TextPair(pairs[index].key, pairs[index].value + "0")
            let forged = TransactionReceiptText.text(
                signature: text.signature, info: PropertyListText.text(altered), from: .sandbox)
            #expect(refusal(verifier, forged)?.text.contains("signature") == true)
        }
    }

    @Test func `another receipt's signature does not match`() throws {
        let (verifier, receipt) = try sample()
        var info = Samples.transactionInfo
        info.quantity = 1
        let other = try TransactionReceiptText(try SharedStore.transactionSigner().sign(info))
        let mixed = TransactionReceiptText.text(
            signature: other.signature, info: try TransactionReceiptText(receipt).info,
            from: .sandbox)
        #expect(refusal(verifier, mixed)?.text.contains("signature") == true)
    }

    /// Where a certificate is from that is put in another's place.
    struct Swap: Sendable {
        let environment: StoreEnvironment
        let isTest: Bool
        let problem: String
    }

    @Test(arguments: [
        Swap(environment: .sandbox, isTest: false, problem: "world"),
        Swap(environment: .production, isTest: false, problem: "signature"),
        Swap(environment: .sandbox, isTest: true, problem: "signature"),
    ])
    func `a receipt under another world's certificate is refused`(swap: Swap) throws {
        let (verifier, receipt) = try sample()
        let mine = try TransactionReceiptText(receipt)
        let other = try SharedStore.transactionSigner(
            swap.environment, isTest: swap.isTest, worldID: Samples.otherWorldID
        ).sign(Samples.transactionInfo)
        let theirs = try TransactionSignature(try TransactionReceiptText(other).signature)
        let blob = TransactionSignature(
            signature: try TransactionSignature(mine.signature).signature,
            certificate: theirs.certificate)
        for environment in StoreEnvironment.allCases {
            let forged = TransactionReceiptText.text(
                signature: blob.bytes, info: mine.info, from: environment)
            // Also with the other certificate in the cache.
            #expect(refusal(verifier, forged)?.text.contains(swap.problem) == true)
            #expect(refusal(verifier, other) == nil)
        }
    }

    @Test func `the fields beside the signature must be as written`() throws {
        let (verifier, receipt) = try sample()
        let text = String(decoding: receipt, as: UTF8.self)
        for (old, new) in [
            ("\"Sandbox\"", "\"Production\""), ("\"100\"", "\"44\""), ("\"0\"", "\"1\""),
            ("\t\"environment\" = \"Sandbox\";\n", ""), ("\t\"pod\" = \"100\";\n", ""),
            ("\t\"signing-status\" = \"0\";\n", ""),
            ("\t\"pod\"", "\t\"more\" = \"1\";\n\t\"pod\""),
        ] {
            #expect(text.contains(old))
            let altered = text.replacingOccurrences(of: old, with: new)
            let problem = refusal(verifier, Array(altered.utf8))?.text
            #expect(problem?.contains("unsigned fields") == true)
        }
        let moved = TransactionReceiptText.text(
            signature: try TransactionReceiptText(receipt).signature,
            info: try TransactionReceiptText(receipt).info, from: .production)
        #expect(refusal(verifier, moved)?.text.contains("unsigned fields") == true)
    }

    @Test func `invalid and non-canonical base64 is malformed`() throws {
        let (verifier, receipt) = try sample()
        let text = String(decoding: receipt, as: UTF8.self)
        let info = Data(try TransactionReceiptText(receipt).info).base64EncodedString()
        for other in [
            "", "???", String(info.dropLast()), info + "=", info + "A", "\\n" + info, " " + info,
            info.replacingOccurrences(of: "L", with: "-"),
        ] {
            let altered = text.replacingOccurrences(of: info, with: other)
            #expect(refusal(verifier, Array(altered.utf8))?.isMalformed == true, "\(other)")
        }
    }

    @Test func `a transaction receipt above the limit is refused before it is read`() throws {
        let (verifier, receipt) = try sample()
        let blanks = [UInt8](
            repeating: 0x20, count: TransactionReceiptLimits.receiptBytesMax - receipt.count)
        #expect(refusal(verifier, receipt + blanks) == nil)
        #expect(
            refusal(verifier, receipt + blanks + [0x20])?.text.contains("at most 65536") == true)
    }
}
