import StoreModel
@testable import StoreSigning
@testable import StoreVerification

/// Requests to the OCSP responder: DER, identifiers of certificates, nonce, and the answer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOCSP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    var asked: [String] = []
    let answer = try? responder.answer(to: input, at: now) { _, serial in
        asked.append(serial)
        return serial.hasPrefix("4") ? .good : .revoked(at: now, .superseded)
    }
    guard let answer else { preconditionFailure("broken promise: every request is answered") }
    guard let request = try? OCSPRequest(input), input.count <= OCSPResponder.requestBytesMax
    else {
        hold(answer == OCSPResponder.malformedRequest, "what is no request is malformed")
        hold(asked.isEmpty, "and nobody is asked about it")
        return 0
    }
    hold(asked.count <= request.certificates.count, "each certificate is asked about once")
    guard answer.count > 5 else {
        hold(asked.isEmpty && answer == [0x30, 3, 0x0A, 1, 6], "others' certificates are not ours")
        return 0
    }
    do {
        let found = try Reading(answer)
        hold(found.certificates.count == asked.count, "those asked about are answered")
        let issuers = Set(found.certificates.map(Issuer.init))
        hold(
            found.certificates == request.certificates.filter { issuers.contains(Issuer($0)) },
            "and all of their issuer, in their order")
        hold(found.nonce == request.nonce, "the nonce is repeated")
    } catch {
        preconditionFailure("broken promise: an answer is DER: \(error)")
    }
    return 0
}

private let now = Timestamp(milliseconds: 1_714_558_831_000)

private let responder = {
    func certificate(_ name: String) -> Certificate {
        guard let read = try? Certificate(file("SignedData/\(name).der")) else {
            preconditionFailure("cannot read \(name)")
        }
        return read
    }
    let leaf = file("SignedData/leaf.der")
    let made = try? OCSPResponder(
        authorities: [
            .init(issues: .leaf, certificate: certificate("intermediate"), responder: leaf),
            .init(issues: .intermediate, certificate: certificate("root"), responder: leaf),
        ], key: CurvePrivateKey.make())
    guard let made else { preconditionFailure("cannot make a responder") }
    return made
}()

/// An issuer as a request names it.
private struct Issuer: Hashable {
    let algorithm: OID
    let nameHash: [UInt8]
    let keyHash: [UInt8]

    init(_ id: OCSPCertificateID) {
        (algorithm, nameHash, keyHash) = (id.algorithm, id.issuerNameHash, id.issuerKeyHash)
    }
}

/// What a successful answer holds.
private struct Reading {
    var certificates: [OCSPCertificateID] = []
    var nonce: [UInt8]?

    init(_ answer: [UInt8]) throws {
        var outer = DERReader(answer)
        var response = try outer.enter(.sequence)
        try outer.finish()
        _ = try response.next(.enumerated)
        var wrapped = try response.enter(.context(0, constructed: true))
        var typed = try wrapped.enter(.sequence)
        hold(try typed.objectIdentifier() == .ocspBasicResponse, "the answer is basic")
        var bytes = DERReader(try typed.octets())
        var basic = try bytes.enter(.sequence)
        try bytes.finish()
        var data = try basic.enter(.sequence)
        _ = try data.next(.context(2, constructed: true))
        _ = try data.next(.generalizedTime)
        var list = try data.enter(.sequence)
        while !list.isAtEnd {
            var single = try list.enter(.sequence)
            certificates.append(try OCSPCertificateID(&single))
        }
        guard
            var extensions = try data.nextIfPresent(.context(1, constructed: true)).map({
                try data.inside($0)
            })
        else { return }
        var items = try extensions.enter(.sequence)
        nonce = try CertificateExtension(&items).value
    }
}
