import Foundation
import TestSupport
import Testing

/// The owner's commands about subscriptions, against a store that runs.
@Suite(.ownThreads) struct SubscriptionCommandTests {
    @Test func `a grace period set for an app takes effect`() throws {
        let lab = try Lab.open(withBackend: false)
        let set = ["shop", "set", "--bundle-id", Lab.bundleID, "--grace-period"]
        #expect(try lab.bodega(set + ["16"]) == "unpaid subscribers are served for 16 days\n")
        try lab.bodega(["clock", "pace", "calendar"])
        try lab.bodega(["clock", "hold", "2026-04-01"])
        let id = try #require(try lab.buyAndKeep([Lab.club]).first).transaction
        try lab.bodega(["subscription", "fail-billing", id])
        try lab.bodega(["clock", "advance", "2026-05-02"])
        #expect(try lab.bodega(["subscription", "show", id]).contains("served until 2026-05-17"))
        #expect(try lab.bodega(set + ["none"]) == "unpaid subscribers are not served\n")
        let wrong = try lab.bodega(set + ["7"], code: 2)
        #expect(wrong.contains("--grace-period 7 is not one of 3, 16, 28"))
        #expect(
            try lab.bodega(set + ["16", "--delay", "1h"], code: 2).contains("must be set alone"))
        let only = ["shop", "set", "--grace-period", "16"]
        #expect(try lab.bodega(only) == "unpaid subscribers are served for 16 days\n")
    }

    @Test func `an import names the Xcode settings that have a command here`() throws {
        let lab = try Lab.open(withBackend: false)
        let path = Lab.package + "/Examples/RocketCar/RocketCar.storekit"
        let file = try String(contentsOfFile: path, encoding: .utf8)
        let fast = file.replacing(
            #""_timeRate" : 0"#, with: #""_billingGracePeriodEnabled" : true, "_timeRate" : 1002"#)
        try #require(fast != file)
        let copy = lab.folder + "/fast.storekit"
        try Data(fast.utf8).write(to: URL(fileURLWithPath: copy))
        let said = try lab.bodega(["catalog", "import", copy, "--bundle-id", Lab.bundleID])
        let rate = "settings._timeRate is for Xcode's tests; here, use bodega clock pace"
        #expect(said.contains(rate), "\(said)")
        #expect(said.contains("bodega shop set --grace-period"))
        let plain = try lab.bodega(["catalog", "import", path, "--bundle-id", Lab.bundleID])
        #expect(!plain.contains("_timeRate"), "a rate of 0 asks for nothing")
    }

    @Test func `a subscription's receipt is verified with the secret from a file`() throws {
        let lab = try Lab.open()
        _ = try lab.buyAndKeep([Lab.club])
        let verify = ["receipt", "verify", lab.receiptPath(), "--url", lab.storeURL + "/sandbox"]
        #expect(try lab.bodega(verify, code: 1) == "{\"status\":21004}\n")
        let told = try lab.bodega(verify + ["--shared-secret-file", lab.secretFile])
        #expect(told.contains(#""latest_receipt_info":[{"#))
        chmod(lab.secretFile, 0o644)
        let refused = try lab.bodega(verify + ["--shared-secret-file", lab.secretFile], code: 1)
        #expect(refused.contains("chmod 600"), "\(refused)")
        let secret = try String(contentsOfFile: lab.secretFile, encoding: .utf8)
        #expect(!refused.contains(secret))
    }
}
