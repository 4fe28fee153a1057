import StoreModel
import StoreWire

// The devices that a running store knows.
extension DeviceCommand {
    static let ofStore = [
        Command(
            "list", "the devices that the store knows, in the order of their registrations",
            Option.ofOwner + Option.inWorld, run: list),
        Command(
            "show NUMBER", "a device of the store's list, and what it tried to buy",
            Option.inWorld
        ) {
            try $0.send("GET", "/devices/\(try $0.number())", nil, text)
        },
    ]

    private static func list(_ arguments: Arguments) throws {
        let pages = try ControlClient(arguments).pages(
            DevicesBody.self, "/devices", query: arguments.ownerQuery, next: \.next)
        let whole = DevicesBody(devices: pages.flatMap(\.devices), next: nil)
        try arguments.show(try WireJSON.encode(whole)) { (body: DevicesBody) in
            Terminal.table(
                ["NUMBER", "ENVIRONMENT", "APP", "VERSION", "REGISTERED", "SIGNED IN"],
                body.devices.map {
                    [
                        "\($0.deviceId)", $0.environment.rawValue, $0.bundleId, $0.appVersion,
                        TimeWords.text($0.registeredAt), people(on: $0),
                    ]
                })
        }
    }

    private static func people(on device: DeviceBody) -> String {
        device.accounts.isEmpty ? "-" : device.accounts.joined(separator: ", ")
    }

    private static func text(_ body: DeviceDetailsBody) -> String {
        let device = body.device
        let facts = OperatorPage.lines([
            ("device", "\(device.deviceId)"), ("identifier", device.guid),
            ("environment", device.environment.rawValue),
            ("app", "\(device.bundleId) \(device.appVersion)"),
            ("registered", TimeWords.text(device.registeredAt)),
            ("signed in", people(on: device)),
            ("locked until", device.lockedUntil.map { TimeWords.text($0) } ?? ""),
        ])
        let attempts = Terminal.table(
            ["ATTEMPT", "TRIED", "ACCOUNT", "PRODUCT", "STATE", "TRANSACTION"],
            body.attempts.map {
                [
                    $0.attemptId, TimeWords.text($0.triedAt), $0.account, $0.productId ?? "-",
                    state(of: $0), $0.transactionId ?? "-",
                ]
            })
        let older = body.next.map { _ in "Older attempts are not shown; --json says after which." }
        return ([facts, attempts] + [older].compactMap(\.self)).joined(separator: "\n\n")
    }

    private static func state(of attempt: DeviceAttemptBody) -> String {
        let missing = attempt.missingMilliunits.map {
            ", \(AmountWords.text($0, attempt.currency ?? "")) missing"
        }
        return attempt.state.rawValue
            + (attempt.refusal.map { ": \($0.rawValue)" } ?? "") + (missing ?? "")
    }
}
