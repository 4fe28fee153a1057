import Dispatch
import StoreCaller
import StoreConsole
import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import StoreSigning

/// The parts of a running backend, put together once.
struct BackendParts: Sendable {
    let database: Database
    let products: ProductList
    let accounts: AccountService
    let receipts: ReceiptService
    let offers: OfferService
    let balances: BalanceService
    let operators: OperatorService
    let settler: SubmissionSettler
    let worker: SubmissionWorker
    let subscriptionWorker: CheckWorker<SubscriptionChecker>
    let grantWorker: CheckWorker<GrantChecker>
    private let clock: WallClock
    let meters: BackendMeters
    /// Opens `/metrics`, as the operator's does.
    let metricsToken: OperatorToken?
    /// Of `/operator` and `/console`.
    let hosts: KnownHosts
    let consoleFiles: ConsoleFiles
    let passwordPool: WorkerPool
    let verificationPool: WorkerPool
    let reads: FreshReads
    let reading = DispatchQueue(label: "backend.reading")
    let log: Log

    init(
        _ configuration: BackendConfiguration, products: ProductList, database: Database,
        send: @escaping StoreVerifier.Send, tokens: TokenMint = TokenMint(),
        dummyHash: String? = nil, signing: OfferSigning? = nil, operatorToken: OperatorToken,
        metricsToken: OperatorToken? = nil, meters: BackendMeters = BackendMeters(),
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, clock: WallClock,
        log: Log
    ) throws {
        let timings = configuration.timings
        let settler = SubmissionSettler(
            database: database,
            verifier: StoreVerifier(
                productionURL: try BackendConfiguration.verifyReceiptURL(
                    configuration.productionURL),
                sandboxURL: try BackendConfiguration.verifyReceiptURL(configuration.sandboxURL),
                allowsSandbox: configuration.allowsSandbox, secret: configuration.sharedSecret,
                timings: timings, clock: clock, send: send),
            policy: GrantPolicy(products, allowsSandbox: configuration.allowsSandbox),
            refundedConsumables: configuration.refundedConsumables,
            keeper: SubscriptionKeeper(bundleID: products.bundleID),
            timings: timings, clock: clock, chance: chance, log: log)
        self.database = database
        self.products = products
        self.log = log
        self.settler = settler
        self.clock = clock
        self.meters = meters
        self.metricsToken = metricsToken
        hosts = KnownHosts(
            listeningOn: configuration.host, allowing: configuration.allowedHosts)
        consoleFiles = ConsoleFiles(folder: configuration.consoleFolder)
        passwordPool = WorkerPool(
            name: "backend.passwords", workersMax: BackendLimits.passwordWorkersMax,
            waitingMaxByLane: PasswordLane.allCases.map(\.waitingMax))
        verificationPool = WorkerPool(
            name: "backend.verification", workersMax: BackendLimits.verificationWorkersMax,
            waitingMax: BackendLimits.verificationsWaitingMax)
        accounts = AccountService(
            database: database, pool: passwordPool, guesses: GuessGuard(), tokens: tokens,
            dummyHash: try dummyHash ?? PasswordHash.make(tokens.sessionToken()), clock: clock,
            log: log)
        balances = BalanceService(database: database, products: products, clock: clock)
        offers = OfferService(
            database: database, products: products, signing: signing, tokens: tokens, clock: clock,
            log: log)
        worker = SubmissionWorker(
            database: database, settler: settler, timings: timings, clock: clock, log: log)
        subscriptionWorker = CheckWorker(
            "subscriptions", SubscriptionChecker(database: database, settler: settler, log: log),
            workersMax: BackendLimits.subscriptionWorkersMax, database: database,
            timings: timings, clock: clock, log: log)
        grantWorker = CheckWorker(
            "grants", GrantChecker(database: database, settler: settler, log: log),
            workersMax: BackendLimits.grantWorkersMax, database: database, timings: timings,
            clock: clock, log: log)
        let deadlines = AnswerDeadlines(milliseconds: timings.answerDeadlineMilliseconds)
        reads = FreshReads(
            freshness: ContentFreshness(
                database: database, products: products, subscriptions: subscriptionWorker,
                grants: grantWorker, timings: timings, clock: clock),
            deadlines: deadlines, log: log)
        receipts = ReceiptService(
            database: database, settler: settler, pool: verificationPool, deadlines: deadlines,
            answers: ReceiptAnswers(products: products),
            standings: Standings(products: products, clock: clock), tokens: tokens, reads: reads,
            timings: timings, clock: clock, log: log)
        operators = OperatorService(
            database: database, settler: settler, standings: receipts.standings,
            pool: verificationPool, deadlines: receipts.deadlines,
            door: OperatorDoor(operatorToken, clock: clock, log: log),
            checks: subscriptionWorker, clock: clock, log: log)
    }

    func now() -> Timestamp { clock.now() }

    /// Makes due what the last process was handling when it ended; called before any request.
    func takeUpAbandoned() throws {
        let now = clock.now()
        try database.write { try SubmissionRecords.takeUpAbandoned($0, now: now) }
    }
}
