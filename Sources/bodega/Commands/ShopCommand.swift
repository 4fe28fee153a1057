import AppStoreServer
import Foundation
import StoreModel
import StoreWire

/// `bodega shop`
enum ShopCommand {
    static let command = Command(
        group: "shop", "how new products are reviewed, and how long changes take",
        shared: Option.inWorld,
        details: """
            An import clears new products for sale at once, unless --new-products wait holds them
            for review. A catalogue change reaches devices after the delay, by the world's clock;
            until then devices show and buy what was there before. A new delay applies to changes made
            after it is set.

            With a grace period, a subscription whose renewal is unpaid remains active for that many
            days while the payment is retried, a weekly one for at most 6; without one, it is
            suspended until it is paid. The grace period is set per app and applies to payments that
            fail after it is set.

            The app number, Apple's appAppleId, is in receipts of production. A catalogue file that
            Xcode synchronises with App Store Connect has it; without one, it follows from the
            bundle identifier.
            """,
        examples: [
            "bodega shop set --new-products wait --delay 24h",
            "bodega shop set --bundle-id com.example.rocketcar --delay 0s",
            "bodega shop set --bundle-id com.example.rocketcar --grace-period 16",
            "bodega shop set --bundle-id com.example.rocketcar --app-number 1588941280",
            "bodega clock advance 24h",
        ],
        commands: [
            Command("show", "the world's settings") { try $0.send("GET", "/shop", nil, text) },
            Command(
                "set", "change them, or an app's delay, grace period or number",
                [
                    Option(
                        "new-products", "N", "clear (default) or wait",
                        choices: ["clear", "wait"]),
                    Option(
                        "delay", "AMOUNT",
                        "such as 90s, 15m, 12h, 7d at most; 0s for at once. With --bundle-id, "
                            + "\"world\" restores the world's delay"),
                    Option("bundle-id", "ID", "that app only"),
                    Option(
                        "grace-period", "DAYS",
                        "\(Spelling.either(gracePeriods)); of one app",
                        choices: gracePeriods),
                    Option(
                        "app-number", "N", "the app's number in the App Store; with --bundle-id"),
                ]
            ) { arguments in
                if arguments.value("app-number") != nil {
                    try setNumber(arguments)
                } else if arguments.value("grace-period") != nil {
                    try setGracePeriod(arguments)
                } else {
                    try arguments.value("bundle-id") == nil ? set(arguments) : setDelay(arguments)
                }
            },
            Command("apps", "every app, its owner and its settings", run: apps),
        ])

    private static let gracePeriods = GracePeriod.allCases.map { "\($0.rawValue)" } + ["none"]

    private static func set(_ arguments: Arguments) throws {
        let newProducts: ShopBody.NewProducts? =
            arguments.value("new-products").map { $0 == "wait" ? .waitForReview : .clearedForSale }
        let delay = try arguments.value("delay").map(Self.delay)
        guard newProducts != nil || delay != nil else {
            throw UsageError("bodega shop set needs --new-products or --delay")
        }
        let body = ShopBody(newProducts: newProducts, delayMilliseconds: delay)
        try arguments.send("PUT", "/shop", body, text)
    }

    private static func setDelay(_ arguments: Arguments) throws {
        guard arguments.value("new-products") == nil else {
            throw UsageError(
                "--new-products is for the whole world, and --bundle-id for one app: leave one out")
        }
        let text = try arguments.required("delay")
        let delay = text == "world" ? nil : try delay(text)
        let body = DelayBody(milliseconds: delay)
        try arguments.send("PUT", try arguments.app() + "/delay", body) { (app: AppBody) in
            row(app).joined(separator: "  ")
        }
    }

    private static func setGracePeriod(_ arguments: Arguments) throws {
        guard arguments.value("new-products") == nil, arguments.value("delay") == nil else {
            throw UsageError("--grace-period must be set alone: leave the other settings out")
        }
        let path = try arguments.app() + "/grace-period"
        let asked = GracePeriodBody(days: arguments.value("grace-period").flatMap { Int($0) })
        try arguments.send("PUT", path, asked) { (body: GracePeriodBody) in
            body.days.map { "unpaid subscribers are served for \($0) days" }
                ?? "unpaid subscribers are not served"
        }
    }

    private static func setNumber(_ arguments: Arguments) throws {
        let others = ["new-products", "delay", "grace-period"]
        guard others.allSatisfy({ arguments.value($0) == nil }) else {
            throw UsageError("--app-number must be set alone: leave the other settings out")
        }
        let text = try arguments.required("app-number")
        guard let number = AppNumber(text) else {
            throw UsageError(
                "--app-number \(text) is not a number of \(AppNumber.range.lowerBound) to "
                    + "\(AppNumber.range.upperBound)")
        }
        let body = AppNumberBody(appAppleId: number.rawValue)
        try arguments.send("PUT", try arguments.app() + "/number", body) { (app: AppBody) in
            row(app).joined(separator: "  ")
        }
    }

    private static func delay(_ text: String) throws -> Int64 {
        try TimeWords.milliseconds(text, for: "--delay", most: Limits.delayMillisecondsMax)
    }

    private static func apps(_ arguments: Arguments) throws {
        try arguments.send("GET", "/apps") { (body: AppsBody) in
            Terminal.table(
                ["APP", "NUMBER", "DEVELOPER", "STOREFRONT", "DELAY", "GRACE"],
                body.apps.map { row($0) })
        }
    }

    private static func text(of body: ShopBody) -> String {
        let waits = body.newProducts == .waitForReview
        let delay = body.delayMilliseconds ?? 0
        return "new products \(waits ? "wait for review" : "are cleared for sale"), changes "
            + (delay == 0
                ? "are seen at once" : "are seen after \(TimeWords.text(milliseconds: delay))")
    }

    private static func row(_ app: AppBody) -> [String] {
        [
            app.bundleId, "\(app.appAppleId)", app.developer, app.storefront,
            app.delayMilliseconds.map { TimeWords.text(milliseconds: $0) } ?? "as the world",
            app.gracePeriodDays.map { "\($0) days" } ?? "none",
        ]
    }
}
