import StoreModel
import StoreRules
import Testing

/// Apple's lists of notifications against what the store reports.
struct NoticeCoverageTests {
    /// Every type and subtype of version 2 that something in the store can cause, in the order of
    /// Apple's table.
    static let caused = """
        SUBSCRIBED/INITIAL_BUY SUBSCRIBED/RESUBSCRIBE DID_RENEW DID_RENEW/BILLING_RECOVERY
        DID_CHANGE_RENEWAL_PREF/UPGRADE DID_CHANGE_RENEWAL_PREF/DOWNGRADE DID_CHANGE_RENEWAL_PREF
        DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED
        OFFER_REDEEMED OFFER_REDEEMED/UPGRADE OFFER_REDEEMED/DOWNGRADE
        DID_FAIL_TO_RENEW DID_FAIL_TO_RENEW/GRACE_PERIOD GRACE_PERIOD_EXPIRED
        EXPIRED/VOLUNTARY EXPIRED/BILLING_RETRY EXPIRED/PRICE_INCREASE
        EXPIRED/PRODUCT_NOT_FOR_SALE EXPIRED PRICE_INCREASE/PENDING PRICE_INCREASE/ACCEPTED
        REFUND REFUND_DECLINED REFUND_REVERSED CONSUMPTION_REQUEST REVOKE RENEWAL_EXTENDED
        RENEWAL_EXTENSION/SUMMARY RENEWAL_EXTENSION/FAILURE ONE_TIME_CHARGE
        """

    /// The rest of that table, and why: external purchases, Advanced Commerce, parental consent and
    /// seats are not services of the store; a test is requested and does not happen.
    static let notCaused = """
        EXTERNAL_PURCHASE_TOKEN/CREATED EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER
        EXTERNAL_PURCHASE_TOKEN/UNREPORTED METADATA_UPDATE MIGRATION PRICE_CHANGE
        RESCIND_CONSENT REFUND/SEATS UNCLAIM_SEATS TEST
        """

    private static func words(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }

    @Test func `the table of happenings has every notification of version 2 that can be caused`() {
        let found =
            NoticeTableTests.rows.flatMap { Notices.v2(of: $0.happening) }
            + [Notices.extensionsEnded]
        #expect(Set(found.map(\.text)) == Self.words(Self.caused))
        #expect(Set(found.map(\.kind)) == Set(NoticeV2.Kind.allCases))
        #expect(Set(found.compactMap(\.subtype)) == Set(NoticeV2.Subtype.allCases))
    }

    @Test func `no notification that the store cannot cause has a type here`() {
        let kinds = Set(NoticeV2.Kind.allCases.map(\.rawValue))
        let foreign = Self.words(Self.notCaused)
            .subtracting(["REFUND/SEATS"]).map { $0.split(separator: "/")[0] }
        #expect(foreign.filter { kinds.contains(String($0)) } == [])
        #expect(Self.words(Self.caused).isDisjoint(with: Self.words(Self.notCaused)))
    }

    @Test func `the table of happenings has every notification of version 1`() {
        let found = NoticeTableTests.rows.flatMap { Notices.v1(of: $0.happening) }
        #expect(Set(found) == Set(NoticeV1.allCases))
    }

    @Test func `the sandbox sends the seven notifications of version 1 that Apple names`() {
        let sent = NoticeV1.allCases.filter(\.isSentInSandbox).map(\.rawValue)
        #expect(
            sent == [
                "CANCEL", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS", "DID_RENEW",
                "INITIAL_BUY", "INTERACTIVE_RENEWAL", "REFUND",
            ])
    }

    @Test func `each notification of version 1 is for purchasers, family members or both`() {
        let of = Dictionary(grouping: NoticeV1.allCases, by: \.audience)
            .mapValues { $0.map(\.rawValue) }
        #expect(
            of[.purchaser] == [
                "CANCEL", "CONSUMPTION_REQUEST", "INITIAL_BUY", "PRICE_INCREASE_CONSENT", "REFUND",
            ])
        #expect(of[.familyMember] == ["REVOKE"])
        #expect(of[.both]?.count == 6)
    }

    @Test func `in the sandbox, version 1 sends nothing about a family member's copies`() {
        let happenings = NoticeTableTests.families.map(\.happening)
        #expect(happenings.flatMap { Notices.v1(of: $0, in: .sandbox) } == [])
        #expect(!happenings.flatMap { Notices.v1(of: $0, in: .production) }.isEmpty)
    }

    @Test func `a family member gets no notification of version 1 that is only for purchasers`() {
        for row in NoticeTableTests.families {
            #expect(!Notices.v1(of: row.happening).contains { $0.audience == .purchaser })
        }
    }
}
