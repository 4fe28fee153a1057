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
    static func answer(_ call: StoreCall, _ answer: PriceConsent.Answer, number: String)
        async throws -> DevicePriceConsentBody
    {
        let (session, account) = try call.context.signedIn(call.request)
        let time = call.world.time
        let consent = try await call.context.commit { scope in
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
        }
        call.world.updates.wake(account.id, byDevice: session.device)
        call.log.event(
            StoreEvent.priceConsentAnswered, ("account", .number(account.id.rawValue)),
            ("question", .number(consent.number)), ("answer", .text(answer.rawValue)))
        return DevicePriceConsentBody(consent)
    }
}
