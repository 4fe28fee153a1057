import Foundation
import StoreKit

/// One run of the app: the observer first, then the command, on the main run loop.
final class Session {
    private let command: Command
    private let garage: Garage
    private let observer: StoreObserver
    private let delivery: Delivery
    private let look = QueueLook()
    private var list: ProductList?
    private var exitCode: Int32?
    private var isBuying = false
    private var isFollowing = false
    private var answers = 0
    private var lastAnswer = Date()

    /// So many answers of the store come before its silence counts as the end of its news: a busy
    /// machine may need long for either.
    private static let answersMin = 3
    /// A store that says nothing for so long is not waited for.
    private static let answerSecondsMax = 15.0

    init(command: Command, garage: Garage) {
        self.command = command
        self.garage = garage
        let contents = StoreContents(garage: garage, askAboveBytes: .max, report: Say.news)
        delivery = Delivery(garage: garage, contents: contents, report: Say.news)
        observer = StoreObserver(
            player: garage.player?.name, delivery: delivery, report: Say.news)
    }

    /// Runs to the end and gives the exit code.
    func run() -> Int32 {
        let queue = SKPaymentQueue.default()
        switch command.verb {
        case .list, .help, .play, .subscriptions, .track: break
        case .status: queue.add(look)
        case .buy, .launch, .restore:
            queue.add(observer)
            observer.begin()
        }
        begin()
        let end = Date(timeIntervalSinceNow: command.secondsMax)
        while exitCode == nil {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
            check(end: end)
        }
        queue.remove(look)
        queue.remove(observer)
        return exitCode ?? 1
    }

    private func begin() {
        switch command.verb {
        case .help, .play, .track: break
        case .launch, .status: askAnything()
        case .subscriptions: follow()
        case .restore:
            SKPaymentQueue.default().restoreCompletedTransactions()
            askAnything()
        case .list:
            Backend(garage: garage).products { [self] result in
                switch result {
                case .failure(let trouble): stop(trouble.description)
                case .success(let identifiers): askStore(Set(identifiers)) { self.show($0) }
                }
            }
        case .buy(let product, let quantity):
            guard SKPaymentQueue.canMakePayments() else {
                return stop("purchases are not allowed here")
            }
            askStore([product]) { self.buy($0, quantity: quantity) }
        }
    }

    /// Asks the store again and again; one that cannot be reached has no news.
    private func askAnything() {
        let list = ProductList { [self] result in
            lastAnswer = Date()
            guard case .success = result else { return answers = Self.answersMin }
            answers += 1
            if answers < Self.answersMin { askAnything() }
        }
        self.list = list
        list.ask([Garage.turbo])
    }

    /// How long nothing has come, in seconds; nil while the store has not answered often enough.
    private func quietSeconds(since lastNews: Date) -> Double? {
        guard
            answers >= Self.answersMin
                || Date().timeIntervalSince(lastAnswer) > Self.answerSecondsMax
        else { return nil }
        return Date().timeIntervalSince(max(lastNews, lastAnswer))
    }

    private func askStore(
        _ identifiers: Set<String>, _ then: @escaping (SKProductsResponse) -> Void
    ) {
        let list = ProductList { [self] result in
            switch result {
            case .success(let response): then(response)
            case .failure(let error): stop(error.localizedDescription)
            }
        }
        self.list = list
        list.ask(identifiers)
    }

    private func show(_ response: SKProductsResponse) {
        for product in response.products.sorted(by: { $0.productIdentifier < $1.productIdentifier })
        {
            Say.event(
                "product", product.productIdentifier, ProductList.price(of: product),
                product.localizedTitle)
        }
        for identifier in response.invalidProductIdentifiers.sorted() {
            Say.event("invalid", identifier)
        }
        exitCode = 0
    }

    private func buy(_ response: SKProductsResponse, quantity: Int) {
        for identifier in response.invalidProductIdentifiers {
            return stop("\(identifier) is not for sale")
        }
        guard let product = response.products.first else {
            return stop("the store does not know it")
        }
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        payment.applicationUsername = garage.player?.name
        isBuying = true
        SKPaymentQueue.default().add(payment)
    }

    /// Ends the run when everything begun has ended and no news has arrived for a while.
    private func check(end: Date) {
        if exitCode != nil { return }
        if Date() > end { return stop("timed out; the rest follows at the next launch") }
        func isQuiet(since lastNews: Date) -> Bool {
            quietSeconds(since: lastNews).map { $0 > command.settleSeconds } ?? false
        }
        switch command.verb {
        case .buy:
            guard isBuying, observer.ended > 0, observer.open == 0,
                Date().timeIntervalSince(observer.lastNews) > 0.1
            else { return }
        case .restore:
            guard observer.hasRestored, observer.open == 0, isQuiet(since: observer.lastNews)
            else { return }
            // The store does not restore consumables and subscriptions that do not renew; the
            // backend has them.
            if garage.player != nil, !observer.hadTrouble { return follow() }
        case .launch:
            guard observer.open == 0, isQuiet(since: observer.lastNews) else { return }
        case .status:
            guard isQuiet(since: look.lastNews) else { return }
            return showStatus()
        case .list, .help, .play, .subscriptions, .track: return
        }
        exitCode = observer.hadTrouble ? 1 : 0
    }

    private func follow() {
        guard !isFollowing else { return }
        isFollowing = true
        delivery.followOwned { [self] trouble in
            if let trouble { stop(trouble.description) } else { exitCode = 0 }
        }
    }

    private func showStatus() {
        do {
            let game = try SavedGame.load(from: garage.home)
            let turbo = Turbo.state(garage)
            Say.event("turbo", turbo == .locked ? "locked" : "unlocked by \(turbo.rawValue)")
            Say.event("fuel", "\(game.fuel)")
            for (product, content) in game.content.sorted(by: { $0.key < $1.key }) {
                Say.event("content", product, content.transactionId, content.name)
            }
            look.show(SKPaymentQueue.default())
            exitCode = 0
        } catch {
            stop("the saved game cannot be read: \(error)")
        }
    }

    private func stop(_ sentence: String) {
        Say.trouble(sentence)
        exitCode = 1
    }
}
