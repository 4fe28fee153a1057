import TestSupport
import Testing

/// Tokens that are missing, expired, revoked, foreign, or dressed up.
@Suite(.ownThreads) struct HostileTokenTests {
    @Test func `only the right token opens anything`() throws {
        let hostile = try HostileLab()
        try expectGolden(
            try hostile.transcript(
                of: Self.device + Self.control, port: hostile.lab.storePort,
                database: hostile.lab.storeFile), "hostile-tokens")
    }

    private static func bearer(_ name: String, _ field: String) -> HostileRow {
        HostileRow(
            name, "GET /sandbox/device/v1/receipt HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
    }

    static let device: [HostileRow] = [
        bearer("no token", "X: y"),
        bearer("an empty token", "Authorization: Bearer "),
        bearer("a token that is none", "Authorization: Bearer x"),
        bearer("a token of 20,000 letters", "Authorization: Bearer {a20000}"),
        bearer("another scheme", "Authorization: Basic {TOKEN}"),
        bearer("a token without a scheme", "Authorization: {TOKEN}"),
        bearer("a token and more", "Authorization: Bearer {TOKEN}x"),
        bearer("a token twice", "Authorization: Bearer {TOKEN} {TOKEN}"),
        bearer("a token in two fields", "Authorization: Bearer x\r\nAuthorization: Bearer {TOKEN}"),
        bearer("a token in a folded line", "Authorization:\r\n Bearer {TOKEN}"),
        bearer("a token in a cookie", "Cookie: Authorization=Bearer {TOKEN}"),
        bearer("a token for a proxy", "Proxy-Authorization: Bearer {TOKEN}"),
        bearer("SQL for a token", "Authorization: Bearer ' OR 1=1 --"),
        bearer("an expired token", "Authorization: Bearer {EXPIRED}"),
        bearer("a token that was signed out", "Authorization: Bearer {REVOKED}"),
        bearer("a token of another world", "Authorization: Bearer {FOREIGN}"),
        bearer("the control token for a device", "Authorization: Bearer {CONTROL}"),
        bearer("a token of the backend", "Authorization: Bearer {USER}"),
        bearer("a token on which nobody is signed in", "Authorization: Bearer {NOBODY}"),
        .get("a token in the address", "/sandbox/device/v1/receipt?token={TOKEN}"),
        .get("a sandbox token in production", "/production/device/v1/receipt", token: "TOKEN"),
        .get("a token in another world", "/t/other/sandbox/device/v1/receipt", token: "TOKEN"),
        .get(
            "a token of another world at signed data", "/sandbox/device/v1/signed",
            token: "FOREIGN"),
        .get(
            "a sandbox token at signed data of production", "/production/device/v1/signed",
            token: "TOKEN"),
        .get(
            "signed data for nobody", "/sandbox/device/v1/signed", token: "NOBODY"),
        .get(
            "a page of a thousand million", "/sandbox/device/v1/signed?limit=1000000000",
            token: "TOKEN"),
        .get(
            "the control token at an app transaction", "/sandbox/device/v1/app-transaction",
            token: "CONTROL"),
        .post(
            "an expired token at a purchase", "/sandbox/device/v1/attempts", token: "EXPIRED",
            #"{"attemptId":"AAAAAAAA-2FA1-11D2-883F-0016D3CCA427","productId":"\#(Lab.fuel)","#
                + #""quantity":1}"#),
        .post(
            "a token on which nobody is signed in, at a purchase",
            "/sandbox/device/v1/attempts", token: "NOBODY",
            #"{"attemptId":"AAAAAAAA-2FA1-11D2-883F-0016D3CCA427","productId":"\#(Lab.fuel)","#
                + #""quantity":1}"#),
        .post(
            "signing out with an expired token", "/sandbox/device/v1/sign-out", token: "EXPIRED",
            ""),
    ]

    static let control: [HostileRow] = [
        .get("control without a token", "/control/v1/accounts"),
        .get("control with a device's token", "/control/v1/accounts", token: "TOKEN"),
        .get("the worlds with a device's token", "/control/v1/worlds", token: "TOKEN"),
        .get("control with a token in the address", "/control/v1/accounts?token={CONTROL}"),
        .get("control of a world that is none, without a token", "/t/nowhere/control/v1/accounts"),
        .post(
            "making an account without a token", "/control/v1/accounts",
            #"{"environment":"sandbox","name":"x","password":"12345678"}"#),
        .post(
            "making a world with a device's token", "/control/v1/worlds", token: "TOKEN",
            #"{"name":"x"}"#),
        .post(
            "deleting a world with a device's token", "/control/v1/worlds/other",
            token: "TOKEN", "", method: "DELETE"),
        HostileRow(
            "control with half a token",
            "GET /control/v1/accounts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {CONTROL}x\r\n"
                + "\r\n"),
    ]
}
