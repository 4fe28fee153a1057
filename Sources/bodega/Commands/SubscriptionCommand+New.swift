import Foundation
import StoreModel
import StoreWire

// A subscription in a given state, by the commands that anyone could type.
extension SubscriptionCommand {
    enum Goal: String, CaseIterable {
        case trial, active, grace, retry, expired, refunded, upgraded
    }

    static let new = Command(
        "new [PRODUCT]", "bring an account to a state of a subscription, by real purchases",
        [
            Option(
                "state", "S", Spelling.either(Goal.allCases.map(\.rawValue)),
                choices: Goal.allCases.map(\.rawValue), isRequired: true),
            BuyCommand.account,
            Option(
                "password", "P",
                "of the account, if it has to be made; a password by chance when absent"),
            Option("hold", "hold the world's clock, if it runs and has to be moved"),
            .bundleID, .environment,
        ],
        details: """
            new makes the account if there is none, buys PRODUCT or the first one that fits, and
            prints each command that it ran, to be copied. trial needs a product with a free trial,
            upgraded a product below another one of its group.

            grace, retry and expired move the clock, which moves everybody's subscriptions in that
            world, so they want it held: hold it first (bodega clock hold), or add --hold. So does
            active, if the product begins with an introductory offer. grace gives an app that has no
            grace period one of 16 days. To have all seven states at once, begin with expired, retry
            and grace, each with an account of its own.
            """,
        examples: [
            "bodega subscription new --state trial --account trial@example.com",
            "bodega subscription new --state grace --account late@example.com --hold",
        ], run: { try makeNew($0) })

    private static func makeNew(_ arguments: Arguments) throws {
        let goal: Goal = try arguments.requiredChoice("state")
        let scene = try SubscriptionScene(arguments, goal)
        do {
            try scene.play()
        } catch {
            // Otherwise they were printed as they ran.
            if arguments.has("json") { scene.commands.forEach { Terminal.note($0) } }
            throw error
        }
    }
}

/// The commands that lead to a state, run one after another.
private final class SubscriptionScene {
    /// Steps of a long introductory offer, or of a grace period and what follows it.
    private static let movesMax = 24

    private let arguments: Arguments
    private let goal: SubscriptionCommand.Goal
    private let client: ControlClient
    private let account: String
    private let app: String
    private(set) var commands: [String] = []

    init(_ arguments: Arguments, _ goal: SubscriptionCommand.Goal) throws {
        self.arguments = arguments
        self.goal = goal
        client = try ControlClient(arguments)
        account = try arguments.required("account")
        app = try arguments.bundleID()
    }

    func play() throws {
        let products = try subscriptions()
        let (product, better) = try cast(from: products)
        if try subscription(in: product.subscriptionGroup).map(\.isServedOrOwed) == true {
            throw Failure(
                "\(account) already subscribes to this group of \(app); name another account")
        }
        if mustMove(for: product) { try holdClock() }
        if try !client.names(of: .account).contains(account) { try addAccount() }
        try buy(product, offer)
        let bought = try found(in: product)
        switch goal {
        case .trial: break
        case .active:
            try move(in: product)
        case .grace:
            try giveGracePeriod()
            try run(["subscription", "fail-billing", bought.originalTransactionId])
            try move(in: product)
        case .retry:
            try run(["subscription", "fail-billing", bought.originalTransactionId])
            try move(in: product)
        case .expired:
            try run(["subscription", "cancel", bought.originalTransactionId])
            try move(in: product)
        case .refunded:
            let id = bought.transactionId
            try run(["refund", "request", id, "--reason", "unintended-purchase"])
            try run(["refund", "grant", id])
        case .upgraded:
            if let better { try buy(better) }
        }
        let state = try found(in: product)
        guard isReached(by: state, better: better) else {
            throw Failure(
                "the subscription did not become \(goal.rawValue): \(SubscriptionWords.line(state))"
            )
        }
        guard !arguments.has("json") else {
            return try arguments.show(
                try WireJSON.encode(Played(commands: commands, subscription: state))
            ) { (_: Played) in "" }
        }
        Terminal.print(SubscriptionWords.line(state))
    }

    private struct Played: Codable {
        let commands: [String]
        let subscription: SubscriptionBody
    }

    // MARK: - Whom and what

    private var offer: [String] { goal == .trial ? ["--offer", "introductory"] : [] }

    private var inApp: [String] {
        arguments.typed("bundle-id").map { ["--bundle-id", $0] } ?? []
    }

    private func subscriptions() throws -> [Product] {
        let path = "/apps/\(ServerClient.escaped(app))/catalog"
        let bytes = try client.send("GET", path)
        return try CatalogueFile(bytes: bytes).products.filter { $0.kind == .autoRenewable }
    }

    /// The product to buy, and for an upgrade the one that takes its place.
    private func cast(from products: [Product]) throws -> (Product, better: Product?) {
        guard let name = arguments.word("PRODUCT") else {
            let fitting = products.filter { fits($0, among: products) }
            // The plainest one is active at once.
            let first = fitting.first { goal == .trial || $0.introduction == nil } ?? fitting.first
            guard let first else {
                throw Failure("\(app) has no subscription \(lack)", code: "productUnknown")
            }
            return (first, better(than: first, among: products))
        }
        guard let named = products.first(where: { $0.id.rawValue == name }) else {
            let near = Spelling.nearest(to: name, of: products.map(\.id.rawValue))
                .map { " (did you mean \($0)?)" }
            throw Failure(
                "\(app) has no subscription \(name)\(near ?? "")", code: "productUnknown")
        }
        guard fits(named, among: products) else {
            throw Failure("\(name) is not a subscription \(lack)")
        }
        return (named, better(than: named, among: products))
    }

    private var lack: String {
        switch goal {
        case .trial: "with a free trial"
        case .upgraded: "below another one of its group"
        case .active, .grace, .retry, .expired, .refunded: "that renews"
        }
    }

    private func fits(_ product: Product, among products: [Product]) -> Bool {
        switch goal {
        case .trial: product.introduction?.mode == .freeTrial
        case .upgraded: better(than: product, among: products) != nil
        case .active, .grace, .retry, .expired, .refunded: true
        }
    }

    private func better(than product: Product, among products: [Product]) -> Product? {
        guard goal == .upgraded, let level = product.groupLevel else { return nil }
        return products.first {
            $0.subscriptionGroup == product.subscriptionGroup && ($0.groupLevel ?? .max) < level
        }
    }

    /// The account's newest subscription of a group.
    private func subscription(in group: String?) throws -> SubscriptionBody? {
        let pages = try client.pages(SubscriptionsBody.self, "/subscriptions", next: \.next)
        return pages.flatMap(\.subscriptions).last {
            $0.account == account && $0.bundleId == app && $0.group == group
                && $0.environment == arguments.environment
        }
    }

    private func found(in product: Product) throws -> SubscriptionBody {
        guard let found = try subscription(in: product.subscriptionGroup) else {
            throw Failure("\(account) has no subscription of this group")
        }
        return found
    }

    // MARK: - What it takes

    private func mustMove(for product: Product) -> Bool {
        switch goal {
        case .grace, .retry, .expired: true
        case .active: product.introduction != nil
        case .trial, .refunded, .upgraded: false
        }
    }

    private func holdClock() throws {
        let clock = try WireJSON.decode(ClockBody.self, from: try client.send("GET", "/clock"))
        guard clock.mode != .held else { return }
        guard arguments.has("hold") else {
            throw Failure(
                "\(goal.rawValue) takes moving the clock, and this world's clock runs: hold it "
                    + "with bodega clock hold, or add --hold", code: "clockRuns")
        }
        try run(["clock", "hold"])
    }

    private func addAccount() throws {
        let password = arguments.value("password") ?? UUID().uuidString.lowercased()
        try run(["account", "add", account, "--password", password], inWorld: true)
    }

    private func giveGracePeriod() throws {
        let apps = try WireJSON.decode(AppsBody.self, from: try client.send("GET", "/apps")).apps
        guard apps.first(where: { $0.bundleId == app })?.gracePeriodDays == nil else { return }
        try run(["shop", "set", "--bundle-id", app, "--grace-period", "16"])
    }

    /// Moves the clock to where the subscription changes next, until it is as wanted.
    private func move(in product: Product) throws {
        var body = try found(in: product)
        for _ in 0..<Self.movesMax where !isReached(by: body) {
            let next = body.state == .gracePeriod ? body.gracePeriodExpiresDate : nil
            let seconds = ((next ?? body.expiresDate).milliseconds + 999) / 1_000
            let moment = CalendarDate(Timestamp(seconds: seconds)).rfc3339
            try run(["clock", "advance", moment])
            body = try found(in: product)
        }
    }

    private func isReached(by body: SubscriptionBody, better: Product? = nil) -> Bool {
        switch goal {
        case .trial: body.state == .active && body.offer?.paymentMode == .freeTrial
        case .active: body.state == .active && body.offer?.kind != .introductory
        case .grace: body.state == .gracePeriod
        case .retry: body.state == .billingRetry
        case .expired: body.state == .expired
        case .refunded: body.state == .revoked
        case .upgraded: body.state == .active && body.productId == better?.id.rawValue
        }
    }

    // MARK: - Running

    /// Buys a subscription; throws unless its period began.
    private func buy(_ product: Product, _ offer: [String] = []) throws {
        let words = ["buy", product.id.rawValue, "--account", account] + offer + inApp
        try run(words, inWorld: true) { typed in
            try BuyCommand.carryOut(typed) { bought in
                guard bought.sold == nil else { return }
                throw Failure("\(bought.words); nothing is \(self.goal.rawValue) yet")
            }
        }
    }

    /// Runs a command as if it were typed, and prints its line.
    private func run(
        _ words: [String], inWorld isPlaced: Bool = false,
        by body: ((Arguments) throws -> Void)? = nil
    ) throws {
        var words = words
        let names = ["world", "data", "url"] + (isPlaced ? ["environment"] : [])
        for name in names {
            if let value = arguments.typed(name) { words += ["--\(name)", value] }
        }
        let line = (["bodega"] + words.map(Self.quoted)).joined(separator: " ")
        commands.append(line)
        if !arguments.has("json") { Terminal.print(line) }
        let typed = try Arguments(words, in: CommandTree.root)
        try Terminal.$isSilent.withValue(true) { try (body ?? typed.command.run)?(typed) }
    }

    /// A word as a shell takes it.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.wholeMatch(of: /[A-Za-z0-9@%+=:,.\/_-]+/) != nil
        return isPlain ? word : "'\(word.replacing("'", with: #"'\''"#))'"
    }
}

extension Product {
    /// The offer that a first subscription begins with.
    fileprivate var introduction: SubscriptionOffer? { offers.first { $0.kind == .introductory } }
}

extension SubscriptionBody {
    fileprivate var isServedOrOwed: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: true
        case .expired, .revoked: false
        }
    }
}
