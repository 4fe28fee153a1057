import Foundation
import StoreKit

/// An app that does what its arguments say and tells each step in a line of its own:
/// `ShopDayProbe [--storekit2] [--at-once N] [--hold MS] [--settle MS] [--time-limit S] ORDER...`.
///
/// So many payments are open at once; each purchase is held for a while before it is delivered and
/// finished. The app ends with 0 when all was done and the queue has been quiet for the time to
/// settle, with 3 when that took longer than the limit, with 2 when it does not understand.
@main struct ShopDayProbe {
    @MainActor static func main() {
        var orders: [Order] = []
        var usesSecond = false
        var numbers = ["--at-once": 1, "--hold": 0, "--settle": 300, "--time-limit": 50]
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            if numbers[word] != nil, let number = words.popFirst().flatMap({ Int($0) }) {
                numbers[word] = number
            } else if word == "--storekit2" {
                usesSecond = true
            } else if let order = Order(word) {
                orders.append(order)
            } else {
                Say.line("not-understood", word)
                exit(2)
            }
        }
        let atOnceMax = numbers["--at-once"] ?? 1
        let holdSeconds = Double(numbers["--hold"] ?? 0) / 1_000
        let settleSeconds = Double(numbers["--settle"] ?? 0) / 1_000
        let secondsMax = Double(numbers["--time-limit"] ?? 0)
        let isDone =
            usesSecond
            ? SignedCustomer(orders: orders, atOnceMax: atOnceMax, holdSeconds: holdSeconds)
                .run(settleSeconds: settleSeconds, secondsMax: secondsMax)
            : Customer(orders: orders, atOnceMax: atOnceMax, holdSeconds: holdSeconds)
                .run(settleSeconds: settleSeconds, secondsMax: secondsMax)
        exit(isDone ? 0 : 3)
    }
}

/// What the app prints, each line in one write, so that a kill cuts only the last.
enum Say {
    static func line(_ words: String...) {
        FileHandle.standardOutput.write(Data((words.joined(separator: " ") + "\n").utf8))
    }
}
