import Foundation
import StoreModel
import StoreWire
import TestSupport
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// Receipts that are broken, forged, foreign, bombs or too long, at `/verifyReceipt`.
///
/// Some are made with the store's own keys: not even who has stolen those of a leaf makes a receipt
/// that breaks the rules.
@Suite(.ownThreads) struct HostileReceiptTests {
    private static func verify(
        _ receipt: [UInt8], at environment: String = "sandbox", as type: String? = nil,
        over connection: RawConnection
    ) throws -> RawAnswer? {
        let body = #"{"receipt-data":"\#(Data(receipt).base64EncodedString())"}"#
        connection.write(
            Array(
                ("POST /\(environment)/verifyReceipt HTTP/1.1\r\nHost: a\r\n"
                    + (type.map { "Content-Type: \($0)\r\n" } ?? "")
                    + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8))
        return try connection.readAnswer()
    }

    private static func expect(
        _ status: Int, _ name: String, _ answer: RawAnswer?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer?.status == 200, "\(name)", sourceLocation: sourceLocation)
        #expect(
            answer?.header("content-type") == "application/json", "\(name)",
            sourceLocation: sourceLocation)
        if status == 0 {
            let text = answer?.text.prefix(45) ?? ""
            #expect(
                text.hasPrefix(#"{"status":0,"environment":"#), "\(name)",
                sourceLocation: sourceLocation)
        } else {
            #expect(
                answer?.text == #"{"status":\#(status)}"#, "\(name)",
                sourceLocation: sourceLocation)
        }
    }

    @Test func `forged and foreign receipts are refused on one connection, which continues`() throws
    {
        let hostile = try HostileLab()
        let before = try HostileLab.rows(of: hostile.lab.storeFile)
        let connection = try RawConnection(port: hostile.lab.storePort)
        for (name, status, receipt) in try Self.forged(ForgedReceipts(of: hostile)) {
            // Twice: the second time, what the first one left in a cache must not help it.
            for _ in 0..<2 {
                Self.expect(status, name, try Self.verify(receipt, over: connection))
            }
        }
        #expect(try HostileLab.rows(of: hostile.lab.storeFile) == before)
    }

    private static func forged(
        _ forge: ForgedReceipts
    ) throws -> [(String, Int, [UInt8])] {
        func without(_ type: OID) -> (inout CertificateTemplate) -> Void {
            { $0.extensions.removeAll { $0.type == type } }
        }
        func with(_ new: CertificateExtension) -> (inout CertificateTemplate) -> Void {
            {
                $0.extensions.removeAll { $0.type == new.type }
                $0.extensions.append(new)
            }
        }
        let foreign = try foreignReceipt()
        let parts = try ReceiptContainer(foreign)
        var list = try parts.reader.inside(parts.certificates)
        let foreignLeaf = Array(foreign[try list.next().whole])
        let foreignMiddle = Array(foreign[try list.next().whole])
        let day: Int64 = 86_400
        return [
            ("nothing wrong", 0, try forge.receipt()),
            (
                "nothing wrong, of another app", 0,
                try forge.receipt(payload: forge.payload(bundleID: "com.example.other"))
            ),
            ("a foreign root", 21003, foreign),
            (
                "a foreign chain under our root", 21003,
                try forge.receipt(leaf: foreignLeaf, intermediate: foreignMiddle)
            ),
            (
                "our chain under a foreign root", 21003,
                try forge.receipt(root: Array(foreign[try list.next().whole]))
            ),
            (
                "a leaf without its marker", 21003,
                try forge.receipt(leaf: forge.leaf(without(.receiptSigningMarker)))
            ),
            (
                "a leaf with the intermediate's marker only", 21003,
                try forge.receipt(
                    leaf: forge.leaf {
                        without(.receiptSigningMarker)(&$0)
                        $0.extensions.append(.marker(.intermediateMarker))
                    })
            ),
            (
                "an intermediate without its marker", 21003,
                try forge.receipt(intermediate: forge.intermediate(without(.intermediateMarker)))
            ),
            (
                "a leaf that is a CA", 21003,
                try forge.receipt(leaf: forge.leaf(with(.basicConstraints(isCA: true))))
            ),
            (
                "an intermediate that is no CA", 21003,
                try forge.receipt(
                    intermediate: forge.intermediate(with(.basicConstraints(isCA: false))))
            ),
            (
                "a leaf that is not valid yet", 21003,
                try forge.receipt(
                    leaf: forge.leaf {
                        $0.notBefore = Timestamp(seconds: 1_714_558_831 + day)
                    })
            ),
            (
                "a leaf that expired", 21003,
                try forge.receipt(
                    leaf: forge.leaf {
                        $0.notAfter = Timestamp(seconds: 1_714_558_831 - day)
                    })
            ),
            (
                "a leaf of another world", 21003,
                try forge.receipt(
                    leaf: forge.leaf {
                        $0.subject = DistinguishedName(
                            organization: IssuingChain.organization,
                            organizationalUnit: "7D444840-9DC0-11D1-B245-5FFDCE74FAD2",
                            commonName: IssuingChain.leafName)
                    })
            ),
            (
                "a leaf of no world", 21003,
                try forge.receipt(
                    leaf: forge.leaf {
                        $0.subject = DistinguishedName(
                            organization: IssuingChain.organization,
                            commonName: IssuingChain.leafName)
                    })
            ),
            (
                "the intermediate for a leaf", 21003,
                try forge.receipt(leaf: forge.intermediate)
            ),
            ("no certificates", 21003, try forge.receipt(certificates: [])),
            ("the leaf alone", 21003, try forge.receipt(certificates: [forge.leaf])),
            (
                "the root three times", 21003,
                try forge.receipt(certificates: [forge.root, forge.root, forge.root])
            ),
            (
                "a certificate too many", 21003,
                try forge.receipt(certificates: [
                    forge.leaf, forge.intermediate, forge.root, forge.root,
                ])
            ),
            ("another key", 21003, try forge.receipt(key: PrivateKey.makeRSA())),
            ("a payload of nothing", 21002, try forge.receipt(payload: [])),
            ("a payload that is no set", 21002, try forge.receipt(payload: DERWriter.null)),
            (
                "a payload cut off", 21002,
                try forge.receipt(payload: Array(forge.payload().dropLast()))
            ),
            (
                "a payload with a byte too many", 21002,
                try forge.receipt(payload: forge.payload() + [0])
            ),
        ]
    }

    /// A receipt that is right under a root of its own.
    private static func foreignReceipt() throws -> [UInt8] {
        let folder = TemporaryFolder()
        try KeyStore.create(in: folder.file("keys"))
        let keys = try KeyStore(directory: folder.file("keys"))
        let leaf = try keys.makeLeaf(.sandbox, isTest: false, worldID: "X")
        let time = Timestamp(seconds: 1_714_558_831)
        return try keys.receiptSigner(.sandbox, isTest: false, leaf: leaf).sign(
            ReceiptPayload(
                receiptType: "ProductionSandbox", appItemID: 0, bundleID: Lab.bundleID,
                applicationVersion: "1.0", opaqueValue: [1], deviceHash: Array(0..<20),
                createdAt: time, downloadID: 0, versionExternalIdentifier: 0, purchases: [],
                originalPurchaseDate: time, originalApplicationVersion: "1.0", expiresAt: nil))
    }

    @Test func `ASN.1 bombs are malformed at once`() throws {
        let hostile = try HostileLab()
        let receipt = try ForgedReceipts(of: hostile).receipt()
        let connection = try RawConnection(port: hostile.lab.storePort)
        for (name, bomb) in Self.bombs(receipt) {
            let answer = try hostile.expectLittleWork(name, port: hostile.lab.storePort) {
                try Self.verify(bomb, over: connection)
            }
            Self.expect(21002, name, answer)
        }
    }

    private static func bombs(_ receipt: [UInt8]) -> [(String, [UInt8])] {
        func nested(_ count: Int, _ open: [UInt8]) -> [UInt8] {
            Array(repeatElement(open, count: count).joined())
        }
        var deep: [UInt8] = []
        for _ in 0..<2_000 { deep = DERWriter.sequence(deep) }
        return [
            ("an indefinite length", [0x30, 0x80] + receipt.dropFirst(4) + [0, 0]),
            ("only indefinite lengths", nested(100_000, [0x30, 0x80])),
            ("2,000 sequences deep", deep),
            (
                "100,000 sequences that are cut off",
                nested(100_000, [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF])
            ),
            ("a length of 4 GiB", [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF] + receipt.dropFirst(4)),
            ("a length of 2^63", [0x30, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            ("a length of 126 bytes", [0x30, 0xFE] + [UInt8](repeating: 0xFF, count: 126)),
            ("a length in a longer form", [0x30, 0x83, 0] + receipt[2...]),
            ("a tag of many bytes", [0x3F] + [UInt8](repeating: 0xFF, count: 100_000)),
            ("a million elements", DERWriter.sequence(nested(1_000_000, [0x05, 0x00]))),
            (
                "a number of a million bytes",
                DERWriter.sequence(
                    DERWriter.element(.integer, [1] + [UInt8](repeating: 0, count: 1_000_000)))
            ),
            (
                "an object identifier of a million bytes",
                DERWriter.sequence(
                    DERWriter.element(
                        .objectIdentifier, [UInt8](repeating: 0xFF, count: 1_000_000) + [1]))
            ),
            ("a byte too many", receipt + [0]),
            ("the receipt twice", receipt + receipt),
            (
                "16 MiB of nothing, in base64",
                [UInt8](repeating: 0, count: ((16 << 20) - 64) / 4 * 3 - 3)
            ),
        ]
    }

    @Test func `a truncated receipt is malformed and one with a flipped bit is refused`()
        throws
    {
        let hostile = try HostileLab()
        let receipt = try ForgedReceipts(of: hostile).receipt()
        let before = try HostileLab.rows(of: hostile.lab.storeFile)
        let connection = try RawConnection(port: hostile.lab.storePort)
        for count in 1..<receipt.count {
            let answer = try Self.verify(Array(receipt.prefix(count)), over: connection)
            Self.expect(21002, "cut at \(count)", answer)
        }
        for place in 0..<receipt.count {
            var turned = receipt
            turned[place] ^= 1 << UInt8(place % 8)
            let text = try Self.verify(turned, over: connection)?.text ?? ""
            #expect(
                [#"{"status":21002}"#, #"{"status":21003}"#].contains(text), "byte \(place)")
        }
        #expect(try HostileLab.rows(of: hostile.lab.storeFile) == before)
    }

    @Test func `receipts of other environments are referred there or refused`() throws {
        let hostile = try HostileLab()
        let connection = try RawConnection(port: hostile.lab.storePort)
        func genuine(_ name: String) -> [UInt8] {
            Array(Data(base64Encoded: hostile.values[name] ?? "") ?? Data())
        }
        let production = try ForgedReceipts(.production, of: hostile).receipt()
        for (name, receipt, place, status) in [
            ("the buyer's", genuine("RECEIPT"), "sandbox", 0),
            ("the buyer's, at production", genuine("RECEIPT"), "production", 21007),
            ("the buyer's, at another world", genuine("RECEIPT"), "t/other/sandbox", 21003),
            ("another world's", genuine("FOREIGNRECEIPT"), "sandbox", 21003),
            ("another world's, at production", genuine("FOREIGNRECEIPT"), "production", 21003),
            ("another world's, at home", genuine("FOREIGNRECEIPT"), "t/other/sandbox", 0),
            ("another app's", genuine("OTHERAPPRECEIPT"), "sandbox", 0),
            ("production's", production, "production", 0),
            ("production's, at the sandbox", production, "sandbox", 21008),
        ] {
            Self.expect(status, name, try Self.verify(receipt, at: place, over: connection))
        }
        let other = try Self.verify(genuine("OTHERAPPRECEIPT"), over: connection)
        let body = try JSONValue(parsing: other?.body ?? [])
        #expect(body["receipt"]?["bundle_id"]?.string == HostileLab.otherApp)
    }

    @Test func `a receipt is verified and shown under any content type`() throws {
        let hostile = try HostileLab()
        let connection = try RawConnection(port: hostile.lab.storePort)
        let receipt = Array(try #require(Data(base64Encoded: hostile.values["RECEIPT"] ?? "")))
        for type in [
            nil, "", "application/json", "text/plain; charset=utf-8", "no type",
            "application/x-www-form-urlencoded", "multipart/form-data; boundary=receipt",
        ] {
            let answer = try Self.verify(receipt, as: type, over: connection)
            Self.expect(0, "\(type ?? "none")", answer)
            let body = try JSONValue(parsing: answer?.body ?? [])
            #expect(body["receipt"]?["bundle_id"]?.string == Lab.bundleID, "\(type ?? "none")")
        }
    }

    @Test func `bodies without a receipt get a status`() throws {
        let hostile = try HostileLab()
        try expectGolden(
            try hostile.transcript(
                of: Self.bodies, port: hostile.lab.storePort, database: hostile.lab.storeFile,
                isBounded: true), "hostile-verify-receipt")
    }

    private static func body(_ name: String, _ body: String) -> HostileRow {
        .post(name, "/sandbox/verifyReceipt", body)
    }

    private static let bodies: [HostileRow] = [
        body("nothing", ""),
        body("no JSON", "receipt-data=AAAA"),
        body("an array", "[]"),
        body("null", "null"),
        body("no UTF-8", #"{"receipt-data":"{FF}"}"#),
        body("a byte order mark", "{EF}{BB}{BF}{}"),
        body("a key twice", #"{"receipt-data":"AAAA","receipt-data":"AAAA"}"#),
        body("more behind the object", #"{"receipt-data":"AAAA"} x"#),
        body("400 arrays deep", "{[400}"),
        body("4,000,000 arrays deep", "{[4000000}"),
        body(
            "1,000,001 values",
            #"{"receipt-data":["#
                + String(repeating: "0,", count: 1_000_001) + "0]}"),
        body("a number of a million digits", #"{"receipt-data":{91000000}}"#),
        body("no receipt", "{}"),
        body("a list of receipts", #"{"receipt-data":["AAAA"]}"#),
        body("one letter of base64", #"{"receipt-data":"A"}"#),
        body("base64 of five letters", #"{"receipt-data":"AAAAA"}"#),
        body("too much padding", #"{"receipt-data":"AA==="}"#),
        body("padding in the middle", #"{"receipt-data":"AA==AAAA"}"#),
        body("padding alone", #"{"receipt-data":"===="}"#),
        body("the URL alphabet", #"{"receipt-data":"_-_-"}"#),
        body("no base64", #"{"receipt-data":"!!!!"}"#),
        body("a NUL in base64", #"{"receipt-data":"AA\u0000AA"}"#),
        body("blanks alone", #"{"receipt-data":"  \n "}"#),
        body("exactly 16 MiB", #"{"receipt-data":"{a16777197}"}"#),
        HostileRow(
            "16 MiB and a byte, only told",
            "POST /sandbox/verifyReceipt HTTP/1.1\r\nHost: a\r\nContent-Length: 16777217\r\n\r\n"),
        .get("a GET", "/sandbox/verifyReceipt?receipt-data=AAAA"),
        .post("a PUT", "/sandbox/verifyReceipt", #"{"receipt-data":"AAAA"}"#, method: "PUT"),
        HostileRow(
            "a HEAD", "HEAD /sandbox/verifyReceipt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        ),
    ]
}
