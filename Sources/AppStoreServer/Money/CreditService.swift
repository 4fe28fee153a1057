import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Shows, tops up and corrects the credit of accounts, and redeems gift codes.
enum CreditService {
    static func show(_ call: StoreCall) throws -> CreditBody {
        let named = try call.request.queryAccount()
        let before = try call.request.queryNumber("before") ?? .max
        return try call.world.database.read { scope in
            let account = try AccountUpkeepService.find(named, evenDeleted: true, scope)
            let page = try Page(of: Limits.creditEntriesPerAnswerMax) {
                try scope.statement(of: account.id, before: before, countMax: $0)
            }
            return CreditBody(
                environment: account.environment, account: account.name,
                balances: try scope.credits(of: account.id).map { BalanceBody($0) },
                entries: page.items.map { CreditEntryBody($0) }, next: page.next(\.number.rawValue))
        }
    }

    /// `POST /control/v1/accounts/credit/top-up`: a repeated request gets the same answer.
    static func topUp(_ call: StoreCall, _ body: TopUpBody) async throws -> CreditEntryBody {
        return try await change(
            call,
            try NamedCreditRequest(
                named: body.named, id: body.requestId, amount: body.amount,
                currency: body.currency, purpose: .topUp),
            event: .creditToppedUp)
    }

    /// `POST /control/v1/accounts/credit/correct`: a repeated request gets the same answer.
    static func correct(_ call: StoreCall, _ body: CorrectCreditBody) async throws
        -> CreditEntryBody
    {
        let reason = try checked(
            body.reason, "reason", bytesMax: Limits.creditReasonBytesMax)
        return try await change(
            call,
            try NamedCreditRequest(
                named: body.named, id: body.requestId, amount: body.amount,
                currency: body.currency, purpose: .correction(reason: reason)),
            event: .creditCorrected)
    }

    /// `POST /control/v1/accounts/credit/redeem`: gives what a gift code is worth; a repeated
    /// request for the same account gets the same answer.
    static func redeem(_ call: StoreCall, _ body: RedeemGiftCodeBody) async throws
        -> CreditEntryBody
    {
        let digest = GiftCode(typed: body.code).map { sha256(Array($0.letters.utf8)) }
        let time = call.world.time
        let entered = try await call.context.commitSettling { scope, left in
            let account = try found(body.named, scope, except: left, time: time)
            let code = try digest.flatMap {
                try scope.reading.giftCode(digest: $0, in: account.environment)
            }
            guard let code else { throw Refusal.giftCodeUnknown }
            let now = time.now()
            switch try scope.redeem(code, for: account, at: now) {
            case .refused(let reason): throw Refusal(reason)
            case .entered(let number, let isNew):
                if isNew { time.record(now) }
                return try entry(number, isNew: isNew, of: account, scope)
            }
        }
        return answer(entered, event: .giftCodeRedeemed, call.context)
    }

    /// An account after what was due of it is settled: credit that it gets now did not pay for
    /// that.
    private static func found(
        _ named: NamedAccountBody, evenDeleted: Bool = false, _ scope: borrowing WriteScope,
        except left: Set<TransactionID>, time: WorldTime
    ) throws -> Account {
        let account = try AccountUpkeepService.find(
            named, evenDeleted: evenDeleted, scope.reading)
        try Settlement.settleDue(
            of: [account.id], except: left, scope, at: time.now(), time: time)
        return account
    }

    private struct Entered: Sendable {
        let account: AccountID
        let entry: StatementEntry
        let isNew: Bool
    }

    private static func change(_ call: StoreCall, _ request: NamedCreditRequest, event: StoreEvent)
        async throws -> CreditEntryBody
    {
        let time = call.world.time
        let entered = try await call.context.commitSettling { scope, left in
            // Credit that a deleted account left may be taken.
            let account = try found(
                request.named, evenDeleted: request.milliunits < 0, scope, except: left, time: time)
            let now = time.now()
            switch try scope.change(request.addressed(to: account), at: now) {
            case .idReused:
                throw Refusal(
                    409, "requestIdReused",
                    "requestId was used before for another change of credit; make a new one.")
            case .refused(let reason): throw Refusal(reason)
            case .entered(let number, let isNew):
                if isNew { time.record(now) }
                return try entry(number, isNew: isNew, of: account, scope)
            }
        }
        return answer(entered, event: event, call.context)
    }

    private static func entry(
        _ number: LedgerEntryNumber, isNew: Bool, of account: Account,
        _ scope: borrowing WriteScope
    ) throws -> Entered {
        let entry = try scope.reading.statementEntry(number)
        guard let entry else {
            throw DatabaseError(code: .other, detail: "entry \(number) has no customer")
        }
        if isNew, entry.amount.milliunits > 0 {
            try scope.payAgain(account.id, at: entry.at)
        }
        return Entered(account: account.id, entry: entry, isNew: isNew)
    }

    private static func answer(
        _ entered: Entered, event: StoreEvent, _ scene: Scene
    ) -> CreditEntryBody {
        // What is owed may be paid now, and what was due has been settled.
        scene.world.renewals.wake()
        scene.world.updates.wake(entered.account, .events)
        scene.world.wakeFamily(of: entered.account)
        if entered.isNew {
            scene.log.event(
                event, ("account", .number(entered.account.rawValue)),
                ("entry", .number(entered.entry.number.rawValue)),
                ("milliunits", .number(entered.entry.amount.milliunits)),
                ("currency", .text(entered.entry.amount.currency.code)))
        }
        return CreditEntryBody(entered.entry)
    }
}

/// A request to change credit, checked as far as it can be without its account.
private struct NamedCreditRequest: Sendable {
    let named: NamedAccountBody
    let id: String
    let milliunits: Int64
    let currency: Currency?
    let purpose: CreditRequest.Purpose

    init(
        named: NamedAccountBody, id: String, amount: String, currency: Currency?,
        purpose: CreditRequest.Purpose
    ) throws {
        self.named = named
        self.id = try checkedUUID(id, "requestId")
        self.currency = currency
        self.purpose = purpose
        let isTaken = purpose != .topUp && amount.hasPrefix("-")
        let size = try checkedAmount(isTaken ? String(amount.dropFirst()) : amount)
        milliunits = isTaken ? -size.milliunits : size.milliunits
    }

    func addressed(to account: Account) -> CreditRequest {
        CreditRequest(
            id: id, purpose: purpose, account: account.id, environment: account.environment,
            storefront: account.storefront, milliunits: milliunits, currency: currency)
    }
}

/// An amount above 0, written like a price; 422 otherwise.
func checkedAmount(_ text: String) throws -> Price {
    guard let amount = Price(decimal: text), amount > .free else {
        throw Refusal(
            422, "badField",
            "amount must be a decimal above 0 and up to \(Price.milliunitsMax / 1_000), with at "
                + "most three places.")
    }
    return amount
}

extension Refusal {
    static let giftCodeUnknown = Refusal(
        404, "giftCodeUnknown",
        "This account's environment has no such gift code; check how it is written.")

    fileprivate init(_ refusal: CreditRefusal) {
        switch refusal {
        case .amountNotAllowed:
            self.init(422, "badField", "amount is outside what this request may move.")
        case .otherCurrency:
            self.init(
                409, "otherCurrency",
                "The account's storefront has another currency: leave currency out, or name that "
                    + "one.")
        case .creditLimit:
            self.init(
                409, "creditLimit",
                "The account would have more than \(CreditRules.creditMilliunitsMax / 1_000).")
        case .creditTooLow:
            self.init(
                409, "creditTooLow", "The account has less credit than that in this currency.")
        }
    }

    fileprivate init(_ refusal: GiftCodeRefusal) {
        switch refusal {
        case .redeemed:
            self.init(409, "giftCodeRedeemed", "The gift code was redeemed by another account.")
        case .voided: self.init(409, "giftCodeVoided", "The gift code was voided.")
        case .expired: self.init(409, "giftCodeExpired", "The gift code has expired.")
        case .credit(let reason): self.init(reason)
        }
    }
}

extension CreditEntryBody {
    init(_ entry: StatementEntry) {
        self.init(
            number: entry.number.rawValue, kind: entry.kind, at: entry.at, amount: entry.amount,
            balance: entry.balance, reference: entry.reference,
            transactionId: entry.transaction.map { "\($0)" }, reason: entry.note)
    }
}
