import Foundation
import TestSupport
import Testing

/// Asking the App Store Server API from the command line.
@Suite(.ownThreads) struct ServerAPICommandTests {
    private struct Asked {
        let lab: Lab
        let transaction: String
        /// The identifier of the key.
        let key: String
        let options: [String]
    }

    private func open() throws -> Asked {
        let lab = try Lab.open(withBackend: false)
        let app = ["--bundle-id", Lab.bundleID]
        let path = lab.folder + "/key.p8"
        let made = try lab.bodega(["offer-key", "make"] + app)
        try Data(made.utf8).write(to: URL(fileURLWithPath: path))
        let key = try #require(made.firstMatch(of: /key ([A-Z2-9]{10})/)).1
        let bought = try lab.buyAndKeep(["\(Lab.bundleID).fuel"])
        return Asked(
            lab: lab, transaction: bought[0].transaction, key: String(key),
            options: app + ["--key", path])
    }

    @Test func `an answer is printed with the payloads that it signs`() throws {
        let asked = try open()
        let get = ["server-api", "get", "/transactions/\(asked.transaction)"] + asked.options
        let printed = try asked.lab.bodega(get)
        #expect(printed.contains(#""transactionId": "\#(asked.transaction)""#))
        #expect(printed.contains(#""type": "Consumable""#))
        let raw = try asked.lab.bodega(get + ["--json"])
        #expect(raw.hasPrefix(#"{"signedTransactionInfo":"ey"#))
        let history = "/inApps/v2/history/\(asked.transaction)?sort=DESCENDING"
        #expect(
            try asked.lab.bodega(["server-api", "get", history] + asked.options)
                .contains(#""signedTransactions": ["#))
    }

    @Test func `an error is reported with Apple's number`() throws {
        let asked = try open()
        let get = ["server-api", "get", "/transactions/17"] + asked.options
        #expect(
            try asked.lab.bodega(get, code: 1).contains(
                "404 4040010: Transaction id not found."))
        #expect(
            try asked.lab.bodega(get + ["--environment", "production"], code: 1).contains("404"))
    }

    @Test func `an answer that another store signed does not pass`() throws {
        let asked = try open()
        let root = asked.lab.storeData + "/keys/signed-data-root-production.der"
        let get = ["server-api", "get", "/transactions/\(asked.transaction)", "--root", root]
        for more in [[], ["--json"]] {
            #expect(
                try asked.lab.bodega(get + asked.options + more, code: 1).contains(
                    "No root of this store vouches for the data"))
        }
    }

    @Test func `a token needs the identifier of its key when the app has several`() throws {
        let asked = try open()
        let token = ["server-api", "token"] + asked.options
        #expect(try asked.lab.bodega(token).split(separator: ".").count == 3)
        try asked.lab.bodega(["offer-key", "make", "--bundle-id", Lab.bundleID])
        #expect(try asked.lab.bodega(token, code: 2).contains("name that of the file"))
        let list = try asked.lab.bodega(["offer-key", "list", "--bundle-id", Lab.bundleID])
        let keys = list.matches(of: /(?m)^([A-Z2-9]{10})\b/).map { String($0.1) }
        let other = try #require(keys.first { $0 != asked.key })
        let get = ["server-api", "get", "/transactions/\(asked.transaction)"] + asked.options
        try asked.lab.bodega(get + ["--key-id", asked.key])
        #expect(
            try asked.lab.bodega(get + ["--key-id", other], code: 1)
                .contains("answered 401: Unauthenticated"))
        #expect(
            try asked.lab.bodega(token + ["--key-id", "0000000000"], code: 1)
                .contains("no valid key 0000000000"))
    }
}
