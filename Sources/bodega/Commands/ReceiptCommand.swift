import Foundation
import PurchaseBackend
import StoreCaller

/// `bodega receipt verify`
enum ReceiptCommand {
    /// Bytes of a receipt file this command reads.
    private static let receiptBytesMax = 12 << 20

    static let command = Command(
        help: """
            bodega receipt: ask verifyReceipt about a receipt file

              bodega receipt verify FILE --url URL [--shared-secret-file FILE]

            FILE holds the receipt of an app, or of a single transaction as transactionReceipt
            gives it. Prints the answer as JSON. Exit code 0 when the status is 0, 1 otherwise.
            A receipt with auto-renewable subscriptions needs the app's shared secret.

            Options:
              --url URL        below which /verifyReceipt stands, such as
                               http://127.0.0.1:8080/sandbox
              --shared-secret-file FILE
                               one line, which nobody else may read (mode 0600); the environment's
                               twin is BODEGA_SHARED_SECRET

            Example:
              bodega receipt verify ~/.local/share/storekit/com.example.app/StoreKit/sandboxReceipt \\
                  --url http://127.0.0.1:8080/production
            """,
        options: ["url", "shared-secret-file"], flags: ["json"]
    ) { arguments in
        guard arguments.positional.first == "verify" else { throw arguments.notOne(of: "verify") }
        let words = try arguments.words("verify", "file")
        let url = try Arguments.url(try arguments.required("url"), for: "--url")
        guard let receipt = FileManager.default.contents(atPath: words[1]) else {
            throw Failure("cannot read \(words[1])")
        }
        guard receipt.count <= receiptBytesMax else {
            throw Failure("\(words[1]) is larger than any receipt")
        }
        let body = Question(
            receiptData: receipt.base64EncodedString(),
            password: try BackendCommand.sharedSecret(arguments)?.text)
        let bytes = try JSONEncoder().encode(body)
        let response: CallerResponse
        do {
            response = try Caller().send(
                CallerRequest(method: "POST", url: url + "/verifyReceipt", body: Array(bytes)))
        } catch let error as CallerError {
            throw Failure("\(url): \(error.detail)")
        }
        Terminal.print(String(decoding: response.body, as: UTF8.self))
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body))
        if answer?.status != 0 { exit(1) }
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
