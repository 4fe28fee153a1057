import Foundation
import StoreKit
import StoreWire

/// `bodega device status|sign-in|sign-out`
enum DeviceCommand {
    static let command = Command(
        help: """
            bodega device: a device's settings: who is signed in, promoted purchases

              bodega device status --home DIR
              bodega device sign-in NAME --home DIR [--password PASSWORD]
              bodega device sign-out --home DIR
              bodega device intent PRODUCT --home DIR

            The device is the folder that its apps have as STOREKIT_HOME; apps that run notice the
            change. Real accounts, of production, sign in here. Test accounts, of the sandbox, do
            not: they sign in on the payment sheet. Signing out is for both. An intent is a
            purchase that a person began on the store's page of the app: the app that runs, or the
            one that is launched next, is asked whether it goes on.

            Options:
              --home DIR          the device's folder (STOREKIT_HOME)
              --store-url URL     the store's environment, such as
                                  http://127.0.0.1:8080/production (STOREKIT_URL)
              --bundle-id ID      the app (STOREKIT_BUNDLE_ID)
              --app-version V     its version (STOREKIT_APP_VERSION), only for a device that the
                                  store does not know
              --password P        without it the command asks, or reads a line from a pipe
              --json              print the answer as JSON

            Examples:
              bodega device status --home ~/phone
              bodega device sign-in ada@example.com --home ~/phone --app-version 1.0 \\
                --store-url http://127.0.0.1:8080/production --bundle-id com.example.app
              bodega device sign-out --home ~/phone \\
                --store-url http://127.0.0.1:8080/sandbox --bundle-id com.example.app
              bodega device intent com.example.app.turbo --home ~/phone
            """,
        options: ["home", "store-url", "bundle-id", "app-version", "password"], flags: ["json"]
    ) { arguments in
        switch arguments.positional.first {
        case "status":
            _ = try arguments.words("status")
            try show(try DeviceAccount.status(home: try home(arguments)), arguments)
        case "sign-in": try signIn(arguments)
        case "sign-out":
            _ = try arguments.words("sign-out")
            try show(try DeviceAccount(try variables(arguments)).signOut(), arguments)
        case "intent": try leaveIntent(arguments)
        default:
            throw arguments.notOne(of: "status", "sign-in", "sign-out", "intent")
        }
    }

    private static func signIn(_ arguments: Arguments) throws {
        let name = try arguments.words("sign-in", "name")[1]
        let device = try DeviceAccount(try variables(arguments))
        guard let password = arguments.value("password") ?? Terminal.readPassword("Password: ")
        else { throw UsageError("no password was given") }
        try show(try device.signIn(name, password: password), arguments)
    }

    private static func leaveIntent(_ arguments: Arguments) throws {
        let product = try arguments.words("intent", "product")[1]
        let intent = PurchaseIntent(
            productIdentifier: product,
            madeAtMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        try intent.leave(home: try home(arguments))
        if arguments.has("json") {
            return Terminal.print(String(decoding: try WireJSON.encode(intent), as: UTF8.self))
        }
        Terminal.print("the app is asked about \(product) as soon as it runs")
    }

    private static func home(_ arguments: Arguments) throws -> String {
        let home = try arguments.required("home", environment: "STOREKIT_HOME")
        return URL(fileURLWithPath: home).standardizedFileURL.path
    }

    /// What an app on this device finds in its environment.
    private static func variables(_ arguments: Arguments) throws -> [String: String] {
        var variables = ["STOREKIT_HOME": try home(arguments)]
        variables["STOREKIT_URL"] = try arguments.required(
            "store-url", environment: "STOREKIT_URL")
        variables["STOREKIT_BUNDLE_ID"] = try arguments.required(
            "bundle-id", environment: "STOREKIT_BUNDLE_ID")
        variables["STOREKIT_APP_VERSION"] = arguments.value(
            "app-version", environment: "STOREKIT_APP_VERSION")
        return variables
    }

    private static func show(_ status: DeviceAccount.Status, _ arguments: Arguments) throws {
        if arguments.has("json") {
            return Terminal.print(String(decoding: try WireJSON.encode(status), as: UTF8.self))
        }
        guard let environment = status.environment else {
            return Terminal.print("no store knows this device")
        }
        let place = "\(environment), \(status.storefront ?? "")"
        Terminal.print(
            status.account.map { "\($0) is signed in, \(place)" } ?? "nobody is signed in, \(place)"
        )
    }
}
