import Foundation
import StoreCaller

/// `bodega receipt verify`
enum ReceiptCommand {
    /// Bytes of a receipt file this command reads.
    private static let receiptBytesMax = 12 << 20

    static let command = Command(
        help: """
            bodega receipt: ask verifyReceipt about a receipt file

              bodega receipt verify FILE --url URL

            FILE holds the receipt of an app, or of a single transaction as transactionReceipt
            gives it. Prints the answer as JSON. Exit code 0 when the status is 0, 1 otherwise.

            Options:
              --url URL        below which /verifyReceipt stands, such as
                               http://127.0.0.1:8080/sandbox

            Example:
              bodega receipt verify ~/.local/share/storekit/com.example.app/StoreKit/sandboxReceipt \\
                  --url http://127.0.0.1:8080/production
            """,
        options: ["url"], flags: ["json"]
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
        let body = #"{"receipt-data":"\#(receipt.base64EncodedString())"}"#
        let response: CallerResponse
        do {
            response = try Caller().send(
                CallerRequest(method: "POST", url: url + "/verifyReceipt", body: Array(body.utf8)))
        } catch let error as CallerError {
            throw Failure("\(url): \(error.detail)")
        }
        Terminal.print(String(decoding: response.body, as: UTF8.self))
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body))
        if answer?.status != 0 { exit(1) }
    }

    private struct Answer: Decodable {
        let status: Int
    }
}
