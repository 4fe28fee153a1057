import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreWire

/// Makes, lists and deactivates the codes of a product's offers.
enum OfferCodeService {
    static func list(_ call: StoreCall, app bundleID: String, product: String) throws
        -> OfferCodesBody
    {
        let now = call.world.time.now()
        let codes = try call.world.database.read { scope in
            let app = try scope.knownApp(bundleID).id
            let product = try scope.knownProduct(product, of: app).product
            return try scope.offerCodes(of: product.id, in: app)
        }
        return OfferCodesBody(offerCodes: codes.map { OfferCodeBody($0, at: now) })
    }

    /// `POST …/offer-codes`: 201; 200 when the very same custom code already exists. The codes of a
    /// batch are shown in this answer and never again.
    static func make(
        _ call: StoreCall, _ body: MakeOfferCodeBody, app bundleID: String, product: String
    ) async throws -> HTTPResponse {
        let request = try OfferCodeRequest(body)
        let time = call.world.time
        let made = try await call.context.commit { scope in
            let now = time.now()
            let app = try scope.reading.knownApp(bundleID).id
            let product = try scope.reading.knownProduct(product, of: app).product
            return try make(request, for: product, in: app, at: now, scope)
        }
        if made.isNew {
            call.log.event(
                StoreEvent.offerCodeMade, ("app", .text(bundleID)),
                ("code", .number(made.counted.code.number)))
        }
        let body = MadeOfferCodeBody(
            offerCode: OfferCodeBody(made.counted, at: made.at),
            codes: request.codes.isEmpty ? nil : request.codes)
        return try .json(encoding: body, status: made.isNew ? 201 : 200)
    }

    /// `DELETE …/offer-codes/{number}`: deactivates it; a batch ends as a whole. A repeated request
    /// gets the same answer.
    static func deactivate(_ call: StoreCall, app bundleID: String, product: String, number: String)
        async throws -> OfferCodeBody
    {
        let time = call.world.time
        let body = try await call.context.commit { scope in
            let now = time.now()
            let app = try scope.reading.knownApp(bundleID).id
            let product = try scope.reading.knownProduct(product, of: app).product
            let found = try Int64(number).flatMap { number in
                try scope.reading.offerCode(number: number)
            }
            guard let found, found.code.app == app, found.code.product == product.id else {
                throw Refusal(
                    404, "offerCodeUnknown",
                    "The product has no offer code \"\(number.prefix(32))\".")
            }
            try scope.deactivateOfferCode(found.code.number, at: now)
            let code = try scope.reading.offerCode(number: found.code.number)
            return OfferCodeBody(code ?? found, at: now)
        }
        call.log.event(
            StoreEvent.offerCodeDeactivated, ("app", .text(bundleID)),
            ("code", .number(body.number)))
        return body
    }

    private struct Made: Sendable {
        let counted: CountedOfferCode
        let isNew: Bool
        let at: Timestamp
    }

    private static func make(
        _ request: OfferCodeRequest, for product: Product, in app: AppID, at now: Timestamp,
        _ scope: borrowing WriteScope
    ) throws -> Made {
        guard product.offers.contains(where: { $0.kind == .code && $0.id == request.offerID })
        else {
            throw Refusal(
                404, "offerUnknown",
                "The product has no offer for codes \"\(request.offerID.prefix(255))\".")
        }
        if case .custom(let word) = request.kind,
            let known = try checkFree(word, for: request, of: product, in: app, scope)
        {
            return Made(counted: known, isNew: false, at: now)
        }
        if let end = request.expiresAt, end <= now {
            throw Refusal(
                422, "dateIsOver",
                "The world's clock shows \(CalendarDate(now).rfc3339): give a later end, or leave "
                    + "it out.")
        }
        try checkRoom(for: request, in: app, scope)
        let code = OfferCode(
            number: try scope.next("offer_code"), app: app, product: product.id,
            offerID: request.offerID, kind: request.kind, redemptionsMax: request.redemptionsMax,
            expiresAt: request.expiresAt, madeAt: now)
        try scope.addOfferCode(code, digests: request.digests)
        return Made(
            counted: CountedOfferCode(code: code, redemptionCount: 0), isNew: true, at: now)
    }

    /// The very same code when it exists; 409 when the word names another one, even one that ended:
    /// the word of one offer must never give another.
    private static func checkFree(
        _ word: OfferCodeWord, for request: OfferCodeRequest, of product: Product, in app: AppID,
        _ scope: borrowing WriteScope
    ) throws -> CountedOfferCode? {
        guard let known = try scope.reading.offerCode(named: word.text, in: app) else {
            return nil
        }
        guard known.digest == nil, known.code.product == product.id, request.isSame(as: known.code)
        else {
            throw Refusal(
                409, "offerCodeTaken",
                "The app has or had that code; choose another word, because each is used only once."
            )
        }
        return try scope.reading.offerCode(number: known.code.number)
    }

    private static func checkRoom(
        for request: OfferCodeRequest, in app: AppID, _ scope: borrowing WriteScope
    ) throws {
        let kept = try scope.reading.offerCodeCounts(of: app)
        let oneTime = kept.oneTime + Int64(request.codes.count)
        guard kept.codes < Limits.offerCodesMax, oneTime <= OfferCodeRules.redemptionsMax else {
            throw Refusal(
                409, "tooManyOfferCodes",
                "An app keeps at most \(Limits.offerCodesMax) custom codes and batches, including "
                    + "those that ended, and \(OfferCodeRules.redemptionsMax) one-time codes in "
                    + "them.")
        }
    }
}

extension OfferCodeBody {
    init(_ counted: CountedOfferCode, at now: Timestamp) {
        let state = OfferCodeRules.state(
            of: counted.code, redemptionCount: counted.redemptionCount, at: now)
        self.init(counted.code, state: state, redemptionCount: counted.redemptionCount)
    }
}
