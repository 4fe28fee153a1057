import Foundation

/// What RocketCar was asked to do.
struct Command {
    enum Verb: Equatable {
        case help, play, list, status, launch, restore, subscriptions
        case buy(product: String, quantity: Int)
        case track(tag: String)
    }

    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    var verb = Verb.help
    /// A launch is settled after this long without news.
    var settleSeconds = 1.5
    /// The app stops waiting after this long; nothing is lost.
    var secondsMax = 120.0

    static let help = """
        RocketCar: an example app that sells with StoreKit.

        Usage: RocketCar [COMMAND] [options]
          play                        starts the game with its shop (default on a terminal)
          list                        lists the products for sale, with prices
          buy PRODUCT [--quantity N]  buys, delivers and finishes
          restore                     restores what the store account owns, on any device
          launch                      handles unfinished purchases, like any start of the app
          subscriptions               shows the state of the player's subscriptions
          status                      shows what this installation owns
          track TAG                   shows a track that was bought, fetched by its tag
        Options:
          --user NAME:PASSWORD   the player at the backend (signed up if new)
          --home DIR             where the game is saved
          --settle SECONDS       how long a launch or a restore waits for news (1.5)
          --time-limit SECONDS   the maximum time to wait (120)
        Environment: ROCKETCAR_BACKEND (http://127.0.0.1:8081), ROCKETCAR_USER, ROCKETCAR_HOME,
          ROCKETCAR_RECEIPT (app, or transaction for the style of iOS 6: what the backend gets),
          and StoreKit's: STOREKIT_URL, STOREKIT_BUNDLE_ID, STOREKIT_APP_VERSION, ...

        Examples:
          RocketCar --user ada:secret
          RocketCar list
          RocketCar buy com.example.rocketcar.fuel --quantity 2 --user ada:secret
          STOREKIT_SHEET=approve STOREKIT_ACCOUNT=ada@example.com:secret \\
            RocketCar buy com.example.rocketcar.turbo
        Exit code: 0 everything is delivered, 1 something failed or is unfinished, 2 usage error.
        """

    /// `isTerminal` says whether it runs on a terminal, where playing is the default.
    init(arguments: [String], isTerminal: Bool) throws {
        var words: [String] = []
        var quantity: Int?
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": return
            case "--quantity":
                quantity = try Self.number(word, &rest) { Int($0).flatMap { $0 > 0 ? $0 : nil } }
            case "--settle": settleSeconds = try Self.seconds(word, &rest)
            case "--time-limit": secondsMax = try Self.seconds(word, &rest)
            case "--user": setenv("ROCKETCAR_USER", try Self.value(word, &rest), 1)
            case "--home": setenv("ROCKETCAR_HOME", try Self.value(word, &rest), 1)
            case let option where option.hasPrefix("-"):
                throw Mistake(description: "unknown option \(option); try --help")
            default: words.append(word)
            }
        }
        if words.isEmpty, isTerminal { words = ["play"] }
        verb = try Self.verb(words, quantity: quantity)
    }

    private static func verb(_ words: [String], quantity: Int?) throws -> Verb {
        if words.first != "buy", quantity != nil {
            throw Mistake(description: "--quantity belongs to buy; try --help")
        }
        switch (words.first, words.count) {
        case ("play", 1): return .play
        case ("list", 1): return .list
        case ("status", 1): return .status
        case ("launch", 1): return .launch
        case ("restore", 1): return .restore
        case ("subscriptions", 1): return .subscriptions
        case ("track", 2): return .track(tag: words[1])
        case ("track", _): throw Mistake(description: "track takes one tag; try --help")
        case ("buy", 2): return .buy(product: words[1], quantity: quantity ?? 1)
        case ("buy", _): throw Mistake(description: "buy takes one product; try --help")
        case (nil, _): throw Mistake(description: "name a command; try --help")
        default: throw Mistake(description: "\(words.joined(separator: " ")): try --help")
        }
    }

    private static func value(_ name: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw Mistake(description: "\(name) needs a value")
        }
        return value
    }

    private static func number<Number>(
        _ name: String, _ rest: inout ArraySlice<String>, _ read: (String) -> Number?
    ) throws -> Number {
        let text = try value(name, &rest)
        guard let number = read(text) else {
            throw Mistake(description: "\(name) \(text) is not a number above 0")
        }
        return number
    }

    private static func seconds(
        _ name: String, _ rest: inout ArraySlice<String>
    ) throws -> Double {
        try number(name, &rest) { Double($0).flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
    }
}
