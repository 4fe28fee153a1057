import StoreModel
import Testing

@testable import StoreSigning
@testable import StoreVerification

/// The tokens of an app's server, by the claims that they have.
struct ServerTokenTests {
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let issuer = "57246542-96fe-1a63-e053-0824d011072a"

    fileprivate struct Claims: Codable {
        var aud: String? = "appstoreconnect-v1"
        var bid: String? = "com.example.app"
        var exp: Int64? = 1_700_000_300
        var iat: Int64? = 1_700_000_000
        var iss: String? = issuer
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        fileprivate let change: @Sendable (inout Claims) -> Void
        let refusal: String?

        fileprivate init(
            _ name: String, _ refusal: String? = nil,
            _ change: @escaping @Sendable (inout Claims) -> Void
        ) {
            testDescription = name
            self.refusal = refusal
            self.change = change
        }
    }

    private struct Header: JWSHeader {
        static let jwsBytesMax = 8_192
        static let required = "alg and kid"
        let alg: String
        let kid: String
        func check() {}
    }

    private let key: CurvePrivateKey
    private let ring: OfferKeyRing
    private let tokens = ServerTokens()

    init() throws {
        key = try CurvePrivateKey.make()
        let info = try key.publicKeyInfo()
        ring = OfferKeyRing(
            bundleID: "com.example.app", issuerID: Self.issuer,
            keys: [
                OfferKey(id: "GOODGOOD22", publicKeyInfo: info, isRevoked: false),
                OfferKey(id: "GONEGONE22", publicKeyInfo: info, isRevoked: true),
            ])
    }

    private func verify(_ claims: Claims, kid: String = "GOODGOOD22") throws -> VerifiedServerToken
    {
        let text = try CompactJWS.text(
            of: claims, header: Header(alg: "ES256", kid: kid), signedBy: key)
        let token = try tokens.verify(try tokens.read(text), text, ring, at: Self.now)
        #expect(tokens.known(text, at: Self.now) == token)
        return token
    }

    static let changes = [
        Change("as Apple's pages make one") { _ in },
        Change("without iat") { $0.iat = nil },
        Change("an hour long") { $0.exp = 1_700_003_600 },
        Change("an hour long without iat") { ($0.iat, $0.exp) = (nil, 1_700_003_660) },
        Change("that expired 59 seconds ago") { $0.exp = 1_699_999_941 },
        Change("made by a clock that is a minute ahead") { $0.iat = 1_700_000_060 },
        Change("with its issuer in capitals") { $0.iss = issuer.uppercased() },
        Change("for another audience", "aud is another one") { $0.aud = "elsewhere" },
        Change("of another app", "bid is another one") { $0.bid = "com.example.other" },
        Change("of another issuer", "iss is another one") { $0.iss = "x" },
        Change("without an issuer", "aud, bid, exp and iss") { $0.iss = nil },
        Change("without an end", "aud, bid, exp and iss") { $0.exp = nil },
        Change("that expired a minute ago", "has expired") { $0.exp = 1_699_999_940 },
        Change("of an hour and a second", "more than an hour") { $0.exp = 1_700_003_601 },
        Change("of two hours without iat", "more than an hour") {
            ($0.iat, $0.exp) = (nil, 1_700_007_200)
        },
        Change("from the future", "in the future") {
            ($0.iat, $0.exp) = (1_700_000_061, 1_700_000_300)
        },
        Change("with a date beyond all", "exp is not a time") { $0.exp = .max },
    ]

    @Test(arguments: changes)
    func `a token is accepted or refused by its claims`(change: Change) throws {
        var claims = Claims()
        change.change(&claims)
        guard let refusal = change.refusal else {
            #expect(try verify(claims).bundleID == "com.example.app")
            return
        }
        let found = #expect(throws: ServerTokenRefusal.self) { try verify(claims) }
        #expect(found?.description.contains(refusal) == true, "\(String(describing: found))")
    }

    @Test func `a token of an unknown or a revoked key is refused`() {
        for kid in ["OTHEROTHER", "GONEGONE22"] {
            #expect(throws: ServerTokenRefusal("the app has no valid key with the kid")) {
                try verify(Claims(), kid: kid)
            }
        }
    }

    @Test func `a token that was signed with another key is refused`() throws {
        let other = try CurvePrivateKey.make()
        let text = try ServerToken.make(
            bundleID: "com.example.app", issuerID: Self.issuer, keyID: "GOODGOOD22", key: other,
            at: Self.now)
        #expect(throws: ServerTokenRefusal("the signature does not match")) {
            try tokens.verify(try tokens.read(text), text, ring, at: Self.now)
        }
        #expect(tokens.known(text, at: Self.now) == nil)
    }

    @Test func `a known token is not known any more when it has expired`() throws {
        let text = try ServerToken.make(
            bundleID: "com.example.app", issuerID: Self.issuer, keyID: "GOODGOOD22", key: key,
            at: Self.now)
        _ = try tokens.verify(try tokens.read(text), text, ring, at: Self.now)
        #expect(tokens.known(text, at: Self.now.adding(milliseconds: 359_999)) != nil)
        #expect(tokens.known(text, at: Self.now.adding(milliseconds: 360_000)) == nil)
        #expect(tokens.known(text + "x", at: Self.now) == nil)
    }
}
