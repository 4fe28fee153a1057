import Foundation
import Testing

@testable import StoreKit

/// Which settings hold downloads.
@Suite struct NetworkRuleTests {
    struct Row: Sendable {
        let hold: String?
        let network: String?
        let isHeld: Bool
    }

    @Test(arguments: [
        Row(hold: nil, network: nil, isHeld: false),
        Row(hold: nil, network: "metered", isHeld: false),
        Row(hold: "0", network: "metered", isHeld: false),
        Row(hold: "1", network: nil, isHeld: false),
        Row(hold: "1", network: "unmetered", isHeld: false),
        Row(hold: "1", network: "metered", isHeld: true),
        Row(hold: "0", network: "/nowhere", isHeld: false),
        // Nobody says that it costs nothing.
        Row(hold: "1", network: "/nowhere", isHeld: true),
    ])
    func `a download is held only as the settings ask`(row: Row) throws {
        let settings = ["STOREKIT_HOLD_METERED": row.hold, "STOREKIT_NETWORK": row.network]
        #expect(try NetworkRule.read { settings[$0] ?? nil }.isHeld == row.isHeld)
    }

    @Test(arguments: [("STOREKIT_HOLD_METERED", "yes"), ("STOREKIT_NETWORK", "wifi")])
    func `an invalid network setting is named`(name: String, value: String) {
        #expect {
            try NetworkRule.read { $0 == name ? value : nil }
        } throws: {
            ($0 as? StoreConfiguration.Problem)?.sentence.contains("\(name) is \"\(value)\"")
                ?? false
        }
    }
}
