import StoreModel
import Testing

@testable import StoreWire

/// The offers of subscriptions in catalogue files.
@Suite struct CatalogueOfferTests {
    private static func file(_ members: String) -> String {
        """
        {"subscriptionGroups":[{"id":"g","subscriptions":[{"productID":"s",
        "type":"RecurringSubscription","displayPrice":"9.99",
        "recurringSubscriptionPeriod":"P1M",\(members)}]}]}
        """
    }

    private static func offers(_ members: String) throws -> [SubscriptionOffer] {
        try #require(try CatalogueFile(bytes: file(members).bytes).products.first).offers
    }

    private static func price(_ milliunits: Int64) throws -> Price {
        try #require(Price(milliunits: milliunits))
    }

    @Test func `offers of every kind are read in the order of kinds`() throws {
        let read = try Self.offers(
            """
            "winbackOffers":[{"offerID":"back","paymentMode":"payAsYouGo","displayPrice":"1.99",
                "subscriptionPeriod":"P1M","numberOfPeriods":3,"isEligible":true}],
            "codeOffers":[{"referenceName":"fair","paymentMode":"free","eligibility":["new"],
                "subscriptionPeriod":"P2M"}],
            "adHocOffers":[{"offerID":"spring","referenceName":"Spring","displayPrice":"19.99",
                "paymentMode":"payUpFront","subscriptionPeriod":"P6M","numberOfPeriods":1}],
            "introductoryOffer":{"paymentMode":"free","subscriptionPeriod":"P3D",
                "displayPrice":"4.99"}
            """)
        let expected = [
            SubscriptionOffer(
                kind: .introductory, id: nil, mode: .freeTrial, span: .days(3), periodCount: 1,
                price: .free),
            SubscriptionOffer(
                kind: .promotional, id: "spring", mode: .payUpFront, span: .months(6),
                periodCount: 1, price: try Self.price(19_990)),
            SubscriptionOffer(
                kind: .code, id: "fair", mode: .freeTrial, span: .months(2), periodCount: 1,
                price: .free, customers: [.new]),
            SubscriptionOffer(
                kind: .winBack, id: "back", mode: .payAsYouGo, span: .months(1), periodCount: 3,
                price: try Self.price(1_990)),
        ]
        #expect(read == expected)
    }

    @Test func `of several billing plans, the one paid up front is read`() throws {
        let read = try Self.offers(
            """
            "introductoryOffers":[
                {"billingPlanType":"MONTHLY","paymentMode":"free","subscriptionPeriod":"P1W"},
                {"billingPlanType":"BILLED_UPFRONT","paymentMode":"free",
                    "subscriptionPeriod":"P2W"}]
            """)
        #expect(read.map(\.span) == [.days(14)])
        #expect(try Samples.file("v5.0").products.last?.offers.map(\.span) == [.days(14)])
    }

    @Test func `offers of a plan paid monthly are skipped for every kind`()
        throws
    {
        let monthly = #""billingPlanType":"MONTHLY","paymentMode":"free""#
        let read = try Self.offers(
            """
            "introductoryOffer":{\(monthly),"subscriptionPeriod":"P1W"},
            "adHocOffers":[{\(monthly),"offerID":"a","subscriptionPeriod":"P1W"},
                {"offerID":"a","paymentMode":"free","subscriptionPeriod":"P2W"}]
            """)
        #expect(read.map(\.kind) == [.promotional] && read.first?.span == .days(14))
    }

    @Test func `of two offers with one name, the first is read`() throws {
        let read = try Self.offers(
            """
            "winbackOffers":[
                {"offerID":"a","paymentMode":"free","subscriptionPeriod":"P1W"},
                {"offerID":"b","paymentMode":"free","subscriptionPeriod":"P1M"},
                {"offerID":"a","paymentMode":"free","subscriptionPeriod":"P1Y"}]
            """)
        #expect(read.map(\.id) == ["a", "b"] && read.first?.span == .days(7))
    }

    @Test func `a file without offers has none, and a code is for everybody by default`()
        throws
    {
        #expect(try Self.offers(#""introductoryOffer":null,"adHocOffers":[]"#).isEmpty)
        let code = try Self.offers(
            #""codeOffers":[{"referenceName":"a","paymentMode":"free","subscriptionPeriod":"P1M"}]"#
        )
        #expect(code.first?.customers == Set(SubscriptionOffer.Customer.allCases))
    }

    @Test(arguments: [
        #""introductoryOffer":{"internalID":"8E3A1F20","paymentMode":"none"}"#,
        #""introductoryOffer":{"paymentMode":"none","subscriptionPeriod":"P1W","displayPrice":"0.99"}"#,
        #""introductoryOffers":[{"billingPlanType":"BILLED_UPFRONT","paymentMode":"none"}]"#,
    ])
    func `an introductory offer of no mode is no offer, and is given back as it came`(
        members: String
    ) throws {
        #expect(try Self.offers(members).isEmpty)
        let bytes = Self.file(members).bytes
        #expect(try CatalogueFile(bytes: bytes).bytes == bytes)
    }

    static let refused: [(members: String, error: String)] = [
        (
            #""introductoryOffer":[]"#,
            "introductoryOffer: expected an object, found an array"
        ),
        (
            #""introductoryOffer":{"subscriptionPeriod":"P1W"}"#,
            "introductoryOffer.paymentMode: is missing"
        ),
        (
            #""adHocOffers":[{"offerID":"a","paymentMode":"none","subscriptionPeriod":"P1W"}]"#,
            "adHocOffers[0].paymentMode: \"none\" is not a payment mode; use free,"
                + " payAsYouGo or payUpFront"
        ),
        (
            #""introductoryOffer":{"paymentMode":"gift","subscriptionPeriod":"P1W"}"#,
            "introductoryOffer.paymentMode: \"gift\" is not a payment mode; use free,"
                + " payAsYouGo or payUpFront"
        ),
        (
            #""introductoryOffer":{"paymentMode":"free"}"#,
            "introductoryOffer.subscriptionPeriod: is missing"
        ),
        (
            #""introductoryOffer":{"paymentMode":"free","subscriptionPeriod":"P2Y"}"#,
            "introductoryOffer.subscriptionPeriod: \"P2Y\" is not a period of up to a year, such"
                + " as P3D, P1W, P2M or P1Y"
        ),
        (
            #""introductoryOffer":{"paymentMode":"payUpFront","subscriptionPeriod":"P1M"}"#,
            "introductoryOffer.displayPrice: is missing"
        ),
        (
            #""introductoryOffer":{"paymentMode":"free","subscriptionPeriod":"P1W","numberOfPeriods":0}"#,
            "introductoryOffer.numberOfPeriods: expected a whole number of 1 to 12"
        ),
        (
            #""adHocOffers":[{"paymentMode":"free","subscriptionPeriod":"P1W"}]"#,
            "adHocOffers[0].offerID: is missing"
        ),
        (
            #""adHocOffers":[{"offerID":"","paymentMode":"free","subscriptionPeriod":"P1W"}]"#,
            "adHocOffers[0].offerID: is empty"
        ),
        (
            #""codeOffers":[{"paymentMode":"free","subscriptionPeriod":"P1W"}]"#,
            "codeOffers[0].referenceName: is missing"
        ),
        (
            #""codeOffers":[{"referenceName":"a","paymentMode":"free","subscriptionPeriod":"P1W","eligibility":["old"]}]"#,
            "codeOffers[0].eligibility[0]: expected \"new\", \"existing\" or \"expired\""
        ),
        (
            #""adHocOffers":[{"offerID":"a","paymentMode":"payAsYouGo","subscriptionPeriod":"P1W","displayPrice":"1"}]"#,
            "adHocOffers[0].subscriptionPeriod: an offer to pay as you go is charged with each"
                + " renewal, by P1M"
        ),
        (#""adHocOffers":[1]"#, "adHocOffers[0]: expected an object, found a number"),
    ]

    @Test(arguments: refused)
    func `an unreadable offer is refused with its place`(
        members: String, error: String
    ) {
        let found = #expect(throws: CatalogueFileError.self) { try Self.offers(members) }
        #expect(
            found?.description.hasSuffix(
                ": subscriptionGroups[0].subscriptions[0].\(error)") == true,
            "\(found?.description ?? "")")
    }

    @Test func `more than a hundred offers are refused`() {
        let many = (0...CatalogueFile.offersMax).map {
            #"{"offerID":"o\#($0)","paymentMode":"free","subscriptionPeriod":"P1W"}"#
        }
        let found = #expect(throws: CatalogueFileError.self) {
            try Self.offers(#""adHocOffers":[\#(many.joined(separator: ","))]"#)
        }
        #expect(found?.description.contains("at most 100 offers") == true)
    }
}
