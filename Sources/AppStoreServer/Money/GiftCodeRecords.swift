import StoreDatabase
import StoreModel
import StoreRules

/// A gift code's row, without its digest.
struct GiftCodeRow: Sendable {
    let number: GiftCodeNumber
    let environment: StoreEnvironment
    let term: GiftCodeTerm
    let madeAt: Timestamp
    let redeemedAt: Timestamp?
    /// The name of the account that redeemed it.
    let redeemedBy: String?
}

/// The outcome of a redemption.
enum RedeemOutcome: Sendable {
    /// Entered, now or before.
    case entered(LedgerEntryNumber, isNew: Bool)
    case refused(GiftCodeRefusal)
}

private let giftCodeRows = """
    SELECT number, gift_code.environment, milliunits, currency, expires_ms, voided_ms,
        redeemed_account_id, made_ms, redeemed_ms, account.name
    FROM gift_code LEFT JOIN account ON account.id = redeemed_account_id
    """

extension ReadScope {
    /// The gift code with a digest that is valid in an environment.
    borrowing func giftCode(
        digest: [UInt8], in environment: StoreEnvironment
    ) throws -> GiftCodeRow? {
        try row(
            "\(giftCodeRows) WHERE digest = ?1 AND gift_code.environment = ?2",
            [digest, environment]
        ).map { try GiftCodeRow($0) }
    }

    borrowing func giftCode(_ number: GiftCodeNumber) throws -> GiftCodeRow? {
        try row("\(giftCodeRows) WHERE number = ?1", [number])
            .map { try GiftCodeRow($0) }
    }

    /// The gift codes after a number, whatever their state, oldest first.
    borrowing func giftCodes(after number: Int64, countMax: Int) throws -> [GiftCodeRow] {
        try rows(
            "\(giftCodeRows) WHERE number > ?1 ORDER BY number LIMIT ?2", [number, countMax]
        ).map { try GiftCodeRow($0) }
    }

    /// How many are kept, whatever their state.
    borrowing func giftCodeCount() throws -> Int64 {
        try value("SELECT count(*) FROM gift_code") ?? 0
    }
}

extension WriteScope {
    borrowing func addGiftCode(
        digest: [UInt8], worth amount: Money, in environment: StoreEnvironment,
        expiresAt: Timestamp?, now: Timestamp
    ) throws -> GiftCodeNumber {
        let number = try next("gift_code")
        try insert(
            into: "gift_code",
            [
                "number": number, "environment": environment, "digest": digest,
                "milliunits": amount.milliunits, "currency": amount.currency.code, "made_ms": now,
                "expires_ms": expiresAt,
            ])
        return GiftCodeNumber(number)
    }

    /// Voids a code that nobody redeemed; does nothing when it was voided before.
    borrowing func voidGiftCode(_ number: GiftCodeNumber, at now: Timestamp) throws {
        try execute(
            """
            UPDATE gift_code SET voided_ms = ?2
            WHERE number = ?1 AND voided_ms IS NULL AND redeemed_ms IS NULL
            """, [number, now])
    }

    /// Gives an account what a code is worth, once, in the caller's commit. The account that
    /// redeemed it gets the same answer again. `now` is what the world's time records when
    /// something is entered.
    borrowing func redeem(
        _ code: GiftCodeRow, for account: Account, at now: Timestamp
    ) throws -> RedeemOutcome {
        let credit = try reading.credit(of: account.id, in: code.term.amount.currency)
        let decision = GiftCodeRules.redeeming(
            code.term, by: account.id, in: account.storefront, credit: credit, now: now)
        switch decision {
        case .refuse(let reason): return .refused(reason)
        case .answerKnown:
            guard let known = try reading.ledgerEntry(.giftCode(code.number)) else {
                throw DatabaseError(
                    code: .other, detail: "gift code \(code.number) was redeemed without an entry")
            }
            return .entered(known.number, isNew: false)
        case .redeem:
            try execute(
                "UPDATE gift_code SET redeemed_account_id = ?2, redeemed_ms = ?3 WHERE number = ?1",
                [code.number, account.id, now])
            let entry = try LedgerEntry.giftCode(
                code.number, code.term.amount, to: account.id, in: account.environment, at: now)
            return .entered(try enter(entry), isNew: true)
        }
    }
}

extension GiftCodeRow {
    /// From the columns of `giftCodeRows`.
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(
            number: try row["number"], environment: try row["environment"],
            term: GiftCodeTerm(
                amount: try row.money("milliunits", "currency"),
                expiresAt: try row["expires_ms"], voidedAt: try row["voided_ms"],
                redeemedBy: try row["redeemed_account_id"]),
            madeAt: try row["made_ms"], redeemedAt: try row["redeemed_ms"],
            redeemedBy: try row["name"])
    }
}
