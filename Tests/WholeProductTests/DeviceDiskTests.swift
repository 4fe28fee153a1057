import Foundation
import TestSupport
import Testing

/// A device whose disk is full, read-only or gone: the app is told, nothing is lost, and the
/// purchase goes on when it is mended.
@Suite(.enabled(if: SmallDisk.whyNot == nil, SmallDisk.comment), .ownThreads)
struct DeviceDiskTests {
    enum Damage: String, CaseIterable, CustomTestStringConvertible {
        case full, readOnly, vanished

        var testDescription: String { rawValue }

        func strike(_ device: Device) throws {
            switch self {
            case .full: try device.disk.fill()
            case .readOnly: try device.disk.remount(readOnly: true)
            case .vanished:
                try FileManager.default.moveItem(atPath: device.outside, toPath: device.elsewhere)
            }
        }

        func mend(_ device: Device) throws {
            switch self {
            case .full: device.disk.free()
            case .readOnly: try device.disk.remount(readOnly: false)
            case .vanished:
                try? FileManager.default.removeItem(atPath: device.outside)
                try FileManager.default.moveItem(atPath: device.elsewhere, toPath: device.outside)
            }
        }
    }

    /// A phone whose StoreKit keeps its things on a small disk.
    struct Device {
        let lab: Lab
        let disk: SmallDisk
        let home: String

        init(_ lab: Lab) throws {
            self.lab = lab
            let mount = lab.folder + "/disk"
            home = mount + "/phone"
            disk = try SmallDisk(at: mount, kibibytes: 512, logs: lab.folder + "/logs")
            lab.deviceDisks["phone"] = disk
        }

        var outside: String { disk.outside + "/phone" }
        var elsewhere: String { disk.outside + "/elsewhere" }

        func start(_ arguments: [String], crash: String? = nil) throws -> Program {
            var environment = ["STOREKIT_HOME": home]
            environment["BODEGA_CRASH_POINT"] = crash
            return try lab.startApp(arguments, environment: environment)
        }

        /// Launches until nothing is left to do; what the app said.
        func settle() throws -> String {
            var output = ""
            for _ in 0..<5 {
                let program = try start(["launch", "--settle", "1", "--time-limit", "30"])
                let code = try program.wait()
                output += program.output
                if code == 0 { return output }
            }
            Issue.record("the app never settled: \(output)")
            return output
        }
    }

    @Test(arguments: [Damage.full, .readOnly])
    func `a payment that cannot be written down fails with its reason and is not bought`(
        damage: Damage
    ) throws {
        let lab = try Lab.open()
        let device = try Device(lab)
        #expect(try device.start(["buy", Lab.turbo]).wait() == 0)
        try damage.strike(device)
        let refused = try device.start(["buy", Lab.fuel, "--time-limit", "150"])
        #expect(try refused.wait() == 1)
        #expect(refused.output.contains("failed \(Lab.fuel) The payment cannot be saved"))
        #expect(refused.errors.contains("cannot create") || refused.errors.contains("cannot write"))
        #expect(try lab.count("SELECT count(*) FROM attempt", in: lab.storeFile) == 1)
        try damage.mend(device)
        let bought = try device.start(["buy", Lab.fuel])
        #expect(try bought.wait() == 0, "\(bought.output)\(bought.errors)")
        try Audit(lab: lab).check(seen: Audit.seen(in: bought.output))
    }

    @Test(arguments: Damage.allCases)
    func `a purchase whose receipt cannot be written is delivered once it can`(damage: Damage)
        throws
    {
        let lab = try Lab.open()
        let device = try Device(lab)
        // The store dies between commit and answer, so the app asks again when the damage is done.
        lab.store?.terminate()
        try lab.store?.wait()
        try lab.startStore(environment: ["BODEGA_CRASH_POINT": "store-purchase-committed"])
        let buy = try device.start(["buy", Lab.fuel, "--time-limit", "55"])
        #expect(try lab.store?.wait() == 128 + SIGKILL, "\(buy.output)\(buy.errors)")
        try damage.strike(device)
        try lab.startStore()
        let path = device.home
        #expect(
            eventually {
                buy.errors.split(separator: "\n").contains {
                    $0.contains("StoreKit: cannot") && $0.contains(path)
                }
            }, "\(buy.errors)")
        #expect(!buy.output.contains("purchased "), "told before its receipt is there")
        try damage.mend(device)
        #expect(try buy.wait() == 0, "\(buy.output)\(buy.errors)")
        let later = try device.settle()
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 1)
        try Audit(lab: lab).check(seen: Audit.seen(in: buy.output + later))
    }

    @Test(arguments: Damage.allCases)
    func `a finish that cannot be written down returns and is finished later`(damage: Damage)
        throws
    {
        let lab = try Lab.open()
        let device = try Device(lab)
        lab.backend?.freeze()
        let buy = try device.start(["buy", Lab.fuel, "--time-limit", "55"])
        #expect(eventually { buy.output.contains("purchased ") }, "\(buy.errors)")
        try damage.strike(device)
        lab.backend?.goOn()
        #expect(eventually { buy.errors.contains("StoreKit: cannot") }, "\(buy.output)")
        #expect(!buy.output.contains("finished "))
        buy.kill()
        try damage.mend(device)
        let later = try device.settle()
        #expect(later.contains("finished \(Lab.fuel)"))
        try Audit(lab: lab).check(seen: Audit.seen(in: buy.output + later))
    }

    @Test func `a lost home folder costs no purchase`() throws {
        let lab = try Lab.open()
        let device = try Device(lab)
        let buy = try device.start(["buy", Lab.fuel], crash: "device-attempt-answered")
        #expect(try buy.wait() == 128 + SIGKILL)
        try FileManager.default.removeItem(atPath: device.outside)
        // Another purchase signs the account in on what is now a new device.
        let next = try device.start(["buy", Lab.turbo])
        #expect(try next.wait() == 0, "\(next.output)\(next.errors)")
        let later = try device.settle()
        #expect(try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile) == 2)
        try Audit(lab: lab).check(seen: Audit.seen(in: next.output + later))
    }
}
