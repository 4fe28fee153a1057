import StoreVerification

/// The `signature` of a transaction receipt, version 2: version, signature, length of the
/// certificate, certificate.
///
/// The version prescribes RSA-1024 and SHA-1. Only these receipts are signed this way.
struct TransactionSignature: Hashable, Sendable {
    static let version: UInt8 = 2
    static let signatureBytes = 128
    /// The longest certificate that is read; ours have about 900 bytes.
    static let certificateBytesMax = 8_192
    private static let lengthBytes = 4

    let signature: [UInt8]
    let certificate: [UInt8]

    init(signature: [UInt8], certificate: [UInt8]) {
        self.signature = signature
        self.certificate = certificate
    }

    var bytes: [UInt8] {
        let length = UInt32(certificate.count)
        return [Self.version] + signature
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + certificate
    }

    /// Reads all of the bytes.
    init(_ bytes: [UInt8]) throws(VerificationRefusal) {
        guard let version = bytes.first else {
            throw .malformed("The signature is empty.")
        }
        guard version == Self.version else {
            throw .malformed(
                "The signature is of version \(version); only version \(Self.version) is read.")
        }
        let certificateStart = 1 + Self.signatureBytes + Self.lengthBytes
        guard bytes.count > certificateStart else {
            throw .malformed("The signature ends before its certificate.")
        }
        let length = bytes[(1 + Self.signatureBytes)..<certificateStart]
            .reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.certificateBytesMax, length == bytes.count - certificateStart else {
            throw .malformed(
                "The signature says that its certificate has \(length) bytes, and has "
                    + "\(bytes.count - certificateStart) of it; at most "
                    + "\(Self.certificateBytesMax) are read.")
        }
        signature = Array(bytes[1..<(1 + Self.signatureBytes)])
        certificate = Array(bytes[certificateStart...])
    }

    /// The signed bytes, which include the version.
    static func signedBytes(_ info: [UInt8]) -> [UInt8] { [version] + info }
}
