import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// The deletion of an account, on its way through one commit. Takes away what is known of the
/// person; transactions, ledger and history stay, under a pseudonym.
struct AccountDeletion: Sendable {
    private let named: NamedAccountBody
    /// Follows from the request's id and the account's name, so that the same request finds it.
    /// Nobody else can guess it: the id is random, and not stored.
    private let pseudonym: String
    private let secret: [UInt8]

    init(of named: NamedAccountBody, request id: String) {
        self.named = named
        let environment = named.environment ?? .sandbox
        secret = sha256(Array("bodega deletion/\(id)/\(environment.rawValue)/\(named.name)".utf8))
        pseudonym = "deleted-\(makeUUID(Array(secret.prefix(16))).lowercased())"
    }

    struct Outcome: Sendable {
        let account: Account
        let deletedAt: Timestamp
        let balances: [Money]
        let isNew: Bool
    }

    func carryOut(_ scope: borrowing WriteScope, time: WorldTime) throws -> Outcome {
        let environment = named.environment ?? .sandbox
        if let known = try scope.reading.deletedAccount(pseudonym, in: environment) {
            return try outcome(known, isNew: false, scope)
        }
        let account = try AccountUpkeepService.find(named, scope.reading)
        let now = time.now()
        // A renewal that was due is owed, and may ask a provider.
        try Settlement.settleDue(of: [account.id], except: [], scope, at: now, time: time)
        if let refusal = AccountDeletionRules.refusal(
            given: try scope.reading.deletionFacts(of: account.id))
        {
            throw Refusal(refusal)
        }
        try endWaiting(of: account.id, at: time.record(now), scope)
        for kept in try scope.reading.subscriptions(of: account.id) where kept.state.isOpen {
            _ = try SubscriptionChange.expire(.voluntary)
                .carryOut(on: kept.original, scope, time: time)
        }
        try erase(account.id, at: time.record(now), scope)
        guard let gone = try scope.reading.deletedAccount(pseudonym, in: environment) else {
            throw DatabaseError(code: .other, detail: "account \(account.id) was not deleted")
        }
        return try outcome(gone, isNew: true, scope)
    }

    private func outcome(
        _ gone: (account: Account, at: Timestamp), isNew: Bool, _ scope: borrowing WriteScope
    ) throws -> Outcome {
        Outcome(
            account: gone.account, deletedAt: gone.at,
            balances: try scope.reading.credits(of: gone.account.id), isNew: isNew)
    }

    /// Purchases that wait for an approval or for the customer are declined, and questions about
    /// prices are withdrawn.
    private func endWaiting(
        of account: AccountID, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        for waiting in try scope.reading.waitingPurchases(of: account) {
            let attempt = try ApprovalService.decline(waiting, at: now, scope)
            try scope.answer(waiting, .declined, now: now)
            try scope.record(
                .declined(attempt.id), for: account, in: waiting.session.app,
                waiting.account.environment, at: now)
        }
        for app in try scope.reading.apps() {
            for question in try scope.reading.pendingPriceConsents(of: account, in: app.id) {
                try scope.withdrawPriceConsent(question.number, at: now)
            }
        }
    }

    private func erase(
        _ account: AccountID, at now: Timestamp, _ scope: borrowing WriteScope
    ) throws {
        let devices = try scope.reading.devices(of: account)
        try scope.erasePerson(account, as: pseudonym, at: now)
        for device in devices {
            try scope.erasePerson(account, on: device)
            guard try !scope.reading.isUsed(device, byOthersThan: account) else { continue }
            try scope.renameDevice(
                device, as: makeUUID(Array(sha256(secret + Array("\(device)".utf8)).prefix(16))))
        }
    }
}

extension Refusal {
    static let accountDeleted = Refusal(
        409, "accountDeleted", "The account was deleted; only its history is left.")

    fileprivate init(_ refusal: AccountDeletionRefusal) {
        switch refusal {
        case .inFamily:
            self.init(
                409, "inFamily",
                "The account is in a family: remove it from that, or delete the family if it is "
                    + "the organiser, first.")
        case .paymentOpen:
            self.init(
                409, "paymentPending",
                "A payment or a refund of the account waits for the payment provider's answer; "
                    + "list payments, and delete the account when none is open.")
        case .refundOpen:
            self.init(
                409, "refundOpen",
                "The account has an undecided refund request; grant or decline it first.")
        }
    }
}
