/// How far customers' news were taken in, over launches.
///
/// The list at a launch tells of transactions; what else happened is asked for from here. When it
/// is lost or older, something is told again; it is no promise.
struct CursorFile: Sendable {
    /// Customers of one device; of more, those whose news came last.
    static let customersMax = 64

    private struct Place: Codable {
        let customer: Customer
        let cursor: Int64
    }

    private struct Contents: Codable {
        var places: [Place]

        init(from decoder: any Decoder) throws {
            // Earlier versions kept one customer's place, and nothing around it.
            if let place = try? Place(from: decoder) {
                places = [place]
            } else {
                places = try decoder.singleValueContainer().decode([Place].self)
            }
        }

        init(places: [Place]) {
            self.places = places
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(places)
        }
    }

    let home: HomeFolder

    /// Nil when nothing is known of this customer.
    func cursor(of customer: Customer) -> Int64? {
        (try? places())?.first { $0.customer == customer }?.cursor
    }

    func save(_ cursor: Int64, of customer: Customer) {
        if self.cursor(of: customer) == cursor { return }
        do {
            try home.locked(by: "cursor-lock") {
                let others = try places().filter { $0.customer != customer }
                let all = others + [Place(customer: customer, cursor: cursor)]
                try home.save(
                    Contents(places: all.suffix(Self.customersMax)), to: home.cursorFile,
                    isSynced: false)
            }
        } catch {
            Message.sayOnce("\(error)")
        }
    }

    private func places() throws -> [Place] {
        try home.load(Contents.self, from: home.cursorFile)?.places ?? []
    }
}
