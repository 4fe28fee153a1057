import Foundation
import StoreKit

/// A newspaper kiosk at the terminal: a small app that sells with StoreKit 2.
///
/// It is written as an app for iPhone would be, but for its sentences, which it prints. `--help` says
/// what it does.
@main struct Kiosk {
    static let help = """
        A newspaper kiosk that sells with StoreKit 2.

          Kiosk shelf             what is for sale
          Kiosk buy NAME [COUNT]  buy it, deliver it, finish the purchase
          Kiosk owned             what the customer may read now
          Kiosk history           every purchase that counts
          Kiosk status            how the subscription stands
          Kiosk watch             deliver what comes from elsewhere, until the app is ended
          Kiosk restore           ask the store for everything that was bought before

        The names are issue, archive, summer, monthly and yearly. The environment says where the
        store is: STOREKIT_URL, STOREKIT_BUNDLE_ID, STOREKIT_APP_VERSION.
        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "shelf": try await shelf()
            case "buy" where arguments.count > 1:
                let count = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 1
                try await buy(arguments[1], count)
            case "owned": await list(Transaction.currentEntitlements)
            case "history": await list(Transaction.all)
            case "status": try await status()
            case "watch": await watch()
            case "restore": try await AppStore.sync()
            default: say(help)
            }
        } catch {
            say("failed: \(error)")
            exit(1)
        }
    }

    /// Prints a line at once, for whoever reads along.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    // MARK: - Selling

    static func shelf() async throws {
        for product in try await Product.products(for: Title.allCases.map(\.identifier))
            .sorted(by: { $0.price < $1.price })
        {
            var line = "\(product.displayName): \(product.displayPrice)"
            if let period = product.subscription?.subscriptionPeriod {
                line += " for \(period.value) \(period.unit)"
            }
            say(line)
        }
    }

    static func buy(_ name: String, _ count: Int) async throws {
        guard let title = Title(rawValue: name),
            let product = try await Product.products(for: [title.identifier]).first
        else {
            say("not for sale: \(name)")
            exit(1)
        }
        switch try await product.purchase(options: [.quantity(count)]) {
        case .success(let result): await deliver(result)
        case .pending: say("pending: somebody must approve it")
        case .userCancelled: say("cancelled")
        @unknown default: say("unknown")
        }
    }

    /// Delivers a purchase that was verified, and only then finishes it.
    static func deliver(_ result: VerificationResult<Transaction>) async {
        switch result {
        case .verified(let transaction):
            let verb = transaction.revocationDate == nil ? "delivered" : "taken back"
            say("\(verb): \(line(of: transaction))")
            await transaction.finish()
        case .unverified(let transaction, let error):
            say("not delivered: \(line(of: transaction)), \(error)")
        }
    }

    /// The task that every app starts first: purchases come from other devices, too.
    static func watch() async {
        say("watching")
        for await result in Transaction.updates { await deliver(result) }
    }

    // MARK: - Reading

    static func list(_ transactions: Transaction.Transactions) async {
        for await result in transactions {
            switch result {
            case .verified(let transaction): say(line(of: transaction))
            case .unverified(let transaction, let error):
                say("unverified: \(line(of: transaction)), \(error)")
            }
        }
    }

    static func status() async throws {
        let products = try await Product.products(for: [Title.monthly.identifier])
        for status in try await products.first?.subscription?.status ?? [] {
            let renews = try status.renewalInfo.payloadValue.willAutoRenew
            say("\(status.state.localizedDescription), \(renews ? "renews" : "does not renew")")
        }
    }

    static func line(of transaction: Transaction) -> String {
        var line = "\(Title(identifier: transaction.productID)?.rawValue ?? transaction.productID)"
        if transaction.purchasedQuantity > 1 { line += " × \(transaction.purchasedQuantity)" }
        return "\(line), transaction \(transaction.id)"
    }
}

/// What the kiosk sells.
enum Title: String, CaseIterable {
    /// Today's issue, any number of copies.
    case issue
    /// All issues of the past.
    case archive
    /// The issues of one summer.
    case summer
    /// The subscription, by month and by year.
    case monthly, yearly

    var identifier: String { "com.example.kiosk.\(rawValue)" }

    init?(identifier: String) {
        guard let found = Self.allCases.first(where: { $0.identifier == identifier }) else {
            return nil
        }
        self = found
    }
}
