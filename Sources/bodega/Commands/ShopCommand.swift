import AppStoreServer
import Foundation
import StoreModel
import StoreWire

/// `bodega shop show|set`
enum ShopCommand {
    static let command = Command(
        help: """
            bodega shop: what becomes of new products, and how long changes take

              bodega shop show
              bodega shop set [--new-products N] [--delay AMOUNT]
              bodega shop set --bundle-id ID --delay AMOUNT    for one app only
              bodega shop set --bundle-id ID --grace-period DAYS
              bodega shop apps                                 the apps and who owns them

            An import clears new products for sale at once, unless --new-products wait has them
            wait for review. A change of the catalogue reaches devices when the delay has passed
            on the world's clock; until then they see and are sold what was there before. The
            delay counts for changes made after it was set.

            A grace period of 3, 16 or 28 days is how long an app serves who did not pay for a
            subscription; none ends that. It counts for payments that fail after it was set.

            Options:
              --new-products N  clear (as it is at first) or wait
              --delay AMOUNT    such as 90s, 15m, 12h, 7d at most; 0s for at once. With
                                --bundle-id, "world" goes by the world's delay again
              --grace-period D  3, 16 or 28 days, or none; with --bundle-id
              --bundle-id ID    the app
              --world W         a test session instead of the default world
              --data DIR        the store's data directory (BODEGA_DATA)
              --url URL         the store's address (BODEGA_URL)
              --json            print the answer as JSON

            Examples:
              bodega shop set --new-products wait --delay 24h
              bodega shop set --bundle-id com.example.rocketcar --delay 0s
              bodega shop set --bundle-id com.example.rocketcar --grace-period 16
              bodega clock advance 24h
            """,
        options: ControlClient.options.union([
            "new-products", "delay", "bundle-id", "grace-period",
        ]),
        flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "show":
            _ = try arguments.words("show")
            try show(try ControlClient(arguments).send("GET", "/shop"), arguments)
        case "set":
            _ = try arguments.words("set")
            if arguments.value("grace-period") != nil {
                try setGracePeriod(arguments)
            } else {
                try arguments.value("bundle-id") == nil ? set(arguments) : setDelay(arguments)
            }
        case "apps": try apps(arguments)
        default: throw arguments.notOne(of: "show", "set", "apps")
        }
    }

    private static func set(_ arguments: Arguments) throws {
        let newProducts: ShopBody.NewProducts? =
            switch arguments.value("new-products") {
            case nil: nil
            case "clear"?: .clearedForSale
            case "wait"?: .waitForReview
            case let text?: throw UsageError("--new-products \(text) is neither clear nor wait")
            }
        let delay = try arguments.value("delay").map(Self.delay)
        guard newProducts != nil || delay != nil else {
            throw UsageError("bodega shop set needs --new-products or --delay")
        }
        let body = ShopBody(newProducts: newProducts, delayMilliseconds: delay)
        try show(try ControlClient(arguments).send("PUT", "/shop", body), arguments)
    }

    private static func setDelay(_ arguments: Arguments) throws {
        guard arguments.value("new-products") == nil else {
            throw UsageError(
                "--new-products is for the whole world, and --bundle-id for one app: leave one out")
        }
        let text = try arguments.required("delay")
        let delay = text == "world" ? nil : try delay(text)
        let answer = try ControlClient(arguments).send(
            "PUT", try ProductCommand.app(arguments) + "/delay", DelayBody(milliseconds: delay))
        try Answer.show(answer, as: AppBody.self, arguments) { row($0).joined(separator: "  ") }
    }

    private static func setGracePeriod(_ arguments: Arguments) throws {
        guard arguments.value("new-products") == nil, arguments.value("delay") == nil else {
            throw UsageError("--grace-period is set by itself: leave the other settings out")
        }
        let text = try arguments.required("grace-period")
        let days = Int(text).flatMap { GracePeriod(rawValue: $0) }
        guard text == "none" || days != nil else {
            let known = GracePeriod.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
            throw UsageError("--grace-period \(text) is none of \(known), none")
        }
        let answer = try ControlClient(arguments).send(
            "PUT", try ProductCommand.app(arguments) + "/grace-period",
            GracePeriodBody(days: days?.rawValue))
        try Answer.show(answer, as: GracePeriodBody.self, arguments) { body in
            body.days.map { "who does not pay is served for \($0) days" }
                ?? "who does not pay is not served"
        }
    }

    private static func delay(_ text: String) throws -> Int64 {
        try TimeWords.milliseconds(text, for: "--delay", most: Limits.delayMillisecondsMax)
    }

    private static func apps(_ arguments: Arguments) throws {
        _ = try arguments.words("apps")
        let answer = try ControlClient(arguments).send("GET", "/apps")
        try Answer.show(answer, as: AppsBody.self, arguments) { body in
            Terminal.table(
                ["APP", "DEVELOPER", "STOREFRONT", "DELAY", "GRACE"], body.apps.map { row($0) })
        }
    }

    private static func show(_ answer: [UInt8], _ arguments: Arguments) throws {
        try Answer.show(answer, as: ShopBody.self, arguments) { body in
            let waits = body.newProducts == .waitForReview
            let delay = body.delayMilliseconds ?? 0
            return "new products \(waits ? "wait for review" : "are cleared for sale"), changes "
                + (delay == 0
                    ? "are seen at once" : "are seen after \(TimeWords.text(milliseconds: delay))")
        }
    }

    private static func row(_ app: AppBody) -> [String] {
        [
            app.bundleId, app.developer, app.storefront,
            app.delayMilliseconds.map { TimeWords.text(milliseconds: $0) } ?? "as the world",
            app.gracePeriodDays.map { "\($0) days" } ?? "none",
        ]
    }
}
