import StoreModel
import StoreWire

// Prices that somebody must agree to.
extension FakeStore {
    /// Where each question stands, by number.
    var priceConsents: [PriceConsentState] { state.withLock { $0.priceConsents.map(\.state) } }

    /// Asks about a product's price; devices that wait hear of it.
    func askAboutPrice(of product: String) {
        state.withLock { state in
            let number = Int64(state.priceConsents.count + 1)
            state.priceConsents.append(Self.question(number, product, .pending))
            Self.tell(of: number, &state)
        }
    }

    /// Somebody answers on another device, or the owner does.
    func answerPriceElsewhere(_ number: Int64, _ answer: PriceConsentState) {
        state.withLock { _ = Self.answer(answer, to: "\(number)", &$0) }
    }

    /// As in the real store, the first answer stands.
    static func answer(
        _ answer: PriceConsentState, to text: String, _ state: inout State
    ) -> Reply {
        guard let number = Int64(text),
            let known = state.priceConsents.first(where: { $0.number == number })
        else { return Reply(status: 404, body: error("priceConsentUnknown", "No such question.")) }
        guard known.state == .pending || known.state == answer else {
            return Reply(status: 409, body: error("priceConsentAnswered", "It was answered."))
        }
        let body = question(number, known.productId, answer)
        if known.state == .pending {
            state.priceConsents[Int(number) - 1] = body
            tell(of: number, &state)
        }
        return reply(body)
    }

    private static func tell(of number: Int64, _ state: inout State) {
        state.events.append(
            UpdateBody(
                number: Int64(state.events.count + 1), kind: .priceConsent, transaction: nil,
                subject: "\(number)", priceConsent: state.priceConsents[Int(number) - 1]))
    }

    private static func question(
        _ number: Int64, _ product: String, _ answer: PriceConsentState
    ) -> DevicePriceConsentBody {
        DevicePriceConsentBody(
            number: number, state: answer, productId: product, oldPriceMilliunits: 1_990,
            newPriceMilliunits: 2_990, currency: "USD")
    }
}
