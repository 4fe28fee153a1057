import Dispatch
import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

/// A store that sells the subscriptions of one group, on a clock that is held.
struct SubscriptionFixture {
    static let gold = "com.example.rocketcar.gold"
    static let silver = "com.example.rocketcar.silver"
    static let silverYear = "com.example.rocketcar.silver.year"
    static let bronze = "com.example.rocketcar.bronze"
    static let group = "8D7C0A11"
    static let app = "/control/v1/apps/\(TestStore.bundleID)"

    let store: TestStore
    let token: String
    let secret: String
    /// The path of the environment in which things are bought.
    let base: String

    /// A clock held at a moment, a shared secret, and a device on which the account is signed in.
    init(
        at moment: String = "2026-01-31T10:00:00Z", pace: RenewalPace = .calendar,
        trial: String? = nil, store: TestStore? = nil,
        in environment: StoreEnvironment = .sandbox
    ) async throws {
        let store = try store ?? TestStore()
        self.store = store
        try await store.stock()
        let imported = await store.send(
            "PUT", "\(Self.app)/catalog", token: TestStore.controlToken,
            body: Array(Self.catalogue(trial: trial).utf8))
        #expect(imported.status == 200, "\(String(decoding: imported.body, as: UTF8.self))")
        let held = try await store.control(
            "PUT", "/control/v1/clock",
            body: ClockBody(mode: .held, now: Timestamp(rfc3339: moment)))
        #expect(held.status == 200)
        let paced = try await store.control(
            "PUT", "/control/v1/clock/pace", body: PacesBody(production: nil, sandbox: pace))
        #expect(paced.status == 200)
        let made = try await store.control(
            "POST", "\(Self.app)/secrets", body: MakeSecretBody(overlapMilliseconds: nil))
        secret = try WireJSON.decode(MadeSecretBody.self, from: made.body).secret
        base = "/\(environment.rawValue)"
        switch environment {
        case .sandbox: token = try await store.signIn()
        case .production:
            try await store.addPayer()
            token = try await store.signIn(account: "payer", in: base)
        }
    }

    static func catalogue(trial: String?) -> String {
        func product(
            _ id: String, _ level: Int, _ period: String, _ price: String, _ offer: String
        ) -> String {
            """
            { "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "\(price)",
              "familyShareable" : false, "groupNumber" : \(level), "internalID" : "\(id)",
              "introductoryOffer" : \(offer), "localizations" : [], "productID" : "\(id)",
              "recurringSubscriptionPeriod" : "\(period)", "referenceName" : "\(id)",
              "subscriptionGroupID" : "\(group)", "type" : "RecurringSubscription" }
            """
        }
        let silverOffer = trial ?? "null"
        return """
            { "identifier" : "5A1E7C41", "nonRenewingSubscriptions" : [], "products" : [],
              "settings" : {},
              "subscriptionGroups" : [ { "id" : "\(group)", "localizations" : [], "name" : "Fan",
                "subscriptions" : [
                  \(product(gold, 1, "P1M", "19.99", "null")),
                  \(product(silver, 2, "P1M", "9.99", silverOffer)),
                  \(product(silverYear, 2, "P1Y", "99.99", "null")),
                  \(product(bronze, 3, "P1M", "4.99", "null")) ] } ],
              "version" : { "major" : 3, "minor" : 0 } }
            """
    }

    static let freeWeek = """
        { "internalID" : "1", "numberOfPeriods" : 1, "paymentMode" : "free",
          "subscriptionPeriod" : "P1W" }
        """

    @discardableResult
    func buy(_ product: String = silver) async throws -> TransactionBody {
        try await store.buy(product, token: token, in: base)
    }

    /// Moves the clock on and gives what the advance came to.
    @discardableResult
    func advance(to moment: String) async throws -> ClockAdvanceBody {
        let answer = try await store.control(
            "POST", "/control/v1/clock/advance",
            body: AdvanceClockBody(to: Timestamp(rfc3339: moment)))
        let advance = try #require(try await ended(answer))
        #expect(advance.state == .done)
        let clock = try await store.control("GET", "/control/v1/clock")
        let now = try WireJSON.decode(ClockBody.self, from: clock.body).now
        #expect(now == Timestamp(rfc3339: moment))
        return advance
    }

    /// Holds the clock at a moment, and waits until what is due then has been settled; gives nil
    /// when nothing was.
    @discardableResult
    func setClock(_ moment: String) async throws -> ClockAdvanceBody? {
        try await ended(
            store.control(
                "PUT", "/control/v1/clock",
                body: ClockBody(mode: .held, now: Timestamp(rfc3339: moment))))
    }

    /// What an advance came to: 202 tells that it goes on, as on a busy machine.
    func ended(_ answer: HTTPResponse) async throws -> ClockAdvanceBody? {
        try #require(
            [200, 202].contains(answer.status), "\(String(decoding: answer.body, as: UTF8.self))")
        var body = try WireJSON.decode(ClockBody.self, from: answer.body)
        while body.advance?.state == .running {
            try await Task.sleep(for: .milliseconds(50))
            let now = try await store.control("GET", "/control/v1/clock")
            body = try WireJSON.decode(ClockBody.self, from: now.body)
        }
        return body.advance
    }

    /// Changes a subscription and gives it.
    @discardableResult
    func change(
        _ original: String, _ verb: String, body: (any Encodable)? = nil
    ) async throws -> SubscriptionBody {
        let answer = try await store.control(
            "POST", "/control/v1/subscriptions/\(original)/\(verb)", body: body)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(SubscriptionBody.self, from: answer.body)
    }

    func show(_ original: String) async throws -> SubscriptionBody {
        let answer = try await store.control("GET", "/control/v1/subscriptions/\(original)")
        try #require(answer.status == 200)
        return try WireJSON.decode(SubscriptionBody.self, from: answer.body)
    }

    /// Every period that was sold: product, from, to, charge in thousandths, with a mark for
    /// renewals and for what another product took the place of.
    func periods() throws -> [String] {
        try store.registry.defaultWorld.database.read { scope in
            try scope.rows(
                """
                SELECT product_id, purchased_ms, expires_ms, charged_milliunits, is_renewal,
                    upgraded_ms FROM store_transaction
                WHERE subscription_group IS NOT NULL AND restore_id IS NULL ORDER BY id
                """
            ).map { row in
                func day(_ column: Int) -> String {
                    String(
                        CalendarDate(Timestamp(milliseconds: row.integer(column))).rfc3339.prefix(
                            10)
                    )
                }
                let name = row.text(0).split(separator: ".").dropFirst(3).joined(separator: ".")
                return "\(name) \(day(1)) \(day(2)) \(row.integer(3))"
                    + (row.integer(4) != 0 ? " renewal" : "")
                    + (row.integerOrNil(5) != nil ? " upgraded" : "")
            }
        }
    }

    func events() throws -> [String] {
        try store.registry.defaultWorld.database.read { scope in
            try scope.rows("SELECT kind, subject FROM event ORDER BY number").map {
                $0.text(0) + ($0.textOrNil(1).map { " \($0)" } ?? "")
            }
        }
    }

    func verify(
        _ receipt: [UInt8], with password: String? = nil, excludesOld: Bool = false
    ) async throws -> JSONValue {
        let answer = await store.send(
            "POST", "\(base)/verifyReceipt",
            body: JSONValue.object([
                .init("receipt-data", .string(Data(receipt).base64EncodedString())),
                .init("password", .string(password ?? secret)),
                .init("exclude-old-transactions", .bool(excludesOld)),
            ]).compactBytes)
        #expect(answer.status == 200)
        return try JSONValue(parsing: answer.body)
    }
}

/// Keeps a world's renewals from being settled by themselves, however slow the machine is, until it
/// is told to go on.
struct HeldRenewals {
    private let goesOn = DispatchSemaphore(value: 0)

    init(of world: World) async {
        // Whoever waits for a turn is called where turns run, so the next one has to wait.
        await withCheckedContinuation { continuation in
            world.renewals.loop.afterTurn { [goesOn] in
                continuation.resume()
                goesOn.wait()
            }
        }
    }

    /// May be repeated.
    func goOn() { goesOn.signal() }
}
