import StoreModel
import Testing

struct AppAccountTokenTests {
    private static let small = "6c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5a11"

    @Test(arguments: [small, small.uppercased(), "6C1e2D58-9a57-4D0B-8e0A-2b6b6F0F5a11"])
    func `a user name that is a UUID is a lower-case account token`(name: String) {
        #expect(AppAccountToken(applicationUsername: name)?.text == Self.small)
        #expect(AppAccountToken.areSame(name, Self.small))
    }

    @Test(arguments: [
        "", "driver-7", "6c1e2d589a574d0b8e0a2b6b6f0f5a11", small + "0", " " + small.dropFirst(),
        "6c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5a1g", "6c1e2d58_9a57_4d0b_8e0a_2b6b6f0f5a11",
        "6c1e2d5-89a57-4d0b-8e0a-2b6b6f0f5a11", "{c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5a1}",
        // A letter beyond ASCII that becomes one when it is written small.
        "6c1e2d58-9a57-4d0b-8e0a-2b6b6f0f5\u{212A}",
    ])
    func `any other user name is not a token and equals only itself`(name: String) {
        #expect(AppAccountToken(applicationUsername: name) == nil)
        #expect(AppAccountToken.areSame(name, name))
        #expect(!AppAccountToken.areSame(name, name + "x"))
        #expect(!AppAccountToken.areSame("Ada", "ada"))
    }
}
