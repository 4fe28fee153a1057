import Foundation
import PurchaseBackend
import StoreCaller
import StoreLog

/// `bodega receipt`
enum ReceiptCommand {
    /// The longest receipt file that this command reads.
    private static let receiptBytesMax = 12 << 20

    static let command = Command(
        group: "receipt", "decode receipts, and ask verifyReceipt about them", shared: [.json],
        details: """
            FILE holds the receipt of an app, or of a single transaction as transactionReceipt
            returns it. verify prints the answer as JSON. Exit code 0 when the status is 0, 1
            otherwise. A receipt with auto-renewable subscriptions requires the app's shared secret.
            """,
        examples: [
            "bodega receipt verify ~/.local/share/storekit/com.example.app/StoreKit/sandboxReceipt "
                + "--url http://127.0.0.1:8080/production"
        ],
        commands: [
            showing,
            Command(
                "verify FILE", "print the answer of verifyReceipt",
                [
                    Option(
                        "url", "URL",
                        "the address without /verifyReceipt, as http://127.0.0.1:8080/sandbox",
                        isRequired: true), BackendCommand.sharedSecretFile,
                ], run: verify),
        ])

    private static func verify(_ arguments: Arguments) throws {
        let path = arguments["FILE"]
        let url = try Arguments.url(try arguments.required("url"), for: "--url")
        let receipt = try receipt(in: path)
        let body = Question(
            receiptData: Data(receipt).base64EncodedString(),
            password: try BackendCommand.sharedSecret(arguments)?.text)
        let bytes = try JSONEncoder().encode(body)
        let response: CallerResponse
        do {
            response = try Caller().send(
                CallerRequest(method: "POST", url: url + "/verifyReceipt", body: Array(bytes)))
        } catch {
            throw Failure("\(url): \(error.detail)")
        }
        Terminal.print(String(decoding: response.body, as: UTF8.self), as: .json)
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body))
        if answer?.status != 0 { exit(1) }
    }

    static func receipt(in path: String) throws -> [UInt8] {
        guard let receipt = FileManager.default.contents(atPath: path) else {
            throw Failure("cannot read \(path)")
        }
        guard receipt.count <= receiptBytesMax else {
            throw Failure("\(path) is larger than any receipt")
        }
        return Array(receipt)
    }

    private struct Question: Encodable {
        let receiptData: String
        let password: String?

        enum CodingKeys: String, CodingKey {
            case receiptData = "receipt-data"
            case password
        }
    }

    private struct Answer: Decodable {
        let status: Int
    }
}
