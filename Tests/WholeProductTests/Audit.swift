import Foundation
import Testing

/// Judges a lab by its files alone: both databases, the app's saved game.
struct Audit {
    let lab: Lab

    struct SavedGame: Decodable {
        let fuel: Int
        let fuelTransactions: [String]
    }

    /// Everything that was paid for is there once, was delivered once and is finished.
    ///
    /// `seen` holds the transactions that the app was told of.
    func check(seen: Set<String>, device: String = "phone") throws {
        let store = try SQLiteFile(lab.storeFile)
        let sold = try store.rows("SELECT id, product_id, quantity FROM store_transaction")
        let ids = sold.map { $0[0] }
        #expect(Set(ids).count == ids.count)
        #expect(seen.isSubset(of: Set(ids)), "told of a purchase that the store does not have")
        #expect(
            try store.number("SELECT count(*) FROM attempt WHERE state = 'done'") == ids.count,
            "an attempt without its transaction, or with two")
        #expect(
            try store.number("SELECT count(*) FROM store_transaction WHERE finished_ms IS NULL")
                == 0, "something was never finished")
        #expect(
            try store.number("SELECT count(*) FROM event WHERE kind = 'purchased'") == ids.count)
        #expect(try store.number("SELECT count(*) FROM event WHERE kind = 'finished'") == ids.count)
        let backend = try SQLiteFile(lab.backendData + "/backend.sqlite")
        let granted = try backend.rows("SELECT transaction_id FROM grants").map { $0[0] }
        #expect(granted.sorted() == ids.sorted(), "every purchase is granted once")
        try checkGame(sold, device: device)
    }

    private func checkGame(_ sold: [[String]], device: String) throws {
        let fuel = sold.filter { $0[1] == Lab.fuel }
        let path = "\(lab.folder)/\(device)-app/game.json"
        guard let data = FileManager.default.contents(atPath: path) else {
            #expect(fuel.isEmpty, "fuel was paid for and there is no saved game")
            return
        }
        let game = try JSONDecoder().decode(SavedGame.self, from: data)
        #expect(game.fuelTransactions.sorted() == fuel.map { $0[0] }.sorted())
        #expect(game.fuel == fuel.reduce(0) { $0 + 100 * (Int($1[2]) ?? 0) })
    }

    /// The transactions that an app's output says were purchased.
    static func seen(in output: String) -> Set<String> { transactions("purchased", in: output) }

    /// The transactions of an app's lines that begin with a word.
    static func transactions(_ event: String, in output: String) -> Set<String> {
        Set(
            output.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                return words.count >= 3 && words[0] == event ? String(words[2]) : nil
            })
    }
}

extension Lab {
    /// Launches the app until nothing is left to do; what it said.
    func settle(
        device: String = "phone", environment: [String: String] = [:]
    ) throws -> String {
        var output = ""
        for _ in 0..<10 {
            let program = try startApp(
                ["launch", "--settle", "1", "--time-limit", "30"], device: device,
                environment: environment)
            let code = try program.wait()
            output += program.output
            // One that ended in silence may have been slower than its store.
            let left = try? journalFiles(device: device)
            if code == 0, left?.isEmpty ?? true { return output }
        }
        Issue.record("the app never settled: \(output)")
        return output
    }
}
