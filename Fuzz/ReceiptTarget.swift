import StoreModel
@testable import StoreSigning
@testable import StoreVerification

/// Receipts: DER, container, certificates, payload, verifier; and those of single transactions:
/// property lists, signature, verifier.
///
/// Each verifier knows one root, whose keys no longer exist, and the receipts in `Receipts` are all
/// that was ever signed under it. So everything that it accepts must contain one of their payloads.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReceipt(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    var elementsLeft = 1_000_000
    walk(DERReader(input), elementsLeft: &elementsLeft)
    known.mustRefuseUnlessKnown(input)
    // Used as the payload and as the leaf of an otherwise correct receipt.
    known.mustRefuseUnlessKnown(known.receipt(payload: input))
    known.mustRefuseUnlessKnown(known.receipt(leaf: input))
    knownTransactions.mustRefuseUnlessKnown(input)
    // The same for a transaction: purchase information, signature, and certificate.
    knownTransactions.mustRefuseUnlessKnown(knownTransactions.receipt(info: input))
    knownTransactions.mustRefuseUnlessKnown(knownTransactions.receipt(signature: input))
    knownTransactions.mustRefuseUnlessKnown(knownTransactions.receipt(leaf: input))
    readPayload(input)
    readPropertyList(input)
    _ = try? Certificate(input)
    return 0
}

private let known = KnownReceipts()
private let knownTransactions = KnownTransactions()

/// Enters every element that can be entered; ends because elements nest.
private func walk(_ reader: DERReader, elementsLeft: inout Int) {
    var reader = reader
    while elementsLeft > 0, !reader.isAtEnd {
        elementsLeft -= 1
        let place = reader.position
        guard let element = try? reader.next() else { return }
        hold(element.start == place && reader.position > place, "an element has a length")
        hold(
            element.contents.upperBound == reader.position, "an element ends where the next begins")
        if let inner = try? reader.inside(element) { walk(inner, elementsLeft: &elementsLeft) }
    }
}

/// A payload that can be read, and that our writer accepts, is the same after writing.
private func readPayload(_ input: [UInt8]) {
    guard let payload = try? SealedPayload(DERReader(input)).payload else { return }
    let seal = WorldSeal(worldID: "fuzz", environment: .sandbox, isTest: false)
    guard let written = try? payload.der(sealedFor: seal) else { return }
    guard let again = try? SealedPayload(DERReader(written)).payload else {
        preconditionFailure("broken promise: a payload that was written can be read")
    }
    hold(sorted(again) == sorted(payload), "a payload is the same after being written and read")
    hold((try? again.der(sealedFor: seal)) == written, "a payload written again is the same bytes")
}

/// A property list that can be read has the same entries after writing.
private func readPropertyList(_ input: [UInt8]) {
    let valueBytesMax = TransactionReceiptLimits.receiptBytesMax
    guard let pairs = try? PropertyListText.pairs(input, valueBytesMax: valueBytesMax) else {
        return
    }
    let again = try? PropertyListText.pairs(
        PropertyListText.text(pairs), valueBytesMax: valueBytesMax)
    hold(again == pairs, "a property list is the same after being written and read")
}

/// DER sorts a SET, so the order of purchases is not kept; dates are kept to the second.
private func sorted(_ payload: ReceiptPayload) -> ReceiptPayload {
    var payload = payload
    payload.purchases.sort { "\($0)" < "\($1)" }
    return payload
}

/// The receipts signed under the root in `Receipts`.
private struct KnownReceipts {
    static let names = ["one-purchase", "every-field", "empty"]

    private let verifier: ReceiptVerifier
    private let payloads: Set<[UInt8]>
    private let parts: Parts

    private struct Parts {
        let payload: [UInt8]
        let leaf: [UInt8]
        let above: [UInt8]
        let container: ReceiptContainer
    }

    init() {
        let root = file("Receipts/root.der")
        verifier = ReceiptVerifier(
            roots: TrustedRoots([TrustedRoot(.sandbox, isTest: false, der: root)]))
        var payloads: Set<[UInt8]> = []
        var last: Parts?
        for name in Self.names {
            let receipt = file("Receipts/\(name).der")
            guard (try? verifier.verify(receipt)) != nil, let parts = Self.parts(of: receipt)
            else { preconditionFailure("Receipts/\(name).der does not verify") }
            payloads.insert(parts.payload)
            last = parts
        }
        guard let last else { preconditionFailure("there are no known receipts") }
        self.payloads = payloads
        parts = last
    }

    private static func parts(of receipt: [UInt8]) -> Parts? {
        guard let container = try? ReceiptContainer(receipt),
            var certificates = try? container.reader.inside(container.certificates),
            let leaf = try? certificates.next(.sequence)
        else { return nil }
        return Parts(
            payload: container.reader.contents(of: container.payload),
            leaf: Array(receipt[leaf.whole]), above: Array(receipt[certificates.remaining]),
            container: container)
    }

    func receipt(payload: [UInt8]? = nil, leaf: [UInt8]? = nil) -> [UInt8] {
        ReceiptContainer.der(
            payload: payload ?? parts.payload,
            certificates: (leaf ?? parts.leaf) + parts.above,
            signerIssuer: Array(parts.container.signerIssuer),
            signerSerial: Array(parts.container.signerSerial),
            signature: parts.container.signature)
    }

    func mustRefuseUnlessKnown(_ receipt: [UInt8]) {
        guard let verified = try? verifier.verify(receipt) else { return }
        guard let container = try? ReceiptContainer(receipt) else {
            preconditionFailure("broken promise: a verified receipt is a container")
        }
        hold(
            payloads.contains(container.reader.contents(of: container.payload)),
            "only signed payloads verify")
        hold(
            verified.environment == .sandbox && !verified.isTest,
            "a receipt is of the root's environment")
    }
}

/// The transaction receipts signed under the root in `Receipts`.
private struct KnownTransactions {
    static let names = ["transaction", "subscription"]

    private let verifier: TransactionReceiptVerifier
    private let infos: Set<[UInt8]>
    private let parts: (signature: TransactionSignature, info: [UInt8])

    init() {
        let root = TrustedRoot(.sandbox, isTest: false, der: file("Receipts/root.der"))
        guard let authority = try? Certificate(file("Receipts/transaction-authority.der")) else {
            preconditionFailure("Receipts/transaction-authority.der is not a certificate")
        }
        verifier = TransactionReceiptVerifier(
            authorities: TransactionAuthorities([
                TransactionAuthority(root: root, certificate: authority)
            ]))
        var infos: Set<[UInt8]> = []
        var last: (TransactionSignature, [UInt8])?
        for name in Self.names {
            let receipt = file("Receipts/\(name).plist")
            guard (try? verifier.verify(receipt)) != nil,
                let text = try? TransactionReceiptText(receipt),
                let signature = try? TransactionSignature(text.signature)
            else { preconditionFailure("Receipts/\(name).plist does not verify") }
            infos.insert(text.info)
            last = (signature, text.info)
        }
        guard let last else { preconditionFailure("there are no known transaction receipts") }
        self.infos = infos
        parts = last
    }

    func receipt(info: [UInt8]? = nil, signature: [UInt8]? = nil, leaf: [UInt8]? = nil) -> [UInt8] {
        let own = TransactionSignature(
            signature: parts.signature.signature, certificate: leaf ?? parts.signature.certificate)
        return TransactionReceiptText.text(
            signature: signature ?? own.bytes, info: info ?? parts.info, from: .sandbox)
    }

    func mustRefuseUnlessKnown(_ receipt: [UInt8]) {
        guard let verified = try? verifier.verify(receipt) else { return }
        guard let text = try? TransactionReceiptText(receipt) else {
            preconditionFailure("broken promise: a verified transaction receipt can be read")
        }
        hold(infos.contains(text.info), "only signed information verifies")
        hold(
            verified.environment == .sandbox && !verified.isTest,
            "a transaction receipt is of the authority's environment")
    }
}
