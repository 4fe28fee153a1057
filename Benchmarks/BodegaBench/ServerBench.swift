import AppStoreServer
import Foundation
import StoreModel
import StoreSigning
import StoreVerification

/// Tokens of an app's server, and signed data verified by the library without HTTP.
enum ServerBench {
    /// The number of distinct JWS that the verifications use.
    private static let checked = 2_000

    /// Writes tokens, one per line.
    static func writeTokens(_ options: Options) throws {
        let pem = Array(try Data(contentsOf: URL(filePath: try options.text("key"))))
        let key = try CurvePrivateKey(pem: pem)
        let (bundleID, issuerID) = (try options.text("bundle-id"), try options.text("issuer"))
        let keyID = try options.text("key-id")
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        let tokens = try (0..<Int(try options.number("count"))).map { _ in
            try ServerToken.make(
                bundleID: bundleID, issuerID: issuerID, keyID: keyID, key: key, at: now)
        }
        try Data(tokens.map { $0 + "\n" }.joined().utf8)
            .write(to: URL(filePath: try options.text("out")))
    }

    /// Signed data whose chain is known, beside a signature of OpenSSL's alone; and signed data
    /// whose chain is not, beside OpenSSL's reading and checking of the chain and that signature.
    static func verify(_ options: Options) throws {
        let world = try ReceiptBench.openWorld(options)
        defer { world.close() }
        let signer = try world.dataSigner(for: .sandbox)
        let moment = Timestamp(seconds: 1_700_000_000)
        let signed = try (0..<checked).map { number in
            try signer.sign(
                Array(
                    """
                    {"bundleId":"com.example.bench","productId":"com.example.bench.fuel",\
                    "signedDate":1700000000000,"transactionId":"\(2_000_000_000_000_000 + number)"}
                    """.utf8), at: moment)
        }
        let keys = try ReceiptBench.openKeys(options)
        let known = keys.dataVerifier()
        let floor = try CurveFloor()
        let chainFloor = ChainFloor(certificates: try certificates(of: signed[0]))
        let seconds = try options.number("seconds") / 2
        var number = 0
        func check(_ verifier: SignedDataVerifier) throws {
            guard try verifier.verify(signed[number % signed.count]).worldID == world.id else {
                throw Failure("signed data are of another world")
            }
            number += 1
        }
        let rates = try Stopwatch.rates(seconds: seconds) {
            try check(known)
        } _: {
            try floor.verify()
        }
        let chainRates = try Stopwatch.rates(seconds: seconds) {
            try check(keys.dataVerifier())
        } _: {
            try chainFloor.verify()
            try floor.verify()
        }
        try report([
            "rate": rates.first, "floor": rates.second, "chain_rate": chainRates.first,
            "chain_floor": chainRates.second,
        ])
    }

    private struct Header: Decodable {
        let x5c: [Data]
    }

    /// The certificates in the header of a JWS, the leaf first.
    private static func certificates(of jws: String) throws -> [[UInt8]] {
        let text = String(jws.prefix { $0 != "." }).replacing("-", with: "+").replacing(
            "_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let json = Data(base64Encoded: text + padding) else {
            throw Failure("the header of signed data is not in base64url")
        }
        return try JSONDecoder().decode(Header.self, from: json).x5c.map { Array($0) }
    }
}
