import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Takes what a person answers on a device about a price.
enum PriceConsentService {
    /// `POST /device/v1/price-consents/{number}/agree` and `…/decline`: the same answer however
    /// often it is asked; 409 once another was given.
    static func answer(
        _ answer: PriceConsent.Answer, _ request: HTTPRequest, number: String, _ scene: Scene,
        _ responder: Responder
    ) {
        scene.attempt(responder) {
            let (session, account) = try scene.signedIn(request)
            let time = scene.world.time
            scene.commit(responder) { scope in
                try scope.requireToken(of: session)
                let consent = try scope.reading { scope in
                    // What others were asked, or this account in another app, is unknown here.
                    guard let wanted = Int64(number), "\(wanted)" == number,
                        let found = try scope.priceConsent(wanted),
                        found.account == account.id, found.app == session.app
                    else { throw Refusal.priceConsentUnknown }
                    return found
                }
                try scope.take(answer, to: consent.number, in: account.environment, time: time)
                return try scope.reading { try $0.priceConsent(consent.number) ?? consent }
            } then: { consent in
                scene.world.updates.wake(account.id, byDevice: session.device)
                scene.log.event(
                    StoreEvent.priceConsentAnswered, ("account", .number(account.id.rawValue)),
                    ("question", .number(consent.number)), ("answer", .text(answer.rawValue)))
                return .json(try WireJSON.encode(DevicePriceConsentBody(consent)))
            }
        }
    }
}
