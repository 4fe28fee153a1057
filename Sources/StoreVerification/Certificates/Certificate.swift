package import StoreModel

/// The fields of a certificate, read strictly; says nothing about who signed it.
package struct Certificate: Hashable, Sendable {
    /// The maximum number of extensions read; Apple's leaf has nine.
    package static let extensionsMax = 32

    package let der: [UInt8]
    /// The serial number's DER element.
    package let serial: [UInt8]
    /// The issuer's name as its DER element.
    package let issuer: [UInt8]
    package let subject: [UInt8]
    package let organizationalUnits: [String]
    package let publicKeyInfo: [UInt8]
    package let notBefore: Timestamp
    package let notAfter: Timestamp
    package let extensions: [OID: CertificateExtension]

    package init(_ der: [UInt8]) throws(DERError) {
        var reader = DERReader(der)
        let element = try reader.next(.sequence)
        try reader.finish()
        try self.init(element, in: reader)
    }

    /// Reads the certificate at an element of a larger whole; positions in errors count from its
    /// start.
    package init(_ element: DERElement, in outer: DERReader) throws(DERError) {
        var reader = try outer.inside(element)
        var fields = try reader.enter(.sequence)
        _ = try reader.next(.sequence)
        _ = try reader.wholeByteBitString()
        try reader.finish()

        var version = try fields.enter(.context(0, constructed: true))
        guard try version.integer() == 2 else {
            throw DERError("a certificate is not of version 3", byte: element.start)
        }
        try version.finish()
        let serial = try fields.integerElement()
        _ = try fields.next(.sequence)
        let issuer = try fields.next(.sequence)
        var validity = try fields.enter(.sequence)
        notBefore = try validity.time()
        notAfter = try validity.time()
        try validity.finish()
        let subject = try fields.next(.sequence)
        let keyInfo = try fields.next(.sequence)
        extensions = try Self.extensions(&fields)
        try fields.finish()

        der = Array(outer.slice(element.whole))
        self.serial = Array(outer.slice(serial.whole))
        self.issuer = Array(outer.slice(issuer.whole))
        self.subject = Array(outer.slice(subject.whole))
        organizationalUnits = try Self.organizationalUnits(try fields.inside(subject))
        publicKeyInfo = Array(outer.slice(keyInfo.whole))
    }

    private static func extensions(
        _ fields: inout DERReader
    ) throws(DERError) -> [OID: CertificateExtension] {
        guard let element = try fields.nextIfPresent(.context(3, constructed: true)) else {
            return [:]
        }
        var wrapper = try fields.inside(element)
        var list = try wrapper.enter(.sequence)
        try wrapper.finish()
        var found: [OID: CertificateExtension] = [:]
        while !list.isAtEnd {
            let place = list.position
            let new = try CertificateExtension(&list)
            guard found.updateValue(new, forKey: new.type) == nil else {
                throw DERError("a certificate has the extension \(new.type) twice", byte: place)
            }
            guard found.count <= extensionsMax else {
                throw DERError(
                    "a certificate has more than \(extensionsMax) extensions", byte: place)
            }
        }
        return found
    }

    private static func organizationalUnits(_ name: DERReader) throws(DERError) -> [String] {
        var name = name
        var units: [String] = []
        while !name.isAtEnd {
            var part = try name.enter(.set)
            while !part.isAtEnd {
                var pair = try part.enter(.sequence)
                let type = try pair.objectIdentifier()
                let value = try pair.next()
                if type == .organizationalUnit { units.append(try pair.text(of: value)) }
            }
        }
        return units
    }
}

extension Certificate {
    /// What its basic constraints say; false without them. Nil when they are unreadable.
    package var isCertificateAuthority: Bool? {
        guard let found = extensions[.basicConstraints] else { return false }
        var outer = DERReader(found.value)
        guard var fields = try? outer.enter(.sequence) else { return nil }
        guard fields.nextTag == .boolean else { return false }
        return try? fields.boolean()
    }

    /// Whether it carries a marker extension.
    package func has(_ marker: OID) -> Bool { extensions[marker] != nil }

    /// Its serial number in hexadecimal, as other tools show it.
    package var serialText: String {
        StoreVerification.serialText(ofNumber: Array(serial.dropFirst(2)))
    }

    /// The bits of its public key, whose digest names the key.
    package func publicKeyBits() throws(DERError) -> [UInt8] {
        try Self.keyBits(ofPublicKeyInfo: publicKeyInfo)
    }

    /// The bits of a SubjectPublicKeyInfo (DER).
    package static func keyBits(ofPublicKeyInfo info: [UInt8]) throws(DERError) -> [UInt8] {
        var outer = DERReader(info)
        var fields = try outer.enter(.sequence)
        _ = try fields.next(.sequence)
        return Array(try fields.wholeByteBitString())
    }

    package func isValid(at moment: Timestamp) -> Bool {
        notBefore.seconds <= moment.seconds && moment.seconds <= notAfter.seconds
    }
}

/// A serial number, as the contents of its INTEGER, in hexadecimal.
package func serialText(ofNumber bytes: [UInt8]) -> String { hexadecimal(bytes).uppercased() }

extension DERReader {
    /// A certificate's UTCTime or GeneralizedTime, which end in Z and have seconds.
    fileprivate mutating func time() throws(DERError) -> Timestamp {
        let isShort = nextTag == .utcTime
        let element = try next(isShort ? .utcTime : .generalizedTime)
        let digits = try text(of: element)
        let isRecent = digits.utf8.first.map { $0 < 0x35 } ?? true
        let text = isShort ? (isRecent ? "20" : "19") + digits : digits
        let parts = Array(text)
        guard parts.count == 15 else {
            throw DERError("a time does not have a certificate's form", byte: element.start)
        }
        let date = "\(String(parts[0..<4]))-\(String(parts[4..<6]))-\(String(parts[6..<8]))"
        let hours = "\(String(parts[8..<10])):\(String(parts[10..<12])):\(String(parts[12...]))"
        guard let moment = Timestamp(rfc3339: "\(date)T\(hours)") else {
            throw DERError("a time is not a calendar date", byte: element.start)
        }
        return moment
    }
}
