import StoreModel

extension CatalogueReader {
    /// The offers of a subscription that renews every `period`: the introductory one, then
    /// promotional, code and win-back offers, each kind in the order of the file.
    func offers(
        of item: JSONValue, period: RenewalPeriod, at path: JSONPath
    ) throws(CatalogueFileError) -> [SubscriptionOffer] {
        var found: [SubscriptionOffer] = []
        for (value, kind, place) in try placedOffers(of: item, at: path) {
            let offer = try offer(value, kind, at: place)
            guard offer.mode != .payAsYouGo || offer.span == period.span else {
                throw failure(
                    "an offer to pay as you go is charged with each renewal, by"
                        + " \(period.rawValue)", at: place.appending("subscriptionPeriod"))
            }
            // Files from Xcode may have two of one name. A name finds the first.
            if !found.contains(where: { $0.kind == kind && $0.id == offer.id }) {
                found.append(offer)
            }
        }
        return found
    }

    /// Every offer that the store can bill, of any kind.
    private func placedOffers(
        of item: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> [(JSONValue, SubscriptionOffer.Kind, JSONPath)] {
        var placed: [(JSONValue, SubscriptionOffer.Kind, JSONPath)] = []
        if let value = member("introductoryOffer", of: item) {
            let place = path.appending("introductoryOffer")
            guard value.object != nil else {
                throw failure("expected an object, found \(value.kindName)", at: place)
            }
            placed.append((value, .introductory, place))
        }
        for (key, kind) in [
            ("introductoryOffers", SubscriptionOffer.Kind.introductory),
            ("adHocOffers", .promotional), ("codeOffers", .code), ("winbackOffers", .winBack),
        ] {
            placed += try objects(key, of: item, at: path).map { ($0.value, kind, $0.path) }
        }
        guard placed.count <= CatalogueFile.offersMax else {
            throw failure(
                "a subscription has at most \(CatalogueFile.offersMax) offers", at: path)
        }
        var billed: [(JSONValue, SubscriptionOffer.Kind, JSONPath)] = []
        for (value, kind, place) in placed {
            // A file of version 5 has offers for each billing plan; periods are billed up front.
            let plan = try optionalString("billingPlanType", of: value, at: place)
            // Xcode writes a removed introductory offer as one without a mode.
            if kind == .introductory, member("paymentMode", of: value)?.string == "none" {
                continue
            }
            // The file overrides the rules: such an offer is for nobody.
            if kind == .winBack, member("isEligible", of: value)?.bool == false { continue }
            if plan == nil || plan == "BILLED_UPFRONT" { billed.append((value, kind, place)) }
        }
        return billed
    }

    private func offer(
        _ value: JSONValue, _ kind: SubscriptionOffer.Kind, at path: JSONPath
    ) throws(CatalogueFileError) -> SubscriptionOffer {
        let mode = try mode(of: value, at: path)
        return SubscriptionOffer(
            kind: kind,
            id: kind == .introductory ? nil : try id(of: value, kind, at: path), mode: mode,
            span: try span(of: value, at: path), periodCount: try count(of: value, at: path),
            // Some files give a free trial a price, which is never charged.
            price: mode == .freeTrial ? .free : try price(of: value, at: path),
            customers: kind == .code ? try customers(of: value, at: path) : [])
    }

    /// An offer code does not have an identifier in a file; its name is used instead.
    private func idKey(of kind: SubscriptionOffer.Kind) -> String {
        kind == .code ? "referenceName" : "offerID"
    }

    private func id(
        of value: JSONValue, _ kind: SubscriptionOffer.Kind, at path: JSONPath
    ) throws(CatalogueFileError) -> String {
        let key = idKey(of: kind)
        let id = try string(key, of: value, at: path)
        guard !id.isEmpty else { throw failure("is empty", at: path.appending(key)) }
        return id
    }

    private func mode(
        of value: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> SubscriptionOffer.PaymentMode {
        let text = try string("paymentMode", of: value, at: path)
        switch text {
        case "free": return .freeTrial
        case "payAsYouGo": return .payAsYouGo
        case "payUpFront": return .payUpFront
        default:
            throw failure(
                "\(quoted(text)) is not a payment mode; use free, payAsYouGo or payUpFront",
                at: path.appending("paymentMode"))
        }
    }

    private func span(
        of value: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> CalendarSpan {
        let text = try string("subscriptionPeriod", of: value, at: path)
        guard let span = CalendarSpan(iso8601: text) else {
            throw failure(
                "\(quoted(text)) is not a period of up to a year, such as P3D, P1W, P2M or P1Y",
                at: path.appending("subscriptionPeriod"))
        }
        return span
    }

    private func count(
        of value: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> Int {
        guard let number = member("numberOfPeriods", of: value) else { return 1 }
        guard let count = number.integer, (1...Self.periodsMax).contains(count) else {
            throw failure(
                "expected a whole number of 1 to \(Self.periodsMax)",
                at: path.appending("numberOfPeriods"))
        }
        return Int(count)
    }

    /// As many as App Store Connect offers: the weeks of three months.
    private static let periodsMax: Int64 = 12

    private func customers(
        of value: JSONValue, at path: JSONPath
    ) throws(CatalogueFileError) -> Set<SubscriptionOffer.Customer> {
        let place = path.appending("eligibility")
        guard let list = member("eligibility", of: value) else {
            return Set(SubscriptionOffer.Customer.allCases)
        }
        guard let names = list.array else {
            throw failure("expected an array, found \(list.kindName)", at: place)
        }
        var customers: Set<SubscriptionOffer.Customer> = []
        for (index, name) in names.enumerated() {
            guard let customer = name.string.flatMap(SubscriptionOffer.Customer.init) else {
                throw failure(
                    "expected \"new\", \"existing\" or \"expired\"", at: place.appending(index))
            }
            customers.insert(customer)
        }
        return customers
    }
}
