import Foundation
import TestSupport
import Testing

/// Several processes on one device, and several devices of one account, at once.
@Suite(.ownThreads) struct SharedDeviceTests {
    private func probe(
        _ lab: Lab, _ arguments: [String], device: String = "phone"
    ) throws -> Program {
        try Program(
            "PurchaseProbe", ["--keep"] + arguments,
            environment: lab.appEnvironment(device: device), logs: lab.folder + "/logs")
    }

    private func purchases(in program: Program) -> [String] {
        program.output.split(separator: "\n").filter { $0.hasPrefix("purchased ") }
            .map(String.init).sorted()
    }

    private func sold(_ lab: Lab) throws -> Int64 {
        try lab.count("SELECT count(*) FROM store_transaction", in: lab.storeFile)
    }

    @Test(arguments: [["phone", "phone"], ["phone", "tablet"], ["a", "a", "b"]])
    func `each process of an account hears of every purchase once`(
        devices: [String]
    ) throws {
        let lab = try Lab.open()
        let count = 3 * devices.count
        let programs = try devices.map {
            try probe(lab, ["--until=\(count)", Lab.fuel, Lab.fuel, Lab.fuel], device: $0)
        }
        for program in programs { try program.wait() }
        let heard = purchases(in: programs[0])
        #expect(Set(heard).count == count, "\(programs[0].output)\(programs[0].errors)")
        for program in programs {
            #expect(purchases(in: program) == heard, "\(program.output)\(program.errors)")
        }
        #expect(try sold(lab) == Int64(count))
        for device in Set(devices) {
            #expect(try lab.journalFiles(device: device) == [])
        }
    }

    @Test func `another process's payment is left alone until that process ends`() throws {
        let lab = try Lab.open()
        // Signed in, so that the next payment needs no store before it is in the journal.
        _ = try lab.buyAndKeep([Lab.turbo])
        lab.store?.kill()
        let first = try probe(lab, ["--watch", Lab.fuel])
        #expect(try eventually { try lab.approvedAttempts(device: "phone") == 1 })
        let second = try probe(lab, ["--watch"])
        #expect(eventually { second.output.contains("queue") })
        // What a third one leaves behind shows that the second looks at the journal, while the
        // first lives.
        first.freeze()
        let third = try probe(lab, ["--watch", Lab.season])
        #expect(try eventually { try lab.approvedAttempts(device: "phone") == 2 })
        third.kill()
        #expect(eventually { second.output.contains("purchasing \(Lab.season)") })
        #expect(!second.output.contains("purchasing \(Lab.fuel)"), "\(second.output)")
        first.kill()
        #expect(eventually { second.output.contains("purchasing \(Lab.fuel)") })
        try lab.startStore()
        #expect(eventually { second.output.contains("purchased \(Lab.fuel)") })
        #expect(eventually { second.output.contains("purchased \(Lab.season)") })
        second.kill()
        #expect(try sold(lab) == 3)
        #expect(try lab.journalFiles(device: "phone") == [])
    }

    @Test func `two launches after a crash complete its purchase once`() throws {
        let lab = try Lab.open()
        _ = try lab.buyAndKeepCrashing([Lab.fuel], at: "device-attempt-approved")
        let programs = try (1...2).map { _ in try probe(lab, ["--until=1"]) }
        for program in programs { try program.wait() }
        for program in programs {
            #expect(purchases(in: program).count == 1, "\(program.output)\(program.errors)")
        }
        #expect(try sold(lab) == 1)
    }
}

extension Lab {
    /// The attempts that the next launch posts; one that was not approved yet is discarded.
    fileprivate func approvedAttempts(device: String) throws -> Int {
        try journalFiles(device: device).count { name in
            guard name.hasPrefix("attempt-") else { return false }
            let path = "\(folder)/\(device)/journal/\(name)"
            // Gone once it ended.
            return (try? String(contentsOfFile: path, encoding: .utf8))?.contains("approved")
                == true
        }
    }

    func journalFiles(device: String) throws -> [String] {
        // A file still being written is not in the journal.
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(device)/journal")
            .filter { !$0.hasSuffix(".tmp") }
    }
}
