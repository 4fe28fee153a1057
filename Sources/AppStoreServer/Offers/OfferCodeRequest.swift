import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreWire

/// The owner's request for a new offer code, checked as far as possible without the database.
struct OfferCodeRequest: Sendable {
    let offerID: String
    let kind: OfferCode.Kind
    let redemptionsMax: Int64
    let expiresAt: Timestamp?
    /// The codes of a batch, which nobody can guess; empty for a custom code.
    let codes: [String]

    init(_ body: MakeOfferCodeBody) throws {
        offerID = body.offerId
        expiresAt = body.expiresAt
        switch (body.word, body.redemptionsMax, body.count) {
        case (let text?, let most?, nil):
            kind = .custom(try Self.checkedWord(text))
            redemptionsMax = try Self.checked(
                most, "redemptionsMax", most: OfferCodeRules.redemptionsMax)
            codes = []
        case (nil, nil, let count?):
            kind = .oneTime
            redemptionsMax = try Self.checked(count, "count", most: Limits.oneTimeCodesPerBatchMax)
            codes = (0..<count).map { _ in makeCode(length: Limits.oneTimeCodeLength) }
        default:
            throw Refusal(
                422, "badField",
                "Give word and redemptionsMax for a custom code, or count for one-time codes.")
        }
        if let expiresAt, !Limits.times.contains(expiresAt) {
            throw Refusal(422, "dateOutOfRange", "A code must end in the years 2000 to 2099.")
        }
    }

    /// The stored digests of a batch's codes.
    var digests: [[UInt8]] { codes.compactMap { OfferCodeWord($0)?.digest } }

    /// Whether an existing code is the very same.
    func isSame(as code: OfferCode) -> Bool {
        code.kind == kind && code.offerID == offerID && code.redemptionsMax == redemptionsMax
            && code.expiresAt == expiresAt && code.deactivatedAt == nil
    }

    private static func checkedWord(_ text: String) throws -> OfferCodeWord {
        guard let word = OfferCodeWord(text) else {
            throw Refusal(
                422, "badField",
                "word must be 1 to \(OfferCodeWord.lengthMax) letters and digits, without accents.")
        }
        return word
    }

    private static func checked(_ number: Int64, _ field: String, most: Int64) throws -> Int64 {
        guard (1...most).contains(number) else {
            throw Refusal(422, "badField", "\(field) must be 1 to \(most).")
        }
        return number
    }
}
