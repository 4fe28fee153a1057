import Foundation
import StoreHTTP
import TestSupport
import Testing

@testable import PurchaseBackend

struct OperatorTokenTests {
    private func admits(_ token: OperatorToken, _ text: String) -> Bool {
        let request = HTTPRequest(
            method: "GET", path: "/", segments: [],
            headers: HTTPHeaders([("Authorization", "Bearer " + text)]))
        return token.opens(request)
    }

    @Test func `the operator token is created once with mode 0600 and read again`() throws {
        let folder = TemporaryFolder()
        _ = try OperatorToken.open(in: folder.path)
        let path = folder.path + "/" + OperatorToken.fileName
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(text.utf8.count >= 32)
        let again = try OperatorToken.open(in: folder.path)
        #expect(admits(again, text))
        #expect(!admits(again, text + "x"))
        #expect(!admits(again, ""))
        try FileManager.default.removeItem(atPath: path)
        #expect(!admits(try OperatorToken.open(in: folder.path), text))
    }

    @Test(arguments: ["", "short", "\n\n", String(repeating: "x ", count: 40)])
    func `a file without an operator token is refused with advice`(text: String) throws {
        let folder = TemporaryFolder()
        let path = try folder.write(text, OperatorToken.fileName)
        chmod(path, 0o600)
        let error = #expect(throws: BackendError.self) {
            try OperatorToken.open(in: folder.path)
        }
        #expect(error?.code == .dataDirectory)
        #expect(error?.detail.contains("delete it") == true)
    }

    @Test func `an operator token file readable by others is refused with advice`() throws {
        let folder = TemporaryFolder()
        _ = try OperatorToken.open(in: folder.path)
        chmod(folder.path + "/" + OperatorToken.fileName, 0o644)
        let error = #expect(throws: BackendError.self) {
            try OperatorToken.open(in: folder.path)
        }
        #expect(error?.detail.contains("chmod 600") == true)
    }
}
