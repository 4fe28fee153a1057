import StoreModel
import StoreRules
import Testing

/// Which types and subtypes belong together in a question about the history.
struct NotificationPairsTests {
    @Test func `every notification that the store can cause may be asked for`() {
        for happening in NoticeTableTests.rows.map(\.happening) {
            for notice in Notices.v2(of: happening) {
                #expect(
                    NotificationPairs.isKnown(notice.kind.rawValue, notice.subtype?.rawValue),
                    "\(notice)")
                #expect(NotificationPairs.isKnown(notice.kind.rawValue, nil))
            }
        }
    }

    @Test(
        arguments: [
            (nil, "UPGRADE"), ("REFUND", "UPGRADE"), ("EXPIRED", "PENDING"), ("expired", nil),
            ("", nil), ("DID_RENEW", ""), ("RENEWAL", nil),
        ] as [(String?, String?)])
    func `anything else may not`(kind: String?, subtype: String?) {
        #expect(!NotificationPairs.isKnown(kind, subtype))
    }

    @Test func `no filter is a filter`() {
        #expect(NotificationPairs.isKnown(nil, nil))
    }
}
