import Foundation
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// Keys on P-256 and the two forms of their signatures.
struct CurveKeyTests {
    @Test func `a curve key is the same in every encoding`() throws {
        let key = try OfferSamples.key()
        let info = try #require(StrictBase64.bytes(OfferSamples.publicKeyInfo))
        #expect(try key.publicKeyInfo() == info)
        #expect(info.count == 91)
        #expect(String(decoding: try key.pem(), as: UTF8.self) == OfferSamples.pem)
        let body = OfferSamples.pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try #require(StrictBase64.bytes(body))
        #expect(try CurvePrivateKey(pkcs8: der).publicKeyInfo() == info)
        #expect(throws: SigningFailure.self) { try CurvePrivateKey(pkcs8: der + [0]) }
        #expect(throws: SigningFailure.self) { try CurvePrivateKey(pkcs8: der.dropLast()) }
        #expect(CurvePublicKey(info: info + [0]) == nil)
        #expect(CurvePublicKey(info: info.dropLast()) == nil)
    }

    @Test func `two new curve keys differ`() throws {
        let keys = try [CurvePrivateKey.make(), CurvePrivateKey.make()]
        #expect(try keys[0].publicKeyInfo() != keys[1].publicKeyInfo())
        #expect(String(decoding: try keys[0].pem(), as: UTF8.self).hasPrefix("-----BEGIN PRIVATE"))
    }

    @Test(arguments: [
        ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp384r1"],
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"],
        ["genpkey", "-algorithm", "ED25519"],
    ])
    func `another kind of key is refused`(arguments: [String]) throws {
        let folder = TemporaryFolder()
        let made = try Command("openssl", arguments + ["-out", folder.file("key.pem")])
        try #require(made.status == 0, "\(made.output)")
        let read = try folder.read("key.pem")
        #expect(throws: SigningFailure.self) { try CurvePrivateKey(pem: read) }
        for (command, form) in [("pkey", "DER"), ("pkcs8", "DER")] {
            let options = command == "pkcs8" ? ["-topk8", "-nocrypt"] : ["-pubout"]
            let written = try Command(
                "openssl",
                [command, "-in", folder.file("key.pem"), "-outform", form, "-out"]
                    + [folder.file("key.der")] + options)
            try #require(written.status == 0, "\(written.output)")
            let der = try folder.read("key.der")
            if command == "pkey" {
                #expect(CurvePublicKey(info: der) == nil)
            } else {
                #expect(throws: SigningFailure.self) { try CurvePrivateKey(pkcs8: der) }
            }
        }
    }

    @Test func `a private key with another's public half is refused`() throws {
        let body = OfferSamples.pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        var der = try #require(StrictBase64.bytes(body))
        let other = Array(try CurvePrivateKey.make().publicKeyInfo().suffix(64))
        der.replaceSubrange((der.count - 64)..., with: other)
        #expect(throws: SigningFailure.self) { try CurvePrivateKey(pkcs8: der) }
    }

    @Test func `a point off the curve is refused`() throws {
        var info = try #require(StrictBase64.bytes(OfferSamples.publicKeyInfo))
        info[info.count - 1] ^= 1
        #expect(CurvePublicKey(info: info) == nil)
    }

    @Test(arguments: [[UInt8](), Array("no key".utf8), Array(repeating: 0x30, count: 5_000)])
    func `data that is not a key is refused`(bytes: [UInt8]) {
        #expect(throws: SigningFailure.self) { try CurvePrivateKey(pem: bytes) }
        #expect(throws: SigningFailure.self) { try CurvePrivateKey(pkcs8: bytes) }
        #expect(CurvePublicKey(info: bytes) == nil)
    }

    @Test func `a signature is the same in both encodings, with and without leading zeros`() throws
    {
        let key = try CurvePrivateKey.make()
        let publicKey = try #require(CurvePublicKey(info: try key.publicKeyInfo()))
        var lengths: Set<Int> = []
        for number in 0..<300 {
            let bytes = Array("\(number)".utf8)
            let signature = try key.signature(over: bytes)
            lengths.insert(signature.der.count)
            #expect(try CurveSignature(der: signature.der) == signature)
            #expect(CurveSignature(raw: signature.raw) == signature)
            #expect(publicKey.isValid(signature, over: bytes[...]))
            #expect(!publicKey.isValid(signature, over: bytes[...] + [0]))
        }
        #expect(lengths.count > 2, "numbers that begin with a high bit, and shorter ones")
    }

    @Test(arguments: [
        ("3006 0201 01 0201 02", true), ("3006 0201 00 0201 02", false),
        ("3006 0201 01 0201 80", false), ("3006 0201 FF 0201 02", false),
        ("3007 0202 0001 0201 02", false), ("3007 0202 0080 0201 02", true),
        ("3006 0201 01 0201 02 00", false), ("3009 0201 01 0201 02 0201 03", false),
        ("3003 0201 01", false), ("3006 0201 01 0401 02", false),
        ("3081 06 0201 01 0201 02", false),
        ("3080 0201 01 0201 02 0000", false), ("3005 0200 0201 02", false), ("", false),
        ("3026 0221 01" + String(repeating: "00", count: 32) + "0201 02", false),
        ("3026 0221 00" + String(repeating: "FF", count: 32) + "0201 02", true),
        ("3105 0201 01 0201 02", false),
    ])
    func `only strictly encoded DER signatures are read`(digits: String, isGood: Bool) {
        let signature = try? CurveSignature(der: hex(digits))
        #expect((signature != nil) == isGood)
        if let signature { #expect(signature.der == hex(digits)) }
    }
}
