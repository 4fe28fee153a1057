import Foundation
import StoreModel
import StoreSigning
import StoreVerification
import TestSupport
import Testing

/// Asks about the certificates of a JWS with `openssl ocsp`.
struct OCSPClient {
    private let folder = TemporaryFolder()
    private let names = ["leaf", "intermediate", "root"]

    /// The certificates (DER) of a JWS, the leaf first.
    static func certificates(of jws: String) throws -> [[UInt8]] {
        struct Header: Decodable { let x5c: [String] }
        let head = jws.prefix { $0 != "." }.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - head.utf8.count % 4) % 4)
        let json = try #require(Data(base64Encoded: String(head) + padding))
        return try JSONDecoder().decode(Header.self, from: json).x5c.map {
            try #require(base64Bytes($0))
        }
    }

    init(_ jws: String) throws {
        for (name, der) in zip(names, try Self.certificates(of: jws)) {
            try folder.write(certificatePEM(der), name)
        }
    }

    private func about(_ role: DataCertificateRole) -> [String] {
        let issuer = role == .leaf ? "intermediate" : "root"
        return ["-issuer", folder.file(issuer), "-cert", folder.file(role.rawValue)]
    }

    /// The request (DER) about one of them.
    func request(about role: DataCertificateRole) throws -> [UInt8] {
        _ = try Command(
            "openssl",
            ["ocsp", "-sha256", "-no_nonce"] + about(role) + ["-reqout", folder.file("request")])
        return try folder.read("request")
    }

    /// The status in an answer, such as `good`, and its lines for a person.
    func status(
        of role: DataCertificateRole, in answer: [UInt8]
    ) throws -> (word: String, text: String) {
        try folder.write(answer, "answer")
        let text = try Command(
            "openssl",
            ["ocsp", "-sha256", "-no_nonce", "-respin", folder.file("answer")] + about(role) + [
                "-CAfile", folder.file("root"), "-verify_other", folder.file("intermediate"),
            ]
        ).output
        #expect(text.contains("Response verify OK"), "\(text)")
        // openssl also remarks that the test's clock is not its own.
        let lines = text.split(separator: "\n")
        let word = ["good", "revoked", "unknown"].first { word in
            lines.contains { $0 == word || $0.hasSuffix(": \(word)") }
        }
        return (word ?? "", text)
    }
}
