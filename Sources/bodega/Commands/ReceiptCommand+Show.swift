import Foundation
import StoreModel
import StoreWire

// Receipts and signed data, decoded.
extension ReceiptCommand {
    static let showing = Command(
        "show [FILE]", "decode a receipt or signed data, and say whether the store vouches for it",
        [
            Option("account", "NAME", "an account's present receipt, in place of a file"),
            Option("output", "FILE", "write that receipt there, too"),
            .bundleID,
            Option("app-version", "V", "the app's version on the device (as it is there)"),
            .environment,
        ] + Option.inWorld.filter { $0.name != "json" },
        details: """
            FILE may also hold signed data, a JWS such as a transaction or a notification. show needs a
            running store, whose own verifier judges: by its roots, for the world that it is asked in.
            What another world or store signed is decoded, too. Exit code 0 when it is authentic, 1
            otherwise.
            """,
        examples: [
            "bodega receipt show /tmp/receipt",
            "bodega receipt show --account buyer@example.com",
            "bodega receipt show transaction.jws --json",
        ], run: { try show($0) })

    private static func show(_ arguments: Arguments) throws {
        let bytes: [UInt8]
        switch (arguments.word("FILE"), arguments.value("account")) {
        case (let path?, nil): bytes = try receipt(in: path)
        case (nil, .some): bytes = try BuyCommand.receipt(arguments)
        default: throw UsageError("\(arguments.path) needs a FILE or --account, and not both")
        }
        if let path = arguments.value("output") { try OutputFile(path).write(bytes) }
        let body = ExplainReceiptBody(receipt: jws(bytes) ?? Data(bytes).base64EncodedString())
        let answer = try ControlClient(arguments).send("POST", "/receipts/explain", body)
        let explained = try WireJSON.decode(ExplainedReceiptBody.self, from: answer)
        try arguments.show(answer) { (_: ExplainedReceiptBody) in text(of: explained) }
        if !explained.verdict.isAuthentic { exit(1) }
    }

    /// The JWS that a file holds instead of a receipt.
    private static func jws(_ bytes: [UInt8]) -> String? {
        guard bytes.starts(with: Array("eyJ".utf8)) else { return nil }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    private static func text(of body: ExplainedReceiptBody) -> String {
        let purchases = body.purchases.enumerated().map { index, attributes in
            "purchase \(index + 1)\n" + table(attributes)
        }
        let attributes = body.attributes.isEmpty ? nil : table(body.attributes)
        let parts = [verdict(of: body), checks(of: body), attributes, body.payload]
        return (parts.compactMap(\.self) + purchases).joined(separator: "\n\n")
    }

    private static func checks(of body: ExplainedReceiptBody) -> String {
        Terminal.table(
            ["CHECK", "RESULT"],
            body.checks.map {
                [
                    $0.check.rawValue,
                    $0.outcome == .notReached ? "not reached" : $0.outcome.rawValue,
                ]
            })
    }

    private static func verdict(of body: ExplainedReceiptBody) -> String {
        let form =
            switch body.form {
            case .app: "receipt of an app"
            case .transaction: "receipt of a single transaction"
            case .signedData: "signed data"
            }
        let place = body.verdict.environment.map { environment in
            let root = body.verdict.isTest == true ? " of a test session" : ""
            return "\(environment.rawValue), world \(body.verdict.worldId ?? "unknown")\(root)"
        }
        guard body.verdict.isAuthentic else {
            let why = WrongValue.sentence(body.verdict.why ?? "nobody vouches for it")
            return "\(form), NOT authentic (status \(body.verdict.status)): \(why)"
                + (place.map { " (\($0))" } ?? "")
        }
        return "\(form), authentic: \(place ?? "")"
    }

    private static func table(_ attributes: [ReceiptAttributeBody]) -> String {
        Terminal.table(
            ["NUMBER", "NAME", "VALUE", "MEANING"],
            attributes.map {
                [$0.number.map { "\($0)" } ?? "-", $0.name, $0.value, $0.meaning ?? ""]
            })
    }
}
