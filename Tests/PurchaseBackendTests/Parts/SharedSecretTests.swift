import Foundation
import StoreModel
import TestSupport
import Testing

@testable import PurchaseBackend

struct SharedSecretTests {
    @Test func `a shared secret is read from a file that only its owner can read`() throws {
        let folder = TemporaryFolder()
        let file = try folder.write("0123456789abcdef0123456789abcdef\n", "secret")
        chmod(file, 0o600)
        let secret = try SharedSecret(file: file)
        #expect(secret.text == "0123456789abcdef0123456789abcdef")
        #expect("\(secret)" == "<32 bytes>")
        chmod(file, 0o640)
        let error = #expect(throws: BackendError.self) { try SharedSecret(file: file) }
        #expect(error?.code == .badConfiguration)
        #expect(error?.detail.contains("chmod 600") == true)
    }

    @Test(arguments: ["", " \n", "two words", "l\u{f6}ng", String(repeating: "x", count: 129)])
    func `a malformed shared secret is refused with its place`(text: String) throws {
        let folder = TemporaryFolder()
        let file = try folder.write(text, "secret")
        chmod(file, 0o600)
        let error = #expect(throws: BackendError.self) { try SharedSecret(file: file) }
        #expect(error?.detail.contains(file) == true)
        if !text.isEmpty, !text.contains("\n") {
            #expect(error?.detail.contains(text) == false, "it is not told")
        }
    }

    @Test func `a missing shared secret file is refused`() {
        let error = #expect(throws: BackendError.self) {
            try SharedSecret(file: "/nowhere/secret")
        }
        #expect(error?.detail.contains("/nowhere/secret") == true)
    }
}
