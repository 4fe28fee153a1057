import Foundation
import Synchronization
import Testing

/// One device whose app buys again and again, restores now and then, and is launched anew when it is
/// killed.
final class CrashBuyer: Sendable {
    /// The app: RocketCar with its backend, or one that uses StoreKit 2 alone and has none.
    enum App: Sendable {
        case rocketCar
        /// `number` tells the orders of its devices from those of others.
        case storeKit2(number: UInt64)
    }

    private struct State: Sendable {
        var random: SplitMix
        var isStopping = false
        var purchases = 0
        var orders: UInt64 = 0
    }

    let device: CrashDevice
    let app: App
    private let products: [String]
    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    init(
        lab: Lab, name: String, account: String, app: App = .rocketCar, products: [String],
        seed: UInt64, environment: [String: String] = [:]
    ) {
        self.app = app
        device = CrashDevice(
            lab: lab, name: name, account: account, app: app.program, environment: environment)
        self.products = products
        state = Mutex(State(random: SplitMix(seed: seed)))
    }

    var purchases: Int { state.withLock { $0.purchases } }

    /// Buys on a thread of its own until `stop`.
    func start() {
        Thread.detachNewThread { [self] in
            while let arguments = nextPurchase() { _ = try? runApp(arguments) }
            ended.signal()
        }
    }

    private func nextPurchase() -> [String]? {
        state.withLock { state in
            guard !state.isStopping else { return nil }
            if state.random.next(below: 6) == 0 { return app.restoring }
            let product = products[Int(state.random.next(below: UInt64(products.count)))]
            let quantity = product == Lab.fuel ? 1 + state.random.next(below: 3) : 1
            state.orders += 1
            return app.buying(product, quantity: quantity, order: state.orders)
        }
    }

    /// Kills the app and buys no more.
    func stop() {
        state.withLock { $0.isStopping = true }
        while ended.wait(timeout: .now() + .milliseconds(20)) == .timedOut { device.kill() }
    }

    /// Runs the app once; how it ended.
    private func runApp(_ arguments: [String]) throws -> Int32 {
        let (code, output) = try device.run(arguments)
        state.withLock { $0.purchases += Audit.seen(in: output).count }
        return code
    }

    /// Lets the app do what is left over; whether nothing is after it.
    func launch() throws -> Bool {
        let code = try runApp(app.settling)
        try device.noteTold()
        return code == 0
    }
}

extension CrashBuyer.App {
    fileprivate var program: String {
        switch self {
        case .rocketCar: "RocketCar"
        case .storeKit2: "ShopDayProbe"
        }
    }

    fileprivate var restoring: [String] {
        switch self {
        case .rocketCar: ["restore", "--time-limit", "20"]
        case .storeKit2: ["--storekit2", "--time-limit", "20", "restore"]
        }
    }

    fileprivate func buying(_ product: String, quantity: UInt64, order: UInt64) -> [String] {
        switch self {
        case .rocketCar:
            return ["buy", product, "--quantity", "\(quantity)", "--time-limit", "20"]
        case .storeKit2(let number):
            let name = String(format: "%08llx-0000-4000-8000-%012llx", number, order)
            return ["--storekit2", "--time-limit", "20", "\(product)*\(quantity)=\(name)"]
        }
    }

    /// Does what is left over.
    fileprivate var settling: [String] {
        switch self {
        case .rocketCar: ["launch", "--settle", "1.5", "--time-limit", "150"]
        case .storeKit2: ["--storekit2", "--settle", "1500", "--time-limit", "150"]
        }
    }
}
