import AppStoreServer
import Foundation
import StoreModel
import StoreWire

// A subscription in a given state, by the commands that anyone could type.
extension SubscriptionCommand {
    static let new = Command(
        "new [PRODUCT]", "bring an account to a state of a subscription, by real purchases",
        [
            Option(
                "state", "S", Spelling.either(SubscriptionGoal.allCases.map(\.rawValue)),
                choices: SubscriptionGoal.allCases.map(\.rawValue), isRequired: true),
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
        let goal: SubscriptionGoal = try arguments.requiredChoice("state")
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
    private let goal: SubscriptionGoal
    private let client: ControlClient
    private let account: String
    private let app: String
    private(set) var commands: [String] = []

    init(_ arguments: Arguments, _ goal: SubscriptionGoal) throws {
        self.arguments = arguments
        self.goal = goal
        client = try ControlClient(arguments)
        account = try arguments.required("account")
        app = try arguments.bundleID()
    }

    func play() throws {
        let products = try subscriptions()
        let cast = try cast(from: products)
        let product = cast.product
        if try subscription(in: product.subscriptionGroup).map(\.isServedOrOwed) == true {
            throw Failure(
                "\(account) already subscribes to this group of \(app); name another account")
        }
        if goal.takesTime(product) { try holdClock() }
        if try !client.names(of: .account).contains(account) { try addAccount() }
        try buy(product, offer)
        let bought = try found(in: product)
        switch goal {
        case .trial: break
        case .active:
            try move(cast)
        case .grace:
            try giveGracePeriod()
            try run(["subscription", "fail-billing", bought.originalTransactionId])
            try move(cast)
        case .retry:
            try run(["subscription", "fail-billing", bought.originalTransactionId])
            try move(cast)
        case .expired:
            try run(["subscription", "cancel", bought.originalTransactionId])
            try move(cast)
        case .refunded:
            let id = bought.transactionId
            try run(["refund", "request", id, "--reason", "unintended-purchase"])
            try run(["refund", "grant", id])
        case .upgraded:
            if let better = cast.better { try buy(better) }
        }
        let state = try found(in: product)
        guard goal.isReached(by: state, cast) else {
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

    private func cast(from products: [Product]) throws -> SubscriptionGoal.Cast {
        guard let name = arguments.word("PRODUCT") else {
            guard let cast = goal.cast(from: products) else {
                throw Failure(
                    "\(app) has no subscription \(goal.wanted)", code: "productUnknown")
            }
            return cast
        }
        guard let named = products.first(where: { $0.id.rawValue == name }) else {
            let near = Spelling.nearest(to: name, of: products.map(\.id.rawValue))
                .map { " (did you mean \($0)?)" }
            throw Failure(
                "\(app) has no subscription \(name)\(near ?? "")", code: "productUnknown")
        }
        guard let cast = goal.cast(named, from: products) else {
            throw Failure("\(name) is not a subscription \(goal.wanted)")
        }
        return cast
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
    private func move(_ cast: SubscriptionGoal.Cast) throws {
        var body = try found(in: cast.product)
        for _ in 0..<Self.movesMax where !goal.isReached(by: body, cast) {
            let next = body.state == .gracePeriod ? body.gracePeriodExpiresDate : nil
            let seconds = ((next ?? body.expiresDate).milliseconds + 999) / 1_000
            let moment = CalendarDate(Timestamp(seconds: seconds)).rfc3339
            try run(["clock", "advance", moment])
            body = try found(in: cast.product)
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

extension SubscriptionBody {
    fileprivate var isServedOrOwed: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: true
        case .expired, .revoked: false
        }
    }
}
