import Foundation
import StoreWire
import Testing

extension Lab {
    /// The token of a device on which the lab's account is signed in.
    func signedInDevice(guid: String = UUID().uuidString) throws -> String {
        let base = storeURL + "/sandbox/device/v1"
        let registered = try Self.call(
            "POST", base + "/register",
            body: try WireJSON.encode(
                RegisterDeviceBody(guid: guid, bundleId: Self.bundleID, appVersion: "1.0")))
        let first = try WireJSON.decode(DeviceSessionBody.self, from: registered.body).deviceToken
        let answer = try Self.call(
            "POST", base + "/sign-in", token: first,
            body: try WireJSON.encode(
                SignInBody(account: "buyer@example.com", password: "rocket-fuel-1")))
        try #require(answer.status == 200)
        return try WireJSON.decode(DeviceSessionBody.self, from: answer.body).deviceToken
    }
}
