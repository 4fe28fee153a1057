import Foundation
import StoreService
import Testing

@testable import PurchaseBackend

struct UserCredentialsTests {
    private func broken(_ name: String, _ password: String) throws -> String? {
        let body = try JSONEncoder().encode(["name": name, "password": password])
        let credentials = try UserCredentials(Array(body))
        do {
            try credentials.checkForSignUp()
            return nil
        } catch {
            #expect(error.status == 422)
            return error.code
        }
    }

    @Test(arguments: [
        ("ab", "badName"), ("", "badName"), (String(repeating: "n", count: 65), "badName"),
        (" dora", "badName"), ("dora ", "badName"), ("do\u{0}ra", "badName"),
        ("do\nra", "badName"), ("abc", nil), (String(repeating: "n", count: 64), nil),
        ("Dora Müller 字", nil),
    ])
    func `a user name follows its rules`(name: String, code: String?) throws {
        #expect(try broken(name, "12345678") == code)
    }

    @Test(arguments: [
        ("1234567", "badPassword"), ("12345678", nil), (String(repeating: "é", count: 128), nil),
        (String(repeating: "p", count: 129), "badPassword"), ("", "badPassword"),
        ("\u{0}\u{1}      ", nil),
    ])
    func `a password follows its rules`(password: String, code: String?) throws {
        #expect(try broken("dora", password) == code)
    }

    @Test func `user names that look the same are equal`() throws {
        let keys = try ["Zo\u{eb}", "zoe\u{308}", "ZO\u{cb}"].map { name in
            try UserCredentials(
                Array(JSONEncoder().encode(["name": name, "password": "x"]))
            ).nameKey
        }
        #expect(Set(keys.map { Array($0.utf8) }).count == 1)
    }

    @Test(arguments: ["", "[]", "{}", "{\"name\":\"dora\"}", "{\"name\":1,\"password\":\"x\"}"])
    func `a malformed credentials body is refused with the place`(body: String) {
        #expect(throws: Refusal.self) { try UserCredentials(Array(body.utf8)) }
    }
}
