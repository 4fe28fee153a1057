import StoreVerification

/// A question about the status of certificates. Source: RFC 6960, 4.1.
///
/// A signature is not checked, as by most responders: everybody may ask.
struct OCSPRequest: Hashable, Sendable {
    /// Clients ask about one certificate at a time, or about the two of a chain.
    static let certificatesMax = 8
    /// The longest nonce (RFC 9654, 2.1).
    static let nonceBytesMax = 128

    let certificates: [OCSPCertificateID]
    /// The value of the nonce's extension, an OCTET STRING; nil without one.
    let nonce: [UInt8]?

    /// Reads DER strictly, but for the signature and the name of whoever asks, which are skipped.
    init(_ der: [UInt8]) throws(DERError) {
        var outer = DERReader(der)
        var request = try outer.enter(.sequence)
        try outer.finish()
        var fields = try request.enter(.sequence)
        _ = try request.nextIfPresent(.context(0, constructed: true))
        try request.finish()

        if let version = try fields.nextIfPresent(.context(0, constructed: true)) {
            var reader = try fields.inside(version)
            guard try reader.integer() == 0 else {
                throw DERError("a request is not of version 1", byte: version.start)
            }
            try reader.finish()
        }
        // The name of whoever asks.
        _ = try fields.nextIfPresent(.context(1, constructed: true))
        var list = try fields.enter(.sequence)
        var certificates: [OCSPCertificateID] = []
        repeat {
            var item = try list.enter(.sequence)
            certificates.append(try OCSPCertificateID(&item))
            if let extensions = try item.nextIfPresent(.context(0, constructed: true)) {
                _ = try Self.nonce(in: item.inside(extensions))
            }
            try item.finish()
            guard certificates.count <= Self.certificatesMax else {
                throw DERError("a request has too many certificates", byte: list.position)
            }
        } while !list.isAtEnd
        self.certificates = certificates
        let extensions = try fields.nextIfPresent(.context(2, constructed: true))
        nonce = try extensions.flatMap { place throws(DERError) in
            try Self.nonce(in: try fields.inside(place))
        }
        try fields.finish()
    }

    /// The nonce among extensions; refuses unknown critical ones.
    private static func nonce(in outer: DERReader) throws(DERError) -> [UInt8]? {
        var outer = outer
        var list = try outer.enter(.sequence)
        try outer.finish()
        var found: [UInt8]?
        while !list.isAtEnd {
            let place = list.position
            let item = try CertificateExtension(&list)
            if item.type == .ocspNonce {
                var reader = DERReader(item.value)
                let count = try reader.octets().count
                try reader.finish()
                guard found == nil, (1...nonceBytesMax).contains(count) else {
                    throw DERError("the nonce is empty, too long or there twice", byte: place)
                }
                found = item.value
            } else if item.isCritical {
                throw DERError("the critical extension \(item.type) is unknown", byte: place)
            }
        }
        return found
    }
}

/// Names a certificate by its issuer and number. Source: RFC 6960, 4.1.1.
struct OCSPCertificateID: Hashable, Sendable {
    /// As it was sent: an answer repeats it.
    let der: [UInt8]
    /// The digests are of this kind.
    let algorithm: OID
    let issuerNameHash: [UInt8]
    let issuerKeyHash: [UInt8]
    /// The contents of its INTEGER.
    let serial: [UInt8]

    init(_ outer: inout DERReader) throws(DERError) {
        let element = try outer.next(.sequence)
        var fields = try outer.inside(element)
        der = Array(outer.slice(element.whole))
        var method = try fields.enter(.sequence)
        algorithm = try method.objectIdentifier()
        if !method.isAtEnd { try method.null() }
        try method.finish()
        issuerNameHash = try fields.octets()
        issuerKeyHash = try fields.octets()
        let number = try fields.integerElement()
        serial = fields.contents(of: number)
        try fields.finish()
    }

    /// Nil for an algorithm that no client uses.
    var digest: MessageDigest? {
        switch algorithm {
        case .sha1: .sha1
        case .sha256: .sha256
        default: nil
        }
    }
}
