import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Answers about transactions, and about a customer's history of them.
enum TransactionReading {
    /// *Get Transaction Info*.
    static func info(_ call: StoreCall, _ id: String) throws -> HTTPResponse {
        try ServerAPI.answer(call) { caller, scope in
            let found = try caller.transaction(id, scope)
            let payload = try caller.maker.transaction(found, scope)
            return { sign, json in
                json.member("signedTransactionInfo", plain: try sign(payload))
            }
        }
    }

    /// *Get Transaction History*, of both versions.
    static func history(
        _ call: StoreCall, _ id: String, _ source: TransactionHistory.Source,
        _ responder: Responder
    ) throws {
        try ServerAPI.answer(call, responder) { caller, reading, scope in
            let account = try caller.account(id, scope)
            let history = try TransactionHistory(source, call.request.query)
            let page = try page(history, of: account, caller, call.world, reading, scope)
            return { sign, json in
                caller.writeApp(to: &json)
                json.member("environment", plain: caller.maker.environmentName)
                try page.write(&json, sign)
            }
        }
    }

    /// *Get Refund History*.
    static func refunds(_ call: StoreCall, _ id: String, _ responder: Responder) throws {
        try ServerAPI.answer(call, responder) { caller, reading, scope in
            let account = try caller.account(id, scope)
            let history = TransactionHistory.refunds(call.request.query)
            let page = try page(history, of: account, caller, call.world, reading, scope)
            return { sign, json in try page.write(&json, sign) }
        }
    }

    /// Version 1 of it: the customer's newest refunds, by an original transaction.
    static func newestRefunds(_ call: StoreCall, _ id: String, _ responder: Responder) throws {
        try ServerAPI.answer(call, responder) { caller, reading, scope in
            let first = try caller.transaction(
                id, scope, malformed: .invalidOriginalTransactionID,
                unknown: .originalTransactionIDNotFound)
            guard first.original == first.id else {
                throw ServerAPIError.originalTransactionIDNotFound
            }
            try reading.checkLength(of: first.account, in: caller.app.id, scope)
            let found = try scope.transactions(
                .newestRefunds, of: first.account, in: caller.app.id, after: nil,
                countMax: newestRefundsMax)
            let payloads = try caller.maker.transactions(found.map(\.transaction), scope)
            return { sign, json in try json.signed(payloads, sign) }
        }
    }

    /// The most that version 1 of the refund history answers.
    private static let newestRefundsMax = 50

    /// *Look Up Order ID*. The sandbox has no orders.
    static func order(_ call: StoreCall, _ id: String) throws -> HTTPResponse {
        try ServerAPI.answer(call) { caller, scope in
            guard !id.isEmpty, id.utf8.count <= Limits.orderNumberBytesMax else {
                throw ServerAPIError.generalBadRequest
            }
            let sold = try OrderNumber(id).flatMap { try scope.transaction($0.transaction) }
            guard let sold, caller.isOurs(sold), sold.share == nil, sold.restoration == nil,
                try !scope.isDeleted(sold.account)
            else { return { _, json in json.member("status", 1) } }
            let payload = try caller.maker.transaction(sold, scope)
            return { sign, json in
                try json.signed([payload], sign)
                json.member("status", 0)
            }
        }
    }

    /// *Get App Transaction Info*.
    static func appTransaction(_ call: StoreCall, _ id: String) throws -> HTTPResponse {
        try ServerAPI.answer(call) { caller, scope in
            let account = try caller.account(id, scope)
            guard let found = try scope.appTransaction(of: account, in: caller.app.id) else {
                throw ServerAPIError.appTransactionDoesNotExist
            }
            let payload = caller.maker.appTransaction(found)
            return { sign, json in
                json.member("signedAppTransactionInfo", plain: try sign(payload))
            }
        }
    }

    private struct Page {
        let payloads: [ServerAPI.Payload]
        let hasMore: Bool
        let revision: String

        func write(
            _ json: inout JSONWriter, _ sign: (ServerAPI.Payload) throws -> String
        ) throws {
            json.member("hasMore", hasMore)
            json.member("revision", plain: revision)
            try json.signed(payloads, sign)
        }
    }

    private static func page(
        _ history: TransactionHistory, of account: AccountID, _ caller: ServerAPICaller,
        _ world: World, _ reading: ServerAPI.HistoryReading, _ scope: borrowing ReadScope
    ) throws -> Page {
        let identity = history.identity(of: account, in: caller.app.id)
        let start = try history.revision.map {
            try HistoryRevision($0, of: identity, in: world)
        }
        // The changes since a revision are found along the index.
        if start == nil || !history.isAscending {
            try reading.checkLength(of: account, in: caller.app.id, scope)
        }
        let most = TransactionHistory.pageCountMax
        let found = try scope.transactions(
            history, of: account, in: caller.app.id, after: start?.position, countMax: most + 1)
        let page = found.prefix(most)
        // After an empty page the caller goes on from where it was.
        let end = HistoryRevision(
            page.last?.number ?? start?.position ?? (history.isAscending ? 0 : .max))
        return Page(
            payloads: try caller.maker.transactions(page.map(\.transaction), scope),
            hasMore: found.count > most, revision: end.text(of: identity, in: world))
    }
}

extension JSONWriter {
    /// The member of all answers with several transactions.
    fileprivate mutating func signed(
        _ payloads: some Sequence<ServerAPI.Payload>,
        _ sign: (ServerAPI.Payload) throws -> String
    ) throws {
        try array("signedTransactions", Array(payloads)) { writer, payload throws in
            writer.element(try sign(payload))
        }
    }
}
