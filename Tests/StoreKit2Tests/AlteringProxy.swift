import BodegaTesting
import StoreWire
import Synchronization
import TestSupport
import Testing

/// Stands between a device and its store, and alters what the store signed in answers of one route.
final class AlteringProxy: Sendable {
    private let relay: Relay
    private let world: BodegaWorld
    private let count = Mutex(0)
    private let isHealed = Mutex(false)

    init(
        to world: BodegaWorld, at route: SignedProxyTests.Route,
        _ alteration: SignedProxyTests.Alteration
    ) throws {
        self.world = world
        relay = try Relay(to: try #require(world.url.port))
        relay.start { [self] request, device in
            var answer = try relay.reply(to: request.bytes)
            let line = request.lines.first ?? ""
            if route.place.allSatisfy(line.contains), !isHealed.withLock({ $0 }),
                let altered = try alteration.altered(answer.body, of: route)
            {
                answer.replaceBody(with: altered)
                count.withLock { $0 += 1 }
            }
            device.write(answer.bytes)
            return true
        }
    }

    var variables: [String: String] {
        ["STOREKIT_URL": "http://127.0.0.1:\(relay.port)" + world.url.path]
    }

    /// How many answers it altered.
    var altered: Int { count.withLock { $0 } }

    func heal() { isHealed.withLock { $0 = true } }

    func close() { relay.close() }
}

extension SignedProxyTests.Route {
    /// What the first line of its requests has.
    fileprivate var place: [String] {
        switch self {
        case .transactions, .statuses: ["/device/v1/signed?"]
        case .purchase: ["/device/v1/attempts?", "signed=true"]
        case .appTransaction: ["/device/v1/app-transaction"]
        }
    }
}

extension SignedProxyTests.Alteration {
    var error: String? { verdict.map { "\($0)" } }

    /// A body of the store's with this alteration; nil when nothing in it is to be altered.
    fileprivate func altered(
        _ body: [UInt8], of route: SignedProxyTests.Route
    ) throws -> [UInt8]? {
        switch route {
        case .transactions:
            let body = try WireJSON.decode(SignedChangesBody.self, from: body)
            if body.transactions.isEmpty { return nil }
            return try WireJSON.encode(
                try altered(body, transactions: try body.transactions.map(altered)))
        case .statuses:
            let body = try WireJSON.decode(SignedChangesBody.self, from: body)
            guard let groups = body.groups, groups.contains(where: { !$0.statuses.isEmpty })
            else { return nil }
            return try WireJSON.encode(try altered(body, groups: try groups.map(altered)))
        case .purchase:
            var body = try WireJSON.decode(AttemptAnswerBody.self, from: body)
            guard let signed = body.signed else { return nil }
            body.signed = SignedPurchaseBody(
                header: try header(signed.header) ?? "",
                transaction: try altered(signed.transaction), groups: signed.groups)
            return try WireJSON.encode(body)
        case .appTransaction:
            let jws = try WireJSON.decode(SignedAppTransactionBody.self, from: body).appTransaction
            let dot = try #require(jws.firstIndex(of: "."))
            let rest = try text(String(jws[jws.index(after: dot)...]))
            let head = try header(String(jws[..<dot])) ?? ""
            return try WireJSON.encode(
                SignedAppTransactionBody(appTransaction: "\(head).\(rest)"))
        }
    }

    private func altered(
        _ body: SignedChangesBody, transactions: [SignedTransactionBody]? = nil,
        groups: [SignedGroupBody]? = nil
    ) throws -> SignedChangesBody {
        SignedChangesBody(
            header: try body.header.flatMap { try header($0) },
            transactions: transactions ?? body.transactions, deleted: body.deleted,
            groups: groups ?? body.groups, cursor: body.cursor, hasMore: body.hasMore)
    }

    private func altered(_ body: SignedTransactionBody) throws -> SignedTransactionBody {
        SignedTransactionBody(
            transactionId: body.transactionId, attemptId: body.attemptId,
            deviceGuid: body.deviceGuid, isFinished: body.isFinished,
            transaction: try text(body.transaction))
    }

    private func altered(_ group: SignedGroupBody) throws -> SignedGroupBody {
        SignedGroupBody(
            groupId: group.groupId,
            isEligibleForIntroductoryOffer: group.isEligibleForIntroductoryOffer,
            statuses: try group.statuses.map {
                SignedStatusBody(
                    status: $0.status, originalTransactionId: $0.originalTransactionId,
                    transaction: try text($0.transaction), renewal: try text($0.renewal))
            })
    }
}

extension RawAnswer {
    fileprivate mutating func replaceBody(with body: [UInt8]) {
        let length = header("content-length") ?? ""
        self = RawAnswer(
            head: head.replacing(
                "Content-Length: \(length)", with: "Content-Length: \(body.count)"))
        self.body = body
    }
}
