import StoreVerification

/// A private key of an authority, which signs certificates.
protocol CertificateSigner {
    /// The AlgorithmIdentifier (DER) of its signatures.
    var certificateAlgorithm: [UInt8] { get }

    func certificateSignature(over bytes: [UInt8]) throws -> [UInt8]
}

/// RSA with SHA-256, as in the chain of receipts.
extension PrivateKey: CertificateSigner {
    var certificateAlgorithm: [UInt8] {
        DERWriter.sequence(
            DERWriter.objectIdentifier(.sha256WithRSAEncryption), DERWriter.null)
    }

    func certificateSignature(over bytes: [UInt8]) throws -> [UInt8] {
        try signature(over: bytes)
    }
}

/// ECDSA with SHA-384, as in Apple's chain of signed data.
extension CurvePrivateKey: CertificateSigner {
    var certificateAlgorithm: [UInt8] {
        DERWriter.sequence(DERWriter.objectIdentifier(.ecdsaWithSHA384))
    }

    func certificateSignature(over bytes: [UInt8]) throws -> [UInt8] {
        try derSignature(over: bytes, by: .sha384)
    }
}
