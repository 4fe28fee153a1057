import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreWire

/// Shows the owner the devices of a world, and what they tried to buy; and makes some.
enum InstallationService {
    /// `POST /control/v1/devices`: registers an installation on which the account is signed in, by
    /// the owner's authority. A repeated request makes another token, like a repeated sign-in.
    static func make(_ call: StoreCall, _ body: MakeDeviceBody) async throws -> DeviceSessionBody {
        let guid = try checkedUUID(body.guid, "guid")
        let bundleID = try checkedBundleID(body.bundleId)
        let version = try checked(
            body.appVersion, "appVersion", bytesMax: Limits.appVersionBytesMax)
        let scene = call.context.placed(in: body.environment ?? .sandbox)
        let time = scene.world.time
        let token = DeviceService.makeToken()
        let made = try await scene.commit { scope in
            let (account, app) = try OwnerDevice.find(
                body.named, bundleID, realNow: time.real(), scope.reading)
            let others = try scope.reading.signedInAccounts(
                onDevice: guid, of: app.id, in: account.environment
            ).filter { $0 != account.id }
            try OwnerDevice.signIn(
                account, on: guid, of: app.id, version: version, token: token.digest, time: time,
                scope)
            return (account: account, app: app, others: others)
        }
        scene.log.event(StoreEvent.signedIn, ("account", .number(made.account.id.rawValue)))
        // Their polls look at their token again when they end.
        for other in made.others { scene.world.updates.wake(other) }
        return try DeviceService.body(
            token: token.text, account: made.account, storefront: made.app.storefront, in: scene)
    }

    /// `GET /control/v1/devices`
    static func list(_ call: StoreCall) throws -> DevicesBody {
        let order: ListOrder = try call.request.queryName("order") ?? .oldest
        let countMax = try call.request.limit(
            Limits.devicesPerAnswerMax, countMax: Limits.devicesPerAnswerMax)
        let after = try call.request.after()
        let realNow = call.world.time.real()
        return try call.world.database.read { scope in
            let filter = try OwnerFilter(call.request, scope)
            var end: Int64?
            let page = try Page(of: countMax) {
                let found = try scope.devices(
                    filter, after: after == 0 ? nil : after, order, countMax: $0, realNow: realNow)
                end = found.end
                return found.devices
            }
            return DevicesBody(devices: page.items, next: page.next(\.deviceId) ?? end)
        }
    }

    /// `GET /control/v1/devices/{device}`
    static func show(_ call: StoreCall, _ text: String) throws -> DeviceDetailsBody {
        let unknown = Refusal(
            404, "deviceUnknown", "This world has no device with that number; the list has them.")
        guard let number = Int64(text), "\(number)" == text else { throw unknown }
        let countMax = try call.request.limit(
            Limits.devicesPerAnswerMax, countMax: Limits.devicesPerAnswerMax)
        let last = call.request.queryValue("after").map { AttemptID($0) }
        let realNow = call.world.time.real()
        return try call.world.database.read { scope in
            let id = DeviceID(number)
            guard let device = try scope.device(id, realNow: realNow) else { throw unknown }
            if let last, try scope.attempt(last, of: id) == nil {
                throw Refusal(400, "badQuery", "after is not an attempt of this device.")
            }
            let page = try Page(of: countMax) {
                try scope.attempts(of: id, after: last, countMax: $0)
            }
            return DeviceDetailsBody(
                device: device, attempts: page.items, next: page.next(\.attemptId))
        }
    }
}
