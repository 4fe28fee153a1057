import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreWire

/// Makes, lists and voids gift codes.
enum GiftCodeControl {
    /// `GET /control/v1/gift-codes?after=…`
    static func list(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.answer(responder) {
            let after = try request.queryNumber("after") ?? 0
            let now = scene.world.time.now()
            let countMax = Limits.giftCodesPerAnswerMax
            let found = try scene.world.database.read {
                try $0.giftCodes(after: after, countMax: countMax + 1)
            }
            let bodies = found.prefix(countMax).map { GiftCodeBody($0, now: now) }
            return .json(
                try WireJSON.encode(
                    GiftCodesBody(
                        giftCodes: bodies, next: found.count > countMax ? bodies.last?.number : nil
                    )))
        }
    }

    /// `POST /control/v1/gift-codes`: a new one, which the answer shows and nothing else ever does.
    static func make(_ request: HTTPRequest, _ scene: Scene, _ responder: Responder) {
        scene.attempt(responder) {
            let body = try request.decoded(MakeGiftCodeBody.self)
            let amount = try checkedAmount(body.amount).in(body.currency)
            let now = scene.world.time.now()
            if let end = body.expiresAt { try check(end, now: now) }
            let environment = body.environment ?? .sandbox
            let code = GiftCode(bytes: randomBytes(GiftCode.byteCount))
            let digest = sha256(Array(code.letters.utf8))
            scene.commit(responder) { scope in
                guard try scope.reading({ try $0.giftCodeCount() }) < Limits.giftCodesMax else {
                    throw Refusal(
                        409, "tooManyGiftCodes",
                        "\(Limits.giftCodesMax) gift codes are kept, with those that were used, "
                            + "and there is room for no more.")
                }
                return try scope.addGiftCode(
                    digest: digest, worth: amount, in: environment, expiresAt: body.expiresAt,
                    now: now)
            } then: { number in
                scene.log.event(StoreEvent.giftCodeMade, ("giftCode", .number(number.rawValue)))
                let made = MadeGiftCodeBody(
                    number: number.rawValue, code: code.text, environment: environment,
                    amount: amount, madeAt: now, expiresAt: body.expiresAt)
                return .json(try WireJSON.encode(made), status: 201)
            }
        }
    }

    /// `DELETE /control/v1/gift-codes/{number}`: good no more; the same answer however often it is
    /// asked, 409 once it was redeemed.
    static func void(
        _ request: HTTPRequest, number text: String, _ scene: Scene, _ responder: Responder
    ) {
        let now = scene.world.time.now()
        scene.commit(responder) { scope in
            let code = try scope.reading { try find(text, $0) }
            guard code.term.redeemedBy == nil else {
                throw Refusal(
                    409, "giftCodeRedeemed",
                    "Gift code \(code.number) was redeemed; take the credit instead.")
            }
            try scope.voidGiftCode(code.number, at: now)
            return try scope.reading { try find(text, $0) }
        } then: { code in
            scene.log.event(
                StoreEvent.giftCodeVoided, ("giftCode", .number(code.number.rawValue)))
            return .json(try WireJSON.encode(GiftCodeBody(code, now: now)))
        }
    }

    private static func check(_ end: Timestamp, now: Timestamp) throws {
        guard end > now, Limits.times.contains(end) else {
            throw Refusal(
                422, "badField",
                "expiresAt is a moment after the one that the world's clock shows, and before "
                    + "2100; leave it out for a code without an end.")
        }
    }

    private static func find(_ text: String, _ scope: borrowing ReadScope) throws -> GiftCodeRow {
        guard let number = Int64(text), "\(number)" == text,
            let code = try scope.giftCode(GiftCodeNumber(number))
        else {
            throw Refusal(
                404, "giftCodeUnknown", "There is no gift code of that number in this world.")
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
