import Foundation

/// What happens on a shop day, all from a seed: who buys what on which device, and what goes wrong
/// meanwhile. Only how the steps of several processes meet is left to chance.
struct ShopDayPlan {
    struct Size {
        let accounts: Int
        /// How often each device's app is started to buy; more often when it is killed.
        let shifts: Int
        let ordersPerShift: Int
        /// Apps that run at once.
        let appsAtOnce: Int

        /// For every run of the tests.
        static let small = Size(accounts: 3, shifts: 1, ordersPerShift: 4, appsAtOnce: 6)
        static let full = Size(accounts: 50, shifts: 2, ordersPerShift: 9, appsAtOnce: 12)
    }

    struct Account {
        let name: String
        let devices: Int
        let needsApproval: Bool
        let interruptsPurchases: Bool
    }

    /// Whether the app on a device uses StoreKit 2; about half of them do, beside others of the account.
    static func usesStoreKit2(account: Int, device: Int) -> Bool { (account + device) % 2 == 1 }

    /// One start of an app.
    struct Shift {
        let account: Int
        let device: Int
        /// Words for `ShopDayProbe`.
        let options: [String]
        let orders: [String]
    }

    static let products = [
        Lab.fuel, Lab.fuel, Lab.fuel, "com.example.rocketcar.season", Lab.turbo,
        "com.example.rocketcar.moontrack",
    ]
    private static let restoreOneIn: UInt64 = 8
    private static let holdMillisecondsMax: UInt64 = 150

    let seed: UInt64
    let size: Size
    let accounts: [Account]
    /// In the order in which they are begun: the devices of an account at once.
    let shifts: [Shift]

    init(seed: UInt64, size: Size) {
        self.seed = seed
        self.size = size
        var random = SplitMix(seed: seed)
        // The last account asks for approval, the one before is interrupted, as are every so many.
        let accounts = (0..<size.accounts).map { number in
            let place = size.accounts - 1 - number
            return Account(
                name: "buyer\(number)@example.com", devices: 3,
                needsApproval: place % 5 == 0, interruptsPurchases: place % 10 == 1)
        }
        self.accounts = accounts
        var shifts: [Shift] = []
        for round in 0..<size.shifts {
            for account in Self.shuffled(Array(accounts.indices), &random) {
                shifts += (0..<accounts[account].devices).map { device in
                    Self.shift(account, device, round, size.ordersPerShift, &random)
                }
            }
        }
        self.shifts = shifts
    }

    private static func shift(
        _ account: Int, _ device: Int, _ round: Int, _ orders: Int, _ random: inout SplitMix
    ) -> Shift {
        let words = (0..<orders).map { number in
            if random.next(below: restoreOneIn) == 0 { return "restore" }
            let product = products[Int(random.next(below: UInt64(products.count)))]
            let quantity = product == Lab.fuel ? 1 + random.next(below: 3) : 1
            return "\(product)*\(quantity)=\(name(account, device, round, number))"
        }
        return Shift(
            account: account, device: device,
            options: [
                "--at-once", "\(1 + random.next(below: 3))",
                "--hold", "\(random.next(below: holdMillisecondsMax))",
            ] + appOptions(account: account, device: device), orders: words)
    }

    /// What each start of a device's app has.
    static func appOptions(account: Int, device: Int) -> [String] {
        usesStoreKit2(account: account, device: device) ? ["--storekit2"] : []
    }

    /// An order's name, a UUID in lowercase as StoreKit 2 takes it.
    private static func name(_ account: Int, _ device: Int, _ round: Int, _ number: Int) -> String {
        String(
            format: "%08x-%04x-4000-8000-%04x%08x", account + 1, device + 1, round + 1, number + 1)
    }

    private static func shuffled(_ numbers: [Int], _ random: inout SplitMix) -> [Int] {
        var rest = numbers
        var shuffled: [Int] = []
        while !rest.isEmpty {
            shuffled.append(rest.remove(at: Int(random.next(below: UInt64(rest.count)))))
        }
        return shuffled
    }
}
