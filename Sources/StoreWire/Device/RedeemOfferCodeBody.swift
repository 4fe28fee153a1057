/// `POST /device/v1/offer-codes/redeem`: a person redeems an offer code, under an id that the
/// device made and stored first. The answer is that of an attempt.
///
/// The same id with the same code always answers the attempt's present state; the same id with
/// another code or account is refused with 409.
package struct RedeemOfferCodeBody: Codable, Hashable, Sendable {
    /// A UUID in capital letters.
    package let attemptId: String
    /// As it was typed; the case of its letters does not matter.
    package let code: String

    package init(attemptId: String, code: String) {
        self.attemptId = attemptId
        self.code = code
    }
}
