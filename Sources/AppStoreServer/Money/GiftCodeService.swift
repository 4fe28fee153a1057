import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreVerification
import StoreWire

/// Makes, lists and voids gift codes.
enum GiftCodeService {
    static func list(_ call: StoreCall) throws -> GiftCodesBody {
        let after = try call.request.after()
        let now = call.world.time.now()
        let page = try call.world.database.read { scope in
            try Page(of: Limits.giftCodesPerAnswerMax) {
                try scope.giftCodes(after: after, countMax: $0)
            }
        }
        return GiftCodesBody(
            giftCodes: page.items.map { GiftCodeBody($0, now: now) },
            next: page.next(\.number.rawValue))
    }

    /// `POST /control/v1/gift-codes`: makes a new one; no other answer ever shows it.
    static func make(_ call: StoreCall, _ body: MakeGiftCodeBody) async throws -> MadeGiftCodeBody {
        let amount = try checkedAmount(body.amount).unrounded(in: body.currency)
        let now = call.world.time.now()
        if let end = body.expiresAt { try check(end, now: now) }
        let environment = body.environment ?? .sandbox
        let code = GiftCode(bytes: randomBytes(GiftCode.byteCount))
        let digest = sha256(Array(code.letters.utf8))
        let number = try await call.context.commit { scope in
            guard try scope.reading.giftCodeCount() < Limits.giftCodesMax else {
                throw Refusal(
                    409, "tooManyGiftCodes",
                    "The world keeps \(Limits.giftCodesMax) gift codes, including used ones, which "
                        + "is the limit.")
            }
            return try scope.addGiftCode(
                digest: digest, worth: amount, in: environment, expiresAt: body.expiresAt,
                now: now)
        }
        call.log.event(StoreEvent.giftCodeMade, ("giftCode", .number(number.rawValue)))
        return MadeGiftCodeBody(
            number: number.rawValue, code: code.text, environment: environment,
            amount: amount, madeAt: now, expiresAt: body.expiresAt)
    }

    /// `DELETE /control/v1/gift-codes/{number}`: voids it; a repeated request gets the same answer,
    /// 409 once it was redeemed.
    static func void(_ call: StoreCall, number text: String) async throws -> GiftCodeBody {
        let now = call.world.time.now()
        let code = try await call.context.commit { scope in
            let code = try find(text, scope.reading)
            guard code.term.redeemedBy == nil else {
                throw Refusal(
                    409, "giftCodeRedeemed",
                    "Gift code \(code.number) was redeemed; take the credit instead.")
            }
            try scope.voidGiftCode(code.number, at: now)
            return try find(text, scope.reading)
        }
        call.log.event(
            StoreEvent.giftCodeVoided, ("giftCode", .number(code.number.rawValue)))
        return GiftCodeBody(code, now: now)
    }

    private static func check(_ end: Timestamp, now: Timestamp) throws {
        guard end > now, Limits.times.contains(end) else {
            throw Refusal(
                422, "badField",
                "expiresAt must be later than the world's clock shows and before 2100; leave it "
                    + "out for a code that never expires.")
        }
    }

    private static func find(_ text: String, _ scope: borrowing ReadScope) throws -> GiftCodeRow {
        guard let number = Int64(text), "\(number)" == text,
            let code = try scope.giftCode(GiftCodeNumber(number))
        else {
            throw Refusal(
                404, "giftCodeUnknown", "This world has no gift code with that number.")
        }
        return code
    }
}

extension GiftCodeBody {
    init(_ row: GiftCodeRow, now: Timestamp) {
        self.init(
            number: row.number.rawValue, state: GiftCodeRules.state(of: row.term, now: now),
            environment: row.environment, amount: row.term.amount, madeAt: row.madeAt,
            expiresAt: row.term.expiresAt, voidedAt: row.term.voidedAt,
            redeemedAt: row.redeemedAt, redeemedBy: row.redeemedBy)
    }
}
