import Foundation
import Synchronization

/// Runs the shifts of a plan, so many apps at once and each device's app once at a time, and starts
/// those again that were killed, with what they had not begun.
final class ShiftPool: Sendable {
    private struct State: Sendable {
        /// What nobody has begun, the next one first.
        var waiting: [ShopDayPlan.Shift]
        var running: [CrashDevice] = []
        var isStopping = false
        var workers = 0
        var shiftsDone = 0
        var purchases = 0
        var troubles: [String] = []
    }

    /// An app that is started so often and never comes to its end is stuck.
    private static let startsMax = 40
    private static let killedCode: Int32 = 128 + SIGKILL

    private let appsAtOnce: Int
    /// By account and number.
    private let devices: [[CrashDevice]]
    private let state: Mutex<State>

    init(_ plan: ShopDayPlan, devices: [[CrashDevice]]) {
        appsAtOnce = plan.size.appsAtOnce
        self.devices = devices
        state = Mutex(State(waiting: plan.shifts))
    }

    /// Begins, or goes on after `stop`.
    func start() {
        state.withLock { $0.isStopping = false }
        for _ in 0..<appsAtOnce {
            state.withLock { $0.workers += 1 }
            Thread.detachNewThread { [self] in
                while let shift = takeShift() { work(shift) }
                state.withLock { $0.workers -= 1 }
            }
        }
    }

    /// Kills all apps and begins no more; what they had not begun waits for `start`.
    func stop() {
        state.withLock { $0.isStopping = true }
        while state.withLock({ $0.workers }) > 0 {
            for device in running { device.kill() }
            usleep(20_000)
        }
    }

    var running: [CrashDevice] { state.withLock { $0.running } }
    var shiftsDone: Int { state.withLock { $0.shiftsDone } }
    /// How often an app was told of a purchase.
    var purchases: Int { state.withLock { $0.purchases } }
    var troubles: [String] { state.withLock { $0.troubles } }

    // MARK: - A worker

    /// The next shift whose device is free, after a wait when none is; nil when there is no more.
    private func takeShift() -> ShopDayPlan.Shift? {
        while true {
            let (shift, isOver) = state.withLock { state -> (ShopDayPlan.Shift?, Bool) in
                guard !state.isStopping, !state.waiting.isEmpty else { return (nil, true) }
                let free = state.waiting.firstIndex { shift in
                    !state.running.contains { $0 === device(of: shift) }
                }
                guard let free else { return (nil, false) }
                let shift = state.waiting.remove(at: free)
                state.running.append(device(of: shift))
                return (shift, false)
            }
            if shift != nil || isOver { return shift }
            usleep(20_000)
        }
    }

    private func device(of shift: ShopDayPlan.Shift) -> CrashDevice {
        devices[shift.account][shift.device]
    }

    private func work(_ shift: ShopDayPlan.Shift) {
        let device = device(of: shift)
        let rest = finish(shift, on: device)
        state.withLock { state in
            state.running.removeAll { $0 === device }
            if let rest { state.waiting.append(rest) } else { state.shiftsDone += 1 }
        }
    }

    /// Runs a shift's app to its end; what is left of the shift when it was stopped before.
    private func finish(_ shift: ShopDayPlan.Shift, on device: CrashDevice) -> ShopDayPlan.Shift? {
        var orders = shift.orders[...]
        for _ in 0..<Self.startsMax {
            if state.withLock({ $0.isStopping }) { return shift.with(Array(orders)) }
            let ended: (code: Int32, output: String)
            do {
                ended = try device.run(shift.options + orders)
            } catch {
                note("\(device.name): \(error)")
                return nil
            }
            let begun = ended.output.split(separator: "\n").filter {
                $0.hasPrefix("asked ") || $0 == "restoring"
            }
            orders = orders.dropFirst(begun.count)
            let told = Audit.seen(in: ended.output).count
            state.withLock { $0.purchases += told }
            switch ended.code {
            case 0: return nil
            case Self.killedCode: continue
            default: note("\(device.name) ended with \(ended.code): \(ended.output.suffix(600))")
            }
        }
        note("\(device.name) did not come to its end in \(Self.startsMax) starts")
        return nil
    }

    private func note(_ trouble: String) {
        state.withLock { $0.troubles.append(trouble) }
    }
}

extension ShopDayPlan.Shift {
    /// The same with other orders.
    func with(_ orders: [String]) -> ShopDayPlan.Shift {
        ShopDayPlan.Shift(account: account, device: device, options: options, orders: orders)
    }
}
