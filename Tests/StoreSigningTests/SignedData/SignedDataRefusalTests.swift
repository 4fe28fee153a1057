import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// JWS that are signed, but not as signed data must be.
struct SignedDataRefusalTests {
    @Test(arguments: [
        #"{"alg":"none","x5c":X}"#, #"{"alg":"None","x5c":X}"#, #"{"alg":"es256","x5c":X}"#,
        #"{"alg":"ES384","x5c":X}"#, #"{"alg":"HS256","x5c":X}"#, #"{"alg":"RS256","x5c":X}"#,
        #"{"alg":null,"x5c":X}"#, #"{"x5c":X}"#, #"{"alg":"none","alg":"ES256","x5c":X}"#,
        #"{"alg":"ES256"}"#, #"{"alg":"ES256","x5c":null}"#, #"{"alg":"ES256","x5c":"X"}"#,
        #"{"alg":"ES256","x5c":[1,2,3]}"#, #"{"alg":"ES256","x5c":[]}"#,
        #"{"alg":"ES256","x5c":X,"x5c":X}"#, #"{"alg":"ES256","x5c":X,"crit":["exp"],"exp":1}"#,
        #"{"alg":"ES256","x5c":X,"b64":false}"#, #"[{"alg":"ES256","x5c":X}]"#, "{}", "",
    ])
    func `another header is refused, however well signed`(header: String) throws {
        let authority = try TestDataAuthority()
        let jws = try authority.jws(header: header.replacing("X", with: authority.x5c))
        #expect(refusal(authority.verifier, jws)?.isMalformed == true)
    }

    @Test func `extra members of a header change nothing`() throws {
        let authority = try TestDataAuthority()
        let header = #"{"alg":"ES256","kid":"a","typ":"JWT","x5c":\#(authority.x5c),"x5u":"b"}"#
        #expect(refusal(authority.verifier, try authority.jws(header: header)) == nil)
    }

    @Test func `none with an empty signature is refused`() throws {
        let authority = try TestDataAuthority()
        let jws = try authority.jws(header: #"{"alg":"none","x5c":\#(authority.x5c)}"#)
        let bare = jws.split(separator: ".").dropLast().joined(separator: ".") + "."
        #expect(refusal(authority.verifier, bare)?.isMalformed == true)
    }

    @Test func `any number of certificates but three is malformed`() throws {
        let authority = try TestDataAuthority()
        let (leaf, middle, root) = (authority.leaf, authority.intermediate, authority.root)
        for list in [
            [leaf], [root], [leaf, middle], [leaf, root], [leaf, middle, root, root],
            [leaf, middle, middle, root],
        ] {
            let problem = refusal(
                authority.verifier, try authority.jws(certificates: list))
            #expect(problem?.isMalformed == true)
            #expect(problem?.text.contains("x5c does not have 3 certificates") == true)
        }
    }

    @Test func `certificates in another order are not authentic`() throws {
        let authority = try TestDataAuthority()
        let (leaf, middle, root) = (authority.leaf, authority.intermediate, authority.root)
        for list in [
            [middle, leaf, root], [root, middle, leaf], [leaf, root, middle], [leaf, leaf, root],
            [middle, middle, root], [root, root, root], [leaf, root, root],
        ] {
            let jws = try authority.jws(certificates: list)
            #expect(refusal(authority.verifier, jws)?.isMalformed == false)
        }
    }

    @Test func `certificates must be in ordinary base64, also once their chain is known`() throws {
        let authority = try TestDataAuthority()
        let verifier = authority.verifier
        #expect(refusal(verifier, try authority.jws()) == nil)
        let texts = authority.certificates.map(StrictBase64.text)
        let pem = String(decoding: ChainMaterial.pem(authority.leaf), as: UTF8.self)
        for (index, text) in [
            (0, "!"), (0, texts[0] + "="), (0, " " + texts[0]), (1, texts[1] + "\\n"), (2, ""),
            (0, texts[0] + "." + texts[1]), (1, "."), (0, pem.replacing("\n", with: "\\n")),
            (0, texts[0].replacing("+", with: "-").replacing("/", with: "_") + "_"),
        ] {
            var changed = texts
            changed[index] = text
            let list = changed.map { "\"\($0)\"" }.joined(separator: ",")
            let jws = try authority.jws(header: #"{"alg":"ES256","x5c":[\#(list)]}"#)
            #expect(refusal(verifier, jws) != nil, "\(text)")
        }
    }

    @Test func `bytes that are no certificates are refused`() throws {
        let authority = try TestDataAuthority()
        for bytes in [[], [0x30, 0], [UInt8](repeating: 0x30, count: 200)] as [[UInt8]] {
            for list in [
                [bytes, authority.intermediate, authority.root],
                [authority.leaf, bytes, authority.root],
            ] {
                let jws = try authority.jws(certificates: list)
                #expect(refusal(authority.verifier, jws)?.isMalformed == true)
            }
            let jws = try authority.jws(
                certificates: [authority.leaf, authority.intermediate, bytes])
            #expect(refusal(authority.verifier, jws)?.isMalformed == false)
        }
    }

    @Test func `a payload or header altered after signing is refused`() throws {
        let authority = try TestDataAuthority()
        let verifier = authority.verifier
        let jws = try authority.jws()
        #expect(refusal(verifier, jws) == nil)
        let parts = jws.split(separator: ".").map(String.init)
        let payload = Samples.signedTransaction()
            .replacing("\"quantity\":1", with: "\"quantity\":9")
        let altered = [parts[0], StrictBase64.urlText(Array(payload.utf8)), parts[2]]
        #expect(
            refusal(verifier, altered.joined(separator: "."))
                == .notAuthentic("The signature does not match the data."))
        let bytes = Array(jws.utf8)
        for place in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[place] = changed[place] == 0x41 ? 0x42 : 0x41
            #expect(
                refusal(verifier, String(decoding: changed, as: UTF8.self)) != nil,
                "byte \(place)")
        }
        for text in ["", ".", "..", "a.b.c", jws + ".", "." + jws, parts[0] + "." + parts[1]] {
            #expect(refusal(verifier, text)?.isMalformed == true)
        }
    }

    @Test func `a signature in DER, of a wrong length or by another key is refused`() throws {
        let authority = try TestDataAuthority()
        let jws = try authority.jws()
        let signed = jws.split(separator: ".").dropLast().joined(separator: ".")
        let signature = try authority.leafKey.signature(over: Array(signed.utf8))
        func refused(_ bytes: [UInt8]) -> VerificationRefusal? {
            refusal(authority.verifier, signed + "." + StrictBase64.urlText(bytes))
        }
        #expect(refused(signature.raw) == nil)
        for bytes in [signature.der, [], Array(signature.raw.dropLast()), signature.raw + [0]] {
            #expect(refused(bytes)?.text.contains("does not have 64 bytes") == true)
        }
        #expect(refused([UInt8](repeating: 0, count: 64))?.isMalformed == true)
        let other = try authority.jws(key: try CurvePrivateKey.make())
        #expect(refusal(authority.verifier, other)?.isMalformed == false)
    }

    @Test func `a JWS that is too long is refused before it is read`() throws {
        let authority = try TestDataAuthority()
        let more = String(repeating: "A", count: SignedDataHeader.jwsBytesMax)
        let text = try authority.jws() + more
        #expect(refusal(authority.verifier, text)?.text.contains("more than 262144") == true)
    }

    @Test func `data under a foreign root are not authentic, whatever the root's name`() throws {
        let expected = VerificationRefusal.notAuthentic(
            "No root of this store vouches for the data.")
        let store = try SharedStore.get()
        let foreign = try TestDataAuthority()
        #expect(refusal(store.dataVerifier(), try foreign.jws()) == expected)
        let own = try Certificate(store.dataRoot(.sandbox, isTest: false))
        let twin = try TestDataAuthority(
            .init(root: {
                $0.subject = DistinguishedName(
                    organization: "Bodega", commonName: "Bodega Sandbox Signed Data Root CA")
                $0.issuer = $0.subject.der
            }))
        #expect(try Certificate(twin.root).subject == own.subject)
        #expect(refusal(store.dataVerifier(), try twin.jws()) == expected)
        let borrowed = try foreign.jws(
            certificates: [foreign.leaf, foreign.intermediate, own.der])
        #expect(
            refusal(store.dataVerifier(), borrowed)?.text.contains("lead to the root") == true)
    }

    @Test func `a receipt's certificates do not vouch for data, nor data's for receipts`() throws {
        let store = try SharedStore.get()
        let authority = try TestDataAuthority()
        let receiptRoot = try store.rootCertificate(.sandbox, isTest: false)
        let leaf = try store.makeLeaf(.sandbox, isTest: false, worldID: Samples.worldID)
        let jws = try authority.jws(certificates: [leaf, authority.intermediate, receiptRoot])
        #expect(refusal(store.dataVerifier(), jws)?.isMalformed == false)
        let dataRoot = try store.dataRoot(.sandbox, isTest: false)
        let receipts = try TestAuthority()
        let receipt = try receipts.receipt(
            certificates: [receipts.leaf, receipts.intermediate, dataRoot])
        #expect(
            refusal(store.receiptVerifier(), receipt)
                == .notAuthentic("No root of this store vouches for the receipt."))
    }
}
