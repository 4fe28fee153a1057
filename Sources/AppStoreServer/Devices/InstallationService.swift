import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreWire

/// Shows the owner the devices of a world, and what they tried to buy.
enum InstallationService {
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
