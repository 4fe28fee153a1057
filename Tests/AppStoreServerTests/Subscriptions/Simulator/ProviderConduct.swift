/// How a simulated provider behaves about one request: the same for a seed.
struct ProviderConduct: Sendable {
    /// When the request is done, if it is not answered at once.
    enum Booking: CaseIterable, Sendable {
        /// Though nobody is told.
        case atOnce
        /// It was lost on its way.
        case withAnswer
        /// It is on its way for so long that another of the same payment is done before.
        case late
    }

    /// Why the answer is no.
    var declines: String?
    /// So many tries are not answered.
    var unanswered = 0
    var booking = Booking.withAnswer

    /// Nobody asks for so long.
    private static let forEver = 1_000

    init(authorizing random: inout SeededRandom, by wallet: SimulatedWallet) {
        if random.below(100) < wallet.declinedPercent { declines = "no funds" }
        delay(&random)
        if random.below(50) == 0 { unanswered = Self.forEver }
    }

    init(capturing random: inout SeededRandom) {
        if random.below(40) == 0 { declines = "expired" }
        delay(&random)
    }

    init(voiding random: inout SeededRandom) {
        delay(&random)
    }

    init(refunding random: inout SeededRandom) {
        if random.below(6) == 0 { declines = "card closed" }
        delay(&random)
    }

    private mutating func delay(_ random: inout SeededRandom) {
        switch random.below(20) {
        case 0, 1: unanswered = 1
        case 2: unanswered = 2 + random.below(4)
        default: return
        }
        booking = random.one(of: Booking.allCases)
    }
}

/// What a simulated buyer of a real account pays with.
enum SimulatedWallet: Sendable {
    /// Only what was paid in: there is no provider.
    case credit
    /// A card, and never any credit but what is given back.
    case card
    /// A card, for what small credit lacks.
    case both
    /// As with credit alone: its card is declined.
    case poor

    static func of(seed: Int) -> Self {
        // Every third buyer is of a real account.
        [.card, .both, .both, .card, .poor][seed / 3 % 5]
    }

    var declinedPercent: Int {
        switch self {
        case .credit, .poor: 100
        case .card, .both: 8
        }
    }

    /// What is paid in at least; nil when nothing ever is.
    var topUpMilliunits: Int64? {
        switch self {
        case .credit, .poor: 9_990
        case .both: 1_230
        case .card: nil
        }
    }
}
