import Foundation
import StoreModel
import StoreWire

// `bodega account app-transaction`
extension AccountCommand {
    static let appTransaction = Command(
        "app-transaction NAME", "when, with which version and how it got an app; shows or sets it",
        [
            .bundleID,
            Option("purchased", "TIME", "when the account got the app"),
            Option("app-version", "V", "the app's version then"),
            Option(
                "platform", "P", "the first device's system", choices: platforms),
            Option(
                "volume", "on|off", "whether an organisation bought it in volume",
                choices: ["on", "off"]),
            .environment,
        ], run: showOrSet)

    private static let platforms = AppTransaction.Platform.allCases.map(\.rawValue)

    private static func showOrSet(_ arguments: Arguments) throws {
        let path = try arguments.app() + "/app-transaction"
        let name = arguments["NAME"]
        let isSetting = ["purchased", "app-version", "platform", "volume"]
            .contains { arguments.value($0) != nil }
        guard isSetting else {
            let query =
                "?account=\(ServerClient.escaped(name))"
                + "&environment=\(arguments.environment.rawValue)"
            return try arguments.send("GET", path + query, nil, text)
        }
        let body = SetAppTransactionBody(
            environment: arguments.environment, name: name,
            originalPurchaseDate: try arguments.moment("purchased"),
            originalApplicationVersion: arguments.value("app-version"),
            originalPlatform: arguments.value("platform").flatMap(AppTransaction.Platform.init),
            isVolumePurchase: arguments.value("volume").map { $0 == "on" })
        try arguments.send("PUT", path, body, text)
    }

    private static func text(of body: AppTransactionBody) -> String {
        "\(body.account) got \(body.bundleId) (\(body.appAppleId)) on "
            + "\(TimeWords.text(body.originalPurchaseDate)), version "
            + "\(body.originalApplicationVersion), \(body.originalPlatform.rawValue)"
            + (body.isVolumePurchase ? ", in volume" : "")
    }
}
