import Foundation
import StoreCaller
import StoreWire
import TestSupport
import Testing

/// `bodega backup` while the store sells, and what `bodega restore-backup` makes of it.
@Suite(.ownThreads) struct BackupTests {
    /// `BODEGA_BACKUPS=20` takes as many while purchases run.
    private static let loadCount =
        ProcessInfo.processInfo.environment["BODEGA_BACKUPS"].flatMap { Int($0) } ?? 3

    /// Customers who buy and finish as fast as they can, until told to stop.
    private final class Crowd {
        private let isOver = Shared(false)
        private let done = Shared(0)
        private let ended = DispatchSemaphore(value: 0)
        private let count: Int

        var purchases: Int { done.value }

        init(in lab: Lab, count: Int) throws {
            self.count = count
            for place in 0..<count {
                let account = "crowd\(place)@example.com"
                try lab.bodega(["account", "add", account, "--password", "rocket-fuel-1"])
                let token = try lab.signedInDevice(account: account)
                let base = lab.storeURL + "/sandbox/device/v1"
                let (isOver, done, ended) = (isOver, done, ended)
                Thread.detachNewThread {
                    let caller = Caller()
                    while !isOver.value {
                        Self.buy(caller, base, token) { done.update { $0 += 1 } }
                    }
                    ended.signal()
                }
            }
        }

        private static func buy(
            _ caller: Caller, _ base: String, _ token: String, _ note: () -> Void
        ) {
            let headers = [
                (name: "Content-Type", value: "application/json"),
                (name: "Authorization", value: "Bearer \(token)"),
            ]
            func post(_ path: String, _ body: [UInt8]) -> CallerResponse? {
                try? caller.send(
                    CallerRequest(
                        method: "POST", url: base + path, headers: headers, body: body,
                        timeoutMilliseconds: 60_000, responseBodyMax: 1 << 20))
            }
            let body = AttemptRequestBody(
                attemptId: UUID().uuidString, productId: Lab.fuel, quantity: 1,
                applicationUsername: nil)
            guard let bytes = try? WireJSON.encode(body), let sold = post("/attempts", bytes),
                sold.status == 200,
                let id = String(decoding: sold.body, as: UTF8.self).firstMatch(
                    of: /"transactionId":"([0-9]+)"/)
            else { return }
            note()
            _ = post("/transactions/\(id.1)/finish", [])
        }

        func stop() {
            isOver.update { $0 = true }
            for _ in 0..<count { ended.wait() }
        }
    }

    private func backup(_ lab: Lab, _ file: String, code: Int32 = 0) throws -> String {
        try lab.bodega(["backup", file], code: code)
    }

    private func restore(_ lab: Lab, _ file: String, to data: String, code: Int32 = 0) throws
        -> String
    {
        try lab.bodega(["restore-backup", file, "--data", data], code: code)
    }

    /// The permission bits of a file.
    private func mode(_ file: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    }

    @Test func `backups taken while customers buy restore to sound stores`() throws {
        let lab = try Lab.open()
        // One device whose files the auditor compares with the store's.
        try lab.tell(try lab.app(["buy", Lab.turbo]) + lab.settle())
        let crowd = try Crowd(in: lab, count: 4)
        defer { crowd.stop() }
        var before = 0
        var (meanwhile, seconds) = (0, 0.0)
        for number in 0..<Self.loadCount {
            // Something was bought since the last one, and goes on being.
            #expect(eventually { crowd.purchases > before + 20 })
            before = crowd.purchases
            let file = "\(lab.folder)/backup-\(number).tar"
            let begun = ContinuousClock.now
            _ = try backup(lab, file)
            #expect(crowd.purchases > before)
            meanwhile += crowd.purchases - before
            seconds += (ContinuousClock.now - begun) / .seconds(1)
            #expect(try mode(file) == 0o600)
            let folder = "\(lab.folder)/restored-\(number)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            for name in ["phone", "phone-app", "told"] {
                try FileManager.default.copyItem(
                    atPath: "\(lab.folder)/\(name)", toPath: "\(folder)/\(name)")
            }
            _ = try restore(lab, file, to: folder + "/store")
            let held = try lab.count(
                "SELECT count(*) FROM store_transaction",
                in: folder + "/store/worlds/default.sqlite")
            #expect(held >= Int64(before))
            let findings = try Auditor.findings(
                in: folder, settled: false, withBackend: false, logs: lab.folder + "/logs")
            #expect(findings == [], "\(findings.prefix(5))")
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.removeItem(atPath: file)
        }
        print("\(Self.loadCount) backups in \(Int(seconds)) s, \(meanwhile) purchases meanwhile")
    }

    @Test func `customers buy while a world is copied`() throws {
        let lab = try Lab.open(withBackend: false)
        try grow(lab, mebibytes: 48)
        let crowd = try Crowd(in: lab, count: 2)
        defer { crowd.stop() }
        var isMet = try buys(crowd, during: lab.folder + "/bodega.tar", of: lab)
        // A copy that is complete before it is met is too small.
        for mebibytes in [96, 192] where !isMet {
            try grow(lab, mebibytes: mebibytes)
            isMet = try buys(crowd, during: "\(lab.folder)/bodega-\(mebibytes).tar", of: lab)
        }
        #expect(isMet, "each copy was complete before anybody could buy")
    }

    private func grow(_ lab: Lab, mebibytes: Int) throws {
        _ = try SQLiteFile(lab.storeData + "/worlds/default.sqlite").rows(
            "CREATE TABLE filler\(mebibytes) AS SELECT zeroblob(\(mebibytes << 20)) AS bytes")
    }

    /// Whether a backup was met before it had all, and so was stopped there until customers had bought.
    private func buys(_ crowd: Crowd, during file: String, of lab: Lab) throws -> Bool {
        let program = try Program(
            "bodega", ["backup", file],
            environment: ["BODEGA_DATA": lab.storeData], logs: lab.folder + "/logs")
        func stage() -> String? {
            let names = try? FileManager.default.contentsOfDirectory(atPath: lab.folder)
            return names?.first { $0.hasPrefix(".bodega-backup.") }.map {
                "\(lab.folder)/\($0)/data"
            }
        }
        func isThere(_ name: String) -> Bool {
            stage().map { FileManager.default.fileExists(atPath: $0 + name) } ?? false
        }
        #expect(eventually { isThere("/worlds/default.sqlite") || !program.isRunning })
        if program.isRunning { program.freeze() }
        let isMet = isThere("/worlds/default.sqlite") && !isThere("/backup.json")
        if isMet {
            let before = crowd.purchases
            #expect(eventually { crowd.purchases > before + 20 })
        }
        program.goOn()
        #expect(try program.wait() == 0, "\(program.errors)")
        return isMet
    }

    @Test func `worlds made and deleted meanwhile are whole in a backup, or not in it`() throws {
        let lab = try Lab.open(withBackend: false)
        let isOver = Shared(false)
        let ended = DispatchSemaphore(value: 0)
        let token = try String(contentsOfFile: lab.storeData + "/control-token", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        let worlds = lab.storeURL + "/control/v1/worlds"
        try lab.bodega(["world", "make", "kept"])
        Thread.detachNewThread {
            while !isOver.value {
                for name in ["a", "b", "c"] {
                    let body = Array(#"{"name":"\#(name)"}"#.utf8)
                    _ = try? Lab.call("POST", worlds, token: token, body: body)
                }
                for name in ["a", "b", "c"] {
                    _ = try? Lab.call("DELETE", worlds + "/" + name, token: token)
                }
            }
            ended.signal()
        }
        defer {
            isOver.update { $0 = true }
            ended.wait()
        }
        for number in 0..<Self.loadCount {
            let file = "\(lab.folder)/backup-\(number).tar"
            _ = try backup(lab, file)
            let data = "\(lab.folder)/restored-\(number)"
            _ = try restore(lab, file, to: data)
            let found = try FileManager.default.contentsOfDirectory(
                atPath: data + "/worlds/sessions")
            #expect(found.contains("kept.sqlite"))
            #expect(found.allSatisfy { $0.hasSuffix(".sqlite") })
        }
    }

    @Test func `a restored store is the same one, and passes over numbers it may have used`()
        throws
    {
        let lab = try Lab.open(withBackend: false)
        let receipt = lab.folder + "/receipt"
        let device = try lab.signedInDevice()
        try lab.bodega([
            "buy", Lab.turbo, "--account", "buyer@example.com", "--receipt", receipt,
        ])
        let file = lab.folder + "/bodega.tar.gz"
        _ = try backup(lab, file)
        try lab.bodega(["buy", Lab.fuel, "--account", "buyer@example.com"])
        let world = lab.storeData + "/worlds/default.sqlite"
        let last = try lab.count("SELECT max(id) FROM store_transaction", in: world)
        let event = try lab.count("SELECT max(number) FROM event", in: world)
        let running = try restore(lab, file, to: lab.storeData, code: 1)
        #expect(running.contains("a store is running on"))
        lab.store?.terminate()
        try lab.store?.wait()
        #expect(try restore(lab, file, to: lab.storeData, code: 1).contains("is not empty"))
        try FileManager.default.moveItem(atPath: lab.storeData, toPath: lab.folder + "/lost")
        #expect(try restore(lab, file, to: lab.storeData).contains("start it with: bodega serve"))
        try lab.startStore()
        #expect(try lab.bodega(["receipt", "show", receipt]).contains("authentic"))
        let list = try Lab.call(
            "GET", lab.storeURL + "/sandbox/device/v1/receipt", token: device)
        #expect(list.status == 200, "the device is still signed in")
        try lab.bodega(["buy", Lab.fuel, "--account", "buyer@example.com"])
        #expect(try lab.count("SELECT max(id) FROM store_transaction", in: world) > last)
        #expect(try lab.count("SELECT max(number) FROM event", in: world) > event)
        try lab.bodega(["account", "add", "next@example.com", "--password", "rocket-fuel-1"])
        #expect(
            try lab.count("SELECT max(id) FROM account", in: world) > 1_000_000_000,
            "the payment provider may know the next number as another customer")
        #expect(
            try lab.count("SELECT count(*) FROM store_transaction", in: world) == 2,
            "what was bought after the backup is gone")
    }

    @Test func `a backup replaces nothing and keeps the newest`() throws {
        let lab = try Lab.open(withBackend: false)
        let folder = lab.folder + "/backups"
        try FileManager.default.createDirectory(
            atPath: folder + "/.bodega-backup.AbCdEf/data", withIntermediateDirectories: true)
        func put(_ name: String) {
            _ = FileManager.default.createFile(
                atPath: "\(folder)/\(name)", contents: Data("old".utf8))
        }
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        }
        put("notes.tar")
        #expect(
            try backup(lab, folder + "/notes.tar", code: 1)
                .contains("exists, and a backup replaces nothing"))
        #expect(
            FileManager.default.contents(atPath: folder + "/notes.tar") == Data("old".utf8))
        for year in 2020...2022 { put("bodega-\(year)0101T000000Z.tar") }
        let said = try lab.bodega(["backup", folder, "--keep", "2"])
        #expect(
            said.contains("removed bodega-20200101T000000Z.tar, bodega-20210101T000000Z.tar"))
        let left = try names()
        #expect(left.count == 3 && left[0] == "bodega-20220101T000000Z.tar", "\(left)")
        #expect(try lab.bodega(["backup"], code: 2).contains("needs a PATH, or --keep"))
        #expect(
            try lab.bodega(["backup", folder + "/x.tar", "--data", folder], code: 1)
                .contains("does not hold a store"))
        let token = try String(contentsOfFile: lab.storeData + "/metrics-token", encoding: .utf8)
        let scraped = try Lab.call(
            "GET", lab.storeURL + "/metrics", token: token.trimmingCharacters(in: .newlines))
        #expect(
            String(decoding: scraped.body, as: UTF8.self).contains("\nbodega_last_backup_time_s"))
    }

    @Test func `a backup that is damaged, newer or none at all is refused and nothing is made`()
        throws
    {
        let lab = try Lab.open(withBackend: false)
        let file = lab.folder + "/bodega.tar"
        _ = try backup(lab, file)
        let target = lab.folder + "/target"
        let bytes = try #require(FileManager.default.contents(atPath: file))
        func refused(_ name: String, _ sentence: String, _ bytes: Data) throws {
            let damaged = "\(lab.folder)/\(name)"
            try bytes.write(to: URL(fileURLWithPath: damaged))
            let said = try restore(lab, damaged, to: target, code: 1)
            #expect(said.contains(sentence), "\(name): \(said)")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
        let none = try restore(lab, lab.folder + "/none", to: target, code: 1)
        #expect(none.contains("does not exist"))
        try refused("noise", "is damaged, or no backup", Data("not an archive".utf8))
        try refused("cut", "is damaged, or no backup", bytes.prefix(bytes.count / 2))
        // A page of the default world's database.
        var torn = bytes
        let page = try #require(torn.range(of: Data("CREATE TABLE store_transaction".utf8)))
        torn.replaceSubrange(page, with: Data(repeating: 0x78, count: page.count))
        try refused("torn", "default", torn)
        let parts = lab.folder + "/parts"
        try repack(file, in: parts) { world in
            _ = try SQLiteFile(world).rows(
                """
                UPDATE schema_version SET number = 9999
                WHERE number = (SELECT max(number) FROM schema_version)
                """)
        }
        let newer = try #require(FileManager.default.contents(atPath: parts + ".tar"))
        try refused("newer", "restore it with that version or a later one", newer)
        let linked = lab.folder + "/links"
        try repack(file, in: linked) { world in
            try FileManager.default.createSymbolicLink(
                atPath: world + ".link", withDestinationPath: "/etc/passwd")
        }
        let link = try #require(FileManager.default.contents(atPath: linked + ".tar"))
        try refused("linked", "which is neither file nor folder", link)
        let outside = lab.folder + "/outside.tar"
        try run(
            [
                "tar", "--create", "--absolute-names", "--file", outside, "--directory", lab.folder,
                "../\(URL(fileURLWithPath: lab.folder).lastPathComponent)/noise",
            ], lab)
        let above = try #require(FileManager.default.contents(atPath: outside))
        try refused("outside", "is damaged, or no backup", above)
        let empty = lab.folder + "/empty.tar"
        try run(["tar", "--create", "--file", empty, "--files-from", "/dev/null"], lab)
        let nothing = try #require(FileManager.default.contents(atPath: empty))
        try refused("empty", "not one of bodega backup", nothing)
    }

    /// Changes the default world in a copy of a backup.
    private func repack(
        _ file: String, in folder: String, _ change: (String) throws -> Void
    ) throws {
        let lab = URL(fileURLWithPath: file).deletingLastPathComponent().path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        for (words, then) in [
            (["tar", "--extract", "--file", file, "--directory", folder], true),
            (["tar", "--create", "--file", folder + ".tar", "--directory", folder, "."], false),
        ] {
            let program = try Program("/usr/bin/env", words, logs: lab + "/logs")
            #expect(try program.wait() == 0, "\(program.errors)")
            if then { try change(folder + "/worlds/default.sqlite") }
        }
    }

    private func run(_ words: [String], _ lab: Lab) throws {
        let program = try Program("/usr/bin/env", words, logs: lab.folder + "/logs")
        #expect(try program.wait() == 0, "\(program.errors)")
    }

    @Test(.enabled(if: SmallDisk.whyNot == nil, SmallDisk.comment))
    func `a full disk leaves nothing of a backup`() throws {
        let lab = try Lab.open(withBackend: false)
        let folder = lab.folder + "/small"
        // Room for one copy of the data, and not for the archive of it.
        let disk = try SmallDisk(at: folder, kibibytes: 1_600, logs: lab.folder + "/logs")
        let program = try Program(
            "bodega", ["backup", folder + "/bodega.tar"],
            environment: ["BODEGA_DATA": lab.storeData], through: disk.prefix,
            logs: lab.folder + "/logs")
        #expect(try program.wait() == 1)
        #expect(program.errors.contains("is full; nothing of the backup was left"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.outside) == [])
    }
}
