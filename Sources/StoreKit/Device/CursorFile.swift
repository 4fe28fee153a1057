/// How far each customer's news has been processed, kept across launches.
///
/// The list at a launch covers transactions; other news is requested from here. If this file is
/// lost or outdated, some news is repeated; it makes no promise.
struct CursorFile: Sendable {
    /// The number of customers kept per device: those with the latest news.
    static let customersMax = 64

    private struct Place: Codable {
        let customer: Customer
        let cursor: Int64
    }

    private struct Contents: Codable {
        var places: [Place]

        init(from decoder: any Decoder) throws {
            // Earlier versions stored one customer's place and nothing else.
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

    /// Nil when nothing is known about this customer.
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
            Diagnostic.sayOnce("\(error)")
        }
    }

    private func places() throws -> [Place] {
        try home.load(Contents.self, from: home.cursorFile)?.places ?? []
    }
}
