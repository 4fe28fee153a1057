import Foundation
import StoreKit
import StoreWire

/// `bodega device`
enum DeviceCommand {
    static let command = Command(
        group: "device",
        "the devices of a store, and one device's settings: the account, promoted purchases",
        details: """
            list and show ask a running store for the devices that registered with it. The other
            commands are for one device on this machine, and take its folder instead of a store.

            That device is the folder that its apps have as STOREKIT_HOME; running apps notice the
            change. Real accounts, of production, sign in here. Test accounts, of the sandbox, sign
            in on the payment sheet instead. Signing out is for both. An intent is a purchase that a
            customer began on the app's page in the store: the running app, or the one launched
            next, gets it on PurchaseIntent.intents, or is asked whether to continue it.
            """,
        examples: [
            "bodega device list --account buyer@example.com", "bodega device show 1",
            "bodega device status --home ~/phone",
            "bodega device sign-in ada@example.com --home ~/phone --app-version 1.0 "
                + "--store-url http://127.0.0.1:8080/production --bundle-id com.example.app",
            "bodega device sign-out --home ~/phone "
                + "--store-url http://127.0.0.1:8080/sandbox --bundle-id com.example.app",
            "bodega device intent com.example.app.turbo --home ~/phone",
            "bodega device intent com.example.app.club --win-back come-back --home ~/phone",
        ],
        commands: [
            Command("status", "show who is signed in, and where", folder) {
                try show(try DeviceAccount.status(home: try home($0)), $0)
            },
            Command(
                "sign-in NAME", "sign a real account in",
                [
                    Option(
                        "password", "P", "without it the command asks, or reads a line from a pipe")
                ] + app + folder, run: signIn),
            Command("sign-out", "sign the account out", app + folder) {
                try show(try DeviceAccount(try variables($0)).signOut(), $0)
            },
            Command(
                "intent PRODUCT", "begin a promoted purchase",
                [
                    Option(
                        "win-back", "OFFER",
                        "the win-back offer that the customer chose; only apps that iterate "
                            + "PurchaseIntent.intents get it")
                ] + folder, run: leaveIntent),
        ] + ofStore)

    private static let folder = [
        Option("home", "DIR", "the device's folder", variable: "STOREKIT_HOME", isRequired: true),
        .json,
    ]

    /// The environment of an app on the device.
    private static let app = [
        Option(
            "store-url", "URL",
            "the store's environment, such as http://127.0.0.1:8080/production",
            variable: "STOREKIT_URL", isRequired: true),
        Option("bundle-id", "ID", "the app", variable: "STOREKIT_BUNDLE_ID", isRequired: true),
        Option(
            "app-version", "V", "its version, only for a device unknown to the store",
            variable: "STOREKIT_APP_VERSION"),
    ]

    private static func signIn(_ arguments: Arguments) throws {
        let device = try DeviceAccount(try variables(arguments))
        try show(
            try device.signIn(arguments["NAME"], password: try arguments.password()), arguments)
    }

    private static func leaveIntent(_ arguments: Arguments) throws {
        let product = arguments["PRODUCT"]
        let intent = PromotedPurchase(
            productIdentifier: product,
            madeAtMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000),
            winBackOfferIdentifier: arguments.value("win-back"))
        try intent.leave(home: try home(arguments))
        try arguments.show(try WireJSON.encode(intent)) { (_: PromotedPurchase) in
            "the app will be asked about \(product) as soon as it runs"
        }
    }

    private static func home(_ arguments: Arguments) throws -> String {
        URL(fileURLWithPath: try arguments.required("home")).standardizedFileURL.path
    }

    /// The environment of an app on this device.
    private static func variables(_ arguments: Arguments) throws -> [String: String] {
        var variables = ["STOREKIT_HOME": try home(arguments)]
        for option in app { variables[option.variable ?? ""] = arguments.value(option.name) }
        return variables
    }

    private static func show(_ status: DeviceAccount.Status, _ arguments: Arguments) throws {
        try arguments.show(try WireJSON.encode(status)) { (status: DeviceAccount.Status) in
            guard let environment = status.environment else {
                return "this device is not registered with a store"
            }
            let who = status.account.map { "\($0) is" } ?? "nobody is"
            return "\(who) signed in, \(environment), \(status.storefront ?? "")"
        }
    }
}
