import FoundationEssentials
import Glibc
import StoreModel
@testable import StoreSigning
@testable import StoreVerification

/// `scripts/fuzz --make-signed-data`: signs known data and a token of an app's server under keys that
/// are discarded, and saves their parts as seeds, with requests for the status of the certificates.
@main struct MakeSignedData {
    private static let worldID = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
    private static let time = Timestamp(milliseconds: 1_714_558_831_000)
    private static let terms = DataCertificateTerms(
        responder: "http://127.0.0.1:8080/sandbox/ocsp")

    static func main() throws {
        guard CommandLine.arguments.count == 3 else {
            print("usage: MakeSignedData FUZZ-FOLDER FOLDER-FOR-KEYS")
            exit(2)
        }
        let folder = CommandLine.arguments[1]
        try KeyStore.create(in: CommandLine.arguments[2])
        let keys = try KeyStore(directory: CommandLine.arguments[2])
        let leaf = try keys.makeDataLeaf(.sandbox, isTest: false, worldID: worldID, terms)
        let intermediate = try keys.makeDataIntermediate(.sandbox, isTest: false, terms)
        let root = try keys.dataRoot(.sandbox, isTest: false)
        for (name, der) in [("leaf", leaf), ("intermediate", intermediate), ("root", root)] {
            try write(der, "\(folder)/SignedData/\(name).der")
        }
        try write(leaf, "\(folder)/Corpus/jws/leaf.der")
        let signer = try keys.dataSigner(
            .sandbox, isTest: false, leaf: leaf, intermediate: intermediate)
        for (name, payload) in [("transaction", transaction), ("app-transaction", appTransaction)] {
            let jws = try signer.sign(Array(payload.utf8), at: time)
            try write(Array(jws.utf8), "\(folder)/SignedData/\(name).txt")
            try writeParts(of: jws, name, "\(folder)/Corpus/jws")
        }
        try makeToken(folder)
        try makeRequests(
            [(leaf, intermediate), (intermediate, root)].map {
                (try Certificate($0), try Certificate($1))
            }, folder)
    }

    private static func makeToken(_ folder: String) throws {
        let key = try CurvePrivateKey.make()
        let token = try ServerToken.make(
            bundleID: "com.example.rocketcar", issuerID: "57246542-96fe-1a63-e053-0824d011072a",
            keyID: "2X9R4HXF34", key: key, at: time)
        try write(Array(token.utf8), "\(folder)/SignedData/token.txt")
        try write(try key.publicKeyInfo(), "\(folder)/SignedData/token-key.der")
        try writeParts(of: token, "token", "\(folder)/Corpus/token")
    }

    private static func writeParts(of jws: String, _ name: String, _ folder: String) throws {
        try write(Array(jws.utf8), "\(folder)/\(name).txt")
        for (part, ending) in zip(
            jws.split(separator: "."), ["header.json", "payload.json", "signature.bin"])
        {
            try write(StrictBase64.urlBytes(part) ?? [], "\(folder)/\(name)-\(ending)")
        }
    }

    private static func makeRequests(
        _ pairs: [(Certificate, Certificate)], _ folder: String
    ) throws {
        let nonce = CertificateExtension(
            .ocspNonce, value: DERWriter.octetString(Array(0..<16)))
        for (digest, oid, name) in [
            (MessageDigest.sha1, OID.sha1, "sha1"), (.sha256, .sha256, "sha256"),
        ] {
            let items = try pairs.map { certificate, issuer in
                DERWriter.sequence(
                    DERWriter.sequence(
                        DERWriter.sequence(DERWriter.objectIdentifier(oid), DERWriter.null),
                        DERWriter.octetString(digest.hash(issuer.subject)),
                        DERWriter.octetString(digest.hash(try issuer.publicKeyBits())),
                        certificate.serial))
            }
            for (part, list, extensions) in [
                ("leaf", items[0], []), ("intermediate", items[1], nonce.der),
                ("both", items[0] + items[1], nonce.der),
            ] {
                let last = DERWriter.element(
                    .context(2, constructed: true), DERWriter.sequence(extensions))
                let request = DERWriter.sequence(
                    DERWriter.sequence(
                        DERWriter.sequence(list), extensions.isEmpty ? [] : last))
                try write(request, "\(folder)/Corpus/ocsp/\(name)-\(part).der")
            }
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private static let transaction = """
        {"bundleId":"com.example.rocketcar","environment":"Sandbox",\
        "originalTransactionId":"2000000000000001","productId":"com.example.rocketcar.fuel",\
        "purchaseDate":1714558830000,"quantity":1,"signedDate":1714558831000,\
        "transactionId":"2000000000000001","type":"Consumable"}
        """

    private static let appTransaction = """
        {"appAppleId":0,"bundleId":"com.example.rocketcar","originalApplicationVersion":"1.0",\
        "receiptCreationDate":1714558831000,"receiptType":"Sandbox"}
        """
}
