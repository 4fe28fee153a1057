package import StoreModel
package import StoreVerification

/// The contents of a new certificate.
package struct CertificateTemplate: Sendable {
    /// 2000-01-01: no world's clock shows an earlier time.
    package static let notBefore = Timestamp.certified.lowerBound
    /// 2099-12-31 23:59:59: no world's clock shows a later time.
    package static let notAfter = Timestamp.certified.upperBound
    private static let serialBytes = 16

    package var serial: [UInt8]
    /// The issuer's name (DER), byte for byte as in the issuer's own certificate.
    package var issuer: [UInt8]
    package var subject: DistinguishedName
    /// The SubjectPublicKeyInfo (DER) of the key it certifies.
    package var publicKeyInfo: [UInt8]
    package var notBefore = Self.notBefore
    package var notAfter = Self.notAfter
    package var extensions: [CertificateExtension]

    /// A template with a new random serial number.
    package init(
        issuer: [UInt8], subject: DistinguishedName, publicKeyInfo: [UInt8],
        extensions: [CertificateExtension]
    ) {
        var serial = randomBytes(Self.serialBytes)
        // Positive, and always of the same length.
        serial[0] = 0x40 | serial[0] & 0x3F
        self.serial = serial
        self.issuer = issuer
        self.subject = subject
        self.publicKeyInfo = publicKeyInfo
        self.extensions = extensions
    }

    /// The certificate (DER), signed by its issuer's key.
    func signed(by key: some CertificateSigner) throws -> [UInt8] {
        let algorithm = key.certificateAlgorithm
        let version3 = DERWriter.element(.context(0, constructed: true), DERWriter.integer(2))
        let extensionList = DERWriter.element(.sequence, parts: extensions.map(\.der))
        let toBeSigned = DERWriter.sequence(
            version3, DERWriter.unsignedInteger(serial), algorithm, issuer,
            DERWriter.sequence(DERWriter.time(notBefore), DERWriter.time(notAfter)), subject.der,
            publicKeyInfo, DERWriter.element(.context(3, constructed: true), extensionList))
        let signature = try key.certificateSignature(over: toBeSigned)
        return DERWriter.sequence(toBeSigned, algorithm, DERWriter.bitString(signature))
    }

    /// SHA-1 of a public key's bits (RFC 5280, 4.2.1.2, method 1).
    package static func keyIdentifier(ofPublicKeyInfo info: [UInt8]) throws(DERError) -> [UInt8] {
        sha1(try Certificate.keyBits(ofPublicKeyInfo: info))
    }
}
