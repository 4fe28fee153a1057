import Foundation
import StoreModel
import StoreWire

/// `bodega buy` and `bodega restore`
enum BuyCommand {
    static let buy = Command(
        "buy PRODUCT", "buy for an account without an app, on a device that the store keeps",
        [
            account,
            Option("quantity", "N", "how many (1)"),
            Option(
                "offer", "OFFER",
                "introductory, promotional:ID, win-back:ID, code:WORD or, in a test session, "
                    + "code-offer:NAME, which needs no code; an introductory offer "
                    + "applies by itself, and asking for it refuses a purchase without it, or one "
                    + "that would wait"),
            Option("purchased", "TIME", "when it was made; only in a test session"),
            Option("cancel", "turn its renewal off at once; only in a test session"),
            username, receipt, finish, CreditCommand.requestID, .bundleID, appVersion,
            .environment,
        ] + Option.inWorld,
        details: """
            The store keeps one device for each account and app, on which the account is signed in
            by your authority. Everything else is as on any device: prices, money, Ask to Buy,
            reviews and refusals. What the device would be told is the answer; a refusal ends with
            exit code 1, and a purchase that waits with 0. The customer's own devices get the
            transaction as well, until one of them finishes it.

            The receipt is the one of that moment, before the transaction is finished. When an
            answer is lost, the command says with which --request-id to repeat it: the same id is
            the same purchase. A --username that is a UUID is the purchase's appAccountToken.

            In the sandbox of a test session, a purchase can be made in the past of the world's
            clock; a subscription has then renewed until now, unless it is cancelled.
            """,
        examples: [
            "bodega buy com.example.app.turbo --account buyer@example.com --receipt /tmp/receipt",
            "bodega buy com.example.app.fuel --account buyer@example.com --quantity 3 --finish",
            "bodega buy com.example.app.club --account buyer@example.com --offer code:SPRING26",
            "bodega buy com.example.app.club --account buyer@example.com --purchased 2026-01-31 "
                + "--world checkout-test",
        ], run: { try run($0) })

    static let restore = Command(
        "restore", "restore an account's purchases, on the same device",
        [
            account, username, receipt, finish, CreditCommand.requestID, .bundleID, appVersion,
            .environment,
        ] + Option.inWorld,
        details: """
            Every finished non-consumable and every finished period of a subscription comes back in
            a new transaction, free of charge.
            """,
        examples: ["bodega restore --account buyer@example.com --finish"], run: { try restore($0) }
    )

    static let account = Option("account", "NAME", "the account", isRequired: true)
    private static let appVersion = Option(
        "app-version", "V", "the app's version on the device (1.0)")
    private static let username = Option(
        "username", "NAME", "the app's own name for the customer (applicationUsername)")
    private static let receipt = Option("receipt", "FILE", "write the account's receipt there")
    private static let finish = Option("finish", "finish what was bought, as an app does")

    private static func run(_ arguments: Arguments) throws {
        let wantsReceipt = arguments.has("receipt")
        try arguments.checkWritable("receipt")
        try carryOut(arguments) { bought in
            guard wantsReceipt else {
                return try arguments.show(bought.bytes) { (_: AttemptAnswerBody) in bought.words }
            }
            guard bought.answer.state == .done else {
                throw Failure("\(bought.words); there is no receipt yet")
            }
            let receipt = bought.answer.receipts.flatMap { Data(base64Encoded: $0.receipt) }
            let path = try save(receipt, after: bought.words, arguments)
            try arguments.show(bought.bytes) { (_: AttemptAnswerBody) in
                "\(bought.words); its receipt is in \(path)"
            }
        }
    }

    /// A purchase that was not refused.
    struct Bought {
        let bytes: [UInt8]
        let answer: AttemptAnswerBody
        let words: String

        /// What it sold; nil when it waits, or only changed a renewal.
        var sold: TransactionBody? {
            answer.transaction.flatMap { $0.attemptId == answer.attemptId ? $0 : nil }
        }
    }

    /// Buys what was typed, and does what follows from it.
    static func carryOut(_ arguments: Arguments, then finish: (Bought) throws -> Void) throws {
        let body = MakePurchaseBody(
            attemptId: try CreditCommand.requestID(arguments), environment: arguments.environment,
            account: try arguments.required("account"), bundleId: try arguments.bundleID(),
            appVersion: arguments.value("app-version"), productId: arguments["PRODUCT"],
            quantity: try arguments.count("quantity").map { Int($0) },
            applicationUsername: arguments.value("username"), offer: try offer(arguments),
            finish: arguments.has("finish") ? true : nil, test: try test(arguments))
        try CreditCommand.repeatable(body.attemptId) {
            let client = try ControlClient(arguments)
            let wantsReceipt = arguments.has("receipt")
            let bytes = try client.send(
                "POST", "/purchases\(wantsReceipt ? "?receipts=true" : "")", body)
            let answer = try WireJSON.decode(AttemptAnswerBody.self, from: bytes)
            if let refusal = answer.refusal {
                let failure = Failure(
                    WrongValue.sentence(refusal.message), code: refusal.code.rawValue)
                throw client.corrected(failure)
            }
            let words = try words(for: answer, to: body)
            try finish(Bought(bytes: bytes, answer: answer, words: words))
        }
    }

    /// What became of a purchase that was not refused.
    private static func words(
        for answer: AttemptAnswerBody, to body: MakePurchaseBody
    ) throws -> String {
        let wanted = "\(body.quantity ?? 1) × \(body.productId)"
        let again = "ask again with --request-id \(body.attemptId)"
        switch answer.state {
        case .deferred:
            return "\(wanted) waits for approval (bodega ask-to-buy list); \(again)"
        case .interrupted:
            throw Failure(
                "\(wanted) was interrupted; bodega account resolve \(body.account) completes it",
                code: "interrupted")
        case .received, .charging, .unknown:
            return "\(wanted) waits for its payment; \(again)"
        case .done, .refused:
            guard let sold = answer.transaction, sold.attemptId == answer.attemptId else {
                return "nothing is bought now: \(body.productId) begins with the next renewal"
            }
            let finished = sold.isFinished == true ? ", finished" : ""
            return "\(body.account) bought \(wanted): transaction \(sold.transactionId)\(finished)"
        }
    }

    private static func restore(_ arguments: Arguments) throws {
        let id = try CreditCommand.requestID(arguments)
        let (account, app) = (try arguments.required("account"), try arguments.bundleID())
        try arguments.checkWritable("receipt")
        try CreditCommand.repeatable(id) {
            let client = try ControlClient(arguments)
            var found: [TransactionBody] = []
            var page: RestoreAnswerBody
            var after: String?
            repeat {
                let body = MakeRestoreBody(
                    restoreId: id, environment: arguments.environment, account: account,
                    bundleId: app, appVersion: arguments.value("app-version"),
                    applicationUsername: arguments.value("username"), after: after,
                    finish: arguments.has("finish") ? true : nil)
                page = try WireJSON.decode(
                    RestoreAnswerBody.self, from: try client.send("POST", "/restores", body))
                found += page.transactions
                after = page.next
            } while after != nil
            if arguments.has("receipt") {
                _ = try save(nil, after: "\(found.count) purchases are restored", arguments)
            }
            let whole = RestoreAnswerBody(
                transactions: found, next: nil, receiptRevision: page.receiptRevision)
            try arguments.show(try WireJSON.encode(whole)) { (body: RestoreAnswerBody) in
                guard !body.transactions.isEmpty else { return "nothing to restore" }
                return Terminal.table(
                    ["TRANSACTION", "PRODUCT", "RESTORES", "FINISHED"],
                    body.transactions.map {
                        [
                            $0.transactionId, $0.productId, $0.original?.transactionId ?? "-",
                            $0.isFinished == true ? "yes" : "no",
                        ]
                    })
            }
        }
    }

    /// Writes a receipt to the file that `--receipt` names; without one, asks for the present one. A
    /// failure says what is done: typed again without its id, it would be done again.
    private static func save(
        _ receipt: Data?, after done: String, _ arguments: Arguments
    ) throws -> String {
        let path = try arguments.required("receipt")
        do {
            try OutputFile(path).write(try receipt.map { Array($0) } ?? Self.receipt(arguments))
        } catch let failure as Failure {
            throw Failure(
                "\(done), but there is no receipt: \(failure)", code: failure.code, mayBeDone: true)
        }
        return path
    }

    /// The account's receipt on the device that the store keeps for it.
    static func receipt(_ arguments: Arguments) throws -> [UInt8] {
        let name = ServerClient.escaped(try arguments.required("account"))
        let version = arguments.value("app-version").map {
            "&appVersion=\(ServerClient.escaped($0))"
        }
        return try ControlClient(arguments).send(
            "GET",
            "\(try arguments.app())/receipt?account=\(name)"
                + "&environment=\(arguments.environment.rawValue)\(version ?? "")")
    }

    /// `--offer`: its kind, and after a colon its name.
    private static func offer(_ arguments: Arguments) throws -> PurchaseOfferBody? {
        guard let text = arguments.value("offer") else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let id = parts.count == 2 && !parts[1].isEmpty ? String(parts[1]) : nil
        switch (parts[0], id) {
        case ("introductory", nil) where parts.count == 1:
            return PurchaseOfferBody(introductory: true)
        case ("promotional", let id?): return PurchaseOfferBody(promotional: id)
        case ("win-back", let id?): return PurchaseOfferBody(winBack: id)
        case ("code", let id?): return PurchaseOfferBody(code: id)
        case (codeOffer, .some): return nil
        default:
            throw UsageError(
                "--offer \(text) is not an offer: write introductory, promotional:ID, win-back:ID, "
                    + "code:WORD or code-offer:NAME")
        }
    }

    /// The kind of offer that only tests have.
    private static let codeOffer: Substring = "code-offer"

    /// What only a test session takes; nil for nothing of it.
    private static func test(_ arguments: Arguments) throws -> TestPurchaseBody? {
        let purchasedAt = try arguments.moment("purchased")
        let parts = arguments.value("offer")?.split(separator: ":", maxSplits: 1) ?? []
        let name = parts.first == codeOffer ? parts.last.map { String($0) } : nil
        let cancels = arguments.has("cancel")
        guard purchasedAt != nil || name != nil || cancels else { return nil }
        return TestPurchaseBody(
            purchasedAt: purchasedAt, cancelsAtOnce: cancels ? true : nil,
            codeOfferReferenceName: name)
    }
}
