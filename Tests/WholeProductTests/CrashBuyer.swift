import Foundation
import Synchronization
import Testing

/// One device whose app buys again and again, restores now and then, and is launched anew when it is killed.
final class CrashBuyer: Sendable {
    private struct State: Sendable {
        var random: SplitMix
        var isStopping = false
        var purchases = 0
    }

    let device: CrashDevice
    private let products: [String]
    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    init(
        lab: Lab, name: String, account: String, products: [String], seed: UInt64,
        environment: [String: String] = [:]
    ) {
        device = CrashDevice(
            lab: lab, name: name, account: account, app: "RocketCar", environment: environment)
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
            if state.random.next(below: 6) == 0 { return ["restore", "--time-limit", "20"] }
            let product = products[Int(state.random.next(below: UInt64(products.count)))]
            let quantity = product == Lab.fuel ? 1 + state.random.next(below: 3) : 1
            return ["buy", product, "--quantity", "\(quantity)", "--time-limit", "20"]
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
        let code = try runApp(["launch", "--settle", "1.5", "--time-limit", "150"])
        try device.noteTold()
        return code == 0
    }
}
