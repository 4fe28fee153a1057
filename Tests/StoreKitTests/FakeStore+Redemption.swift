import Foundation
import StoreModel
import StoreWire

// Offer codes.
extension FakeStore {
    static func redeem(_ request: RawRequest, _ state: inout State) -> Reply {
        guard let body = try? WireJSON.decode(RedeemOfferCodeBody.self, from: request.body) else {
            return Reply(status: 400, body: error("badBody", "bad body"))
        }
        guard state.account != nil else {
            return Reply(status: 401, body: error("notSignedIn", "Nobody is signed in."))
        }
        state.redemptions.append(body)
        let name = "\(state.guid) \(body.attemptId)"
        if let known = state.attempts[name] { return reply(known) }
        guard let product = state.offerCodes[body.code] else {
            return Reply(status: 404, body: error("offerCodeUnknown", "This code is not valid."))
        }
        let transaction =
            state.refusal == nil
            ? state.renewing
                ?? record(
                    AttemptRequestBody(
                        attemptId: body.attemptId, productId: product, quantity: 1,
                        applicationUsername: nil), device: state.guid, &state) : nil
        let answer = AttemptAnswerBody(
            attemptId: body.attemptId, state: transaction == nil ? .refused : .done,
            transaction: transaction, refusal: state.refusal, receiptRevision: state.revision)
        state.attempts[name] = answer
        return reply(answer)
    }
}
