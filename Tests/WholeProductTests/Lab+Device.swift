import Foundation
import StoreWire
import Testing

extension Lab {
    /// The token of a device on which an account is signed in.
    func signedInDevice(
        guid: String = UUID().uuidString, account: String = "buyer@example.com",
        in environment: String = "sandbox"
    ) throws -> String {
        let base = storeURL + "/\(environment)/device/v1"
        let registered = try Self.call(
            "POST", base + "/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(guid: guid, bundleId: Self.bundleID, appVersion: "1.0")))
        let first = try WireJSON.decode(DeviceSessionBody.self, from: registered.body).deviceToken
        let answer = try Self.call(
            "POST", base + "/sign-in", token: first,
            body: try WireJSON.encode(
                SignInBody(account: account, password: "rocket-fuel-1")))
        try #require(answer.status == 200)
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
    }
}
