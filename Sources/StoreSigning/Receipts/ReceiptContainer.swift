import StoreVerification

/// A PKCS#7 signed-data container in the one shape that receipts have.
///
/// Version 1, one digest algorithm, the payload inside, certificates, one signer by issuer and
/// serial number, no signed attributes, RSA with PKCS#1 v1.5 over the payload (RFC 5652, 5).
struct ReceiptContainer {
    /// Reads the whole receipt, for access to its parts.
    let reader: DERReader
    let payload: DERElement
    /// The certificates, concatenated.
    let certificates: DERElement
    let digest: MessageDigest
    let signerIssuer: ArraySlice<UInt8>
    let signerSerial: ArraySlice<UInt8>
    let signature: [UInt8]

    init(_ bytes: [UInt8]) throws(DERError) {
        var reader = DERReader(bytes)
        var outer = try reader.enter(.sequence)
        try reader.finish()
        self.reader = reader
        try outer.expect(.signedData)
        var wrapper = try outer.enter(.context(0, constructed: true))
        try outer.finish()
        var fields = try wrapper.enter(.sequence)
        try wrapper.finish()

        try fields.expect(version: 1)
        var digests = try fields.enter(.set)
        let named = try digests.digestAlgorithm()
        try digests.finish()
        payload = try Self.payload(&fields)
        certificates = try fields.next(.context(0, constructed: true))
        var signers = try fields.enter(.set)
        try fields.finish()

        var signer = try signers.enter(.sequence)
        try signers.finish()
        try signer.expect(version: 1)
        var identifier = try signer.enter(.sequence)
        signerIssuer = reader.slice(try identifier.next(.sequence).whole)
        signerSerial = reader.slice(try identifier.integerElement().whole)
        try identifier.finish()
        let place = signer.position
        digest = try signer.digestAlgorithm()
        guard digest === named else {
            throw DERError("the signer names a different digest from the container's", byte: place)
        }
        var algorithm = try signer.enter(.sequence)
        try algorithm.expect(.rsaEncryption)
        try algorithm.nullOrNothing()
        signature = try signer.octets()
        try signer.finish()
    }

    private static func payload(_ fields: inout DERReader) throws(DERError) -> DERElement {
        var content = try fields.enter(.sequence)
        try content.expect(.data)
        var wrapper = try content.enter(.context(0, constructed: true))
        try content.finish()
        let payload = try wrapper.next(.octetString)
        try wrapper.finish()
        return payload
    }

    /// Where its first certificates are, and a reader for them.
    func certificates(countMax: Int) throws(DERError) -> ([DERElement], DERReader) {
        var reader = try reader.inside(certificates)
        var elements: [DERElement] = []
        while !reader.isAtEnd, elements.count < countMax {
            elements.append(try reader.next(.sequence))
        }
        return (elements, reader)
    }

    /// The container (DER) around a payload; `certificates` are complete, the leaf first.
    static func der(
        payload: [UInt8], certificates: [UInt8], signerIssuer: [UInt8], signerSerial: [UInt8],
        signature: [UInt8]
    ) -> [UInt8] {
        let digest = DERWriter.sequence(DERWriter.objectIdentifier(.sha256), DERWriter.null)
        let encryption = DERWriter.sequence(
            DERWriter.objectIdentifier(.rsaEncryption), DERWriter.null)
        let content = DERWriter.sequence(
            DERWriter.objectIdentifier(.data),
            DERWriter.element(.context(0, constructed: true), DERWriter.octetString(payload)))
        let signer = DERWriter.sequence(
            DERWriter.integer(1), DERWriter.sequence(signerIssuer, signerSerial), digest,
            encryption, DERWriter.octetString(signature))
        let signedData = DERWriter.sequence(
            DERWriter.integer(1), DERWriter.set(of: [digest]), content,
            DERWriter.element(.context(0, constructed: true), certificates),
            DERWriter.set(of: [signer]))
        return DERWriter.sequence(
            DERWriter.objectIdentifier(.signedData),
            DERWriter.element(.context(0, constructed: true), signedData))
    }
}

extension DERReader {
    fileprivate mutating func expect(_ oid: OID) throws(DERError) {
        let place = position
        let found = try objectIdentifierContents()
        guard found.elementsEqual(oid.contents) else {
            throw DERError(
                "\(oid) was expected here, not \(OID(contents: Array(found)))", byte: place)
        }
    }

    fileprivate mutating func expect(version: Int64) throws(DERError) {
        let place = position
        guard try integer() == version else {
            throw DERError("version \(version) was expected here", byte: place)
        }
    }

    /// Parameters of an algorithm that has none.
    fileprivate mutating func nullOrNothing() throws(DERError) {
        if nextTag == .null { try null() }
        try finish()
    }

    fileprivate mutating func digestAlgorithm() throws(DERError) -> MessageDigest {
        let place = position
        var algorithm = try enter(.sequence)
        let name = try algorithm.objectIdentifierContents()
        try algorithm.nullOrNothing()
        if name.elementsEqual(OID.sha256.contents) { return .sha256 }
        if name.elementsEqual(OID.sha1.contents) { return .sha1 }
        throw DERError("\(OID(contents: Array(name))) is not a digest of receipts", byte: place)
    }
}
