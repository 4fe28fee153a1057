import Foundation
import TestSupport
import Testing

/// An app's user name that is a UUID, from the app to the store and to who asks it.
@Suite(.ownThreads) struct AppAccountTokenTests {
    private static let user = "6C1E2D58-9A57-4D0B-8E0A-2B6B6F0F5A11"

    private func run(_ lab: Lab, _ arguments: [String], device: String = "phone") throws -> String {
        let program = try Program(
            "PurchaseProbe", arguments, environment: lab.appEnvironment(device: device),
            logs: lab.folder + "/logs")
        try program.wait()
        return program.output
    }

    @Test
    func `an app account token is stored with the purchase, restores it, and stays out of in_app`()
        throws
    {
        let lab = try Lab.open(withBackend: false)
        let bought = try run(lab, ["--emptied=1", "--user=\(Self.user)", Lab.turbo])
        #expect(bought.contains("purchased \(Lab.turbo)"))
        let kept = "SELECT count(*) FROM store_transaction WHERE application_username = "
        #expect(try lab.count(kept + "'\(Self.user)'", in: lab.storeFile) == 1)
        for (name, expected) in [(Self.user.lowercased(), 1), (UUID().uuidString, 0)] {
            let output = try run(lab, ["--restore=\(name)"], device: "tablet")
            let count = output.components(separatedBy: "restored \(Lab.turbo) ").count - 1
            #expect(count == expected, "\(output)")
            #expect(output.contains("restore finished"))
        }
        // A copy is under the same name.
        #expect(try lab.count(kept + "'\(Self.user)'", in: lab.storeFile) == 2)
        let answer = try lab.bodega([
            "receipt", "verify", lab.receiptPath(), "--url", lab.storeURL + "/sandbox",
        ])
        #expect(answer.contains(#""product_id":"\#(Lab.turbo)""#), "\(answer)")
        // Only latest_receipt_info has it, which comes with subscriptions that renew.
        #expect(!answer.contains("latest_receipt_info"))
        #expect(!answer.lowercased().contains(Self.user.lowercased()))
        #expect(!answer.contains("app_account_token"))
    }
}
