import StoreModel
import StoreRules
import Testing

struct SecretRulesTests {
    private static let now = Timestamp(seconds: 1_000)

    private static func term(until: Int64? = nil, revoked: Int64? = nil) -> SecretTerm {
        SecretTerm(
            acceptedUntil: until.map { Timestamp(seconds: $0) },
            revokedAt: revoked.map { Timestamp(seconds: $0) })
    }

    @Test(
        arguments: [
            (term(), .current, true), (term(until: 1_001), .ending, true),
            (term(until: 1_000), .ended, false), (term(until: 1), .ended, false),
            (term(revoked: 5), .revoked, false), (term(until: 2_000, revoked: 5), .revoked, false),
            // Revoked by a clock that was ahead.
            (term(revoked: 9_000), .revoked, false),
        ] as [(SecretTerm, SecretState, Bool)])
    func `a secret is accepted while it is current or in its overlap`(
        term: SecretTerm, state: SecretState, isAccepted: Bool
    ) {
        #expect(SecretRules.state(of: term, now: Self.now) == state)
        #expect(SecretRules.isAccepted(term, now: Self.now) == isAccepted)
    }

    @Test func `an overlap ends a secret and never extends it`() {
        let hour: Int64 = 3_600_000
        #expect(
            SecretRules.end(of: Self.term(), afterOverlap: hour, now: Self.now).seconds == 4_600)
        #expect(
            SecretRules.end(of: Self.term(until: 1_500), afterOverlap: hour, now: Self.now).seconds
                == 1_500)
        #expect(
            SecretRules.end(of: Self.term(until: 1_500), afterOverlap: 0, now: Self.now).seconds
                == 1_000)
    }
}
