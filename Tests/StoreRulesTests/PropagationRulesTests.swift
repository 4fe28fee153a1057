import StoreModel
import StoreRules
import Testing

struct PropagationRulesTests {
    private static let versions = [(1, 0), (2, 100), (3, 50), (4, 200)].map {
        PublishedVersion(number: $0.0, visibleFrom: Timestamp(seconds: $0.1))
    }

    @Test(
        arguments: [
            (-1, nil), (0, 1), (49, 1),
            // The third was made later with a shorter delay: the second never comes back.
            (50, 3), (100, 3), (199, 3), (200, 4), (1_000, 4),
        ] as [(Int64, Int64?)])
    func `devices see the newest version that has propagated`(seconds: Int64, number: Int64?) {
        for versions in [Self.versions, Self.versions.reversed()] {
            let shown = PropagationRules.shown(
                among: versions, at: Timestamp(seconds: seconds))
            #expect(shown?.number == number)
        }
    }

    @Test func `an app's delay overrides its world's`() {
        #expect(PropagationRules.delay(ofApp: nil, ofWorld: 7) == 7)
        #expect(PropagationRules.delay(ofApp: 0, ofWorld: 7) == 0)
        #expect(PropagationRules.delay(ofApp: 9, ofWorld: 7) == 9)
    }
}
