import StoreModel
@testable import StoreSigning
@testable import StoreVerification

/// Signed data: compact JWS, header with certificates, payload, verifier.
///
/// The verifier knows one root, whose keys no longer exist, and the texts in `SignedData` are all that
/// was ever signed under it. So everything that it accepts must be one of their payloads.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJWS(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    known.mustRefuseUnlessKnown(String(decoding: input, as: UTF8.self))
    // Used as the header, the payload and the signature of an otherwise correct JWS.
    for place in 0..<3 {
        var parts = known.parts
        parts[place] = StrictBase64.urlText(input)
        known.mustRefuseUnlessKnown(parts.joined(separator: "."))
    }
    // And as each of its certificates, unless it is certainly none: writing headers takes long.
    for place in 0..<3 where input.first == DERTag.sequence.rawValue {
        var certificates = known.certificates
        certificates[place] = input
        known.mustRefuseUnlessKnown(known.jws(certificates: certificates))
    }
    return 0
}

private let known = KnownData()

private struct KnownData {
    let parts: [String]
    let certificates: [[UInt8]]
    private let verifier: SignedDataVerifier
    private let payloads: Set<[UInt8]>

    init() {
        certificates = ["leaf", "intermediate", "root"].map { file("SignedData/\($0).der") }
        verifier = SignedDataVerifier(
            roots: TrustedRoots([TrustedRoot(.sandbox, isTest: false, der: certificates[2])]))
        let texts = ["transaction", "app-transaction"].map {
            String(decoding: file("SignedData/\($0).txt"), as: UTF8.self)
        }
        var payloads: Set<[UInt8]> = []
        for text in texts {
            guard let verified = try? verifier.verify(text) else {
                preconditionFailure("a known JWS does not verify")
            }
            payloads.insert(verified.payload)
        }
        self.payloads = payloads
        parts = texts[0].split(separator: ".").map(String.init)
    }

    func jws(certificates: [[UInt8]]) -> String {
        let head = try? CompactJWS.head(SignedDataHeader(certificates: certificates))
        return ([head ?? ""] + parts[1...]).joined(separator: ".")
    }

    func mustRefuseUnlessKnown(_ text: String) {
        guard let verified = try? verifier.verify(text) else { return }
        hold(payloads.contains(verified.payload), "only signed payloads verify")
        hold(
            verified.environment == .sandbox && !verified.isTest,
            "data are of the root's environment")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let seal = JWSSeal(head: parts[0], signature: parts[2])
        hold(seal.jws(of: verified.payload) == Array(text.utf8), "a JWS has one form")
    }
}
