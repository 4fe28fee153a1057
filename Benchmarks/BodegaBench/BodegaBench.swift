import Foundation

/// The parts of `scripts/bench` that need the package's code: floors, receipts by the thousand,
/// devices.
///
/// Each part prints one line of JSON, or prints a sentence on standard error and exits with 1.
@main
struct BodegaBench {
    static let help = """
        BodegaBench: the parts of scripts/bench that are written in Swift

          BodegaBench floor                                     a listener that answers fixed bytes
          BodegaBench delays                                    an app's server that tells how late
                                                                notifications come
          BodegaBench commits --folder DIR --seconds S          grouped commits with SQLite alone
          BodegaBench receipts --data DIR --count N --out FILE  bodies for /verifyReceipt
          BodegaBench verify --data DIR --seconds S             receipts checked, and OpenSSL alone
          BodegaBench sign --data DIR --seconds S               receipts signed, and OpenSSL alone
          BodegaBench signed-data --data DIR --seconds S        JWS checked, and OpenSSL alone
          BodegaBench server-tokens --key FILE --key-id ID --issuer ID --bundle-id ID --count N
                             --out FILE       tokens of an app's server, all different
          BodegaBench device --data DIR --product ID --seconds S
                                              a device that buys, set up by STOREKIT_ variables
          BodegaBench seen --product ID --seconds S
                                              the same alone, timed until its observer is called
          BodegaBench launch --data DIR --count N
                                              an app that starts with N unfinished purchases
          BodegaBench refresh --data DIR --count N
                                              an app that requests the receipt of N purchases
          BodegaBench signed-buy --seconds S                    purchase() in a test session
          BodegaBench signed-renew --seconds S                  renewals until updates has them
          BodegaBench signed-entitlements --count N             currentEntitlements of N products
          BodegaBench signed-launch --count N
                                              an app that starts with N unfinished transactions
          BodegaBench session --seconds S                       test sessions made and gone
          BodegaBench sessions --count N                        N test sessions at once
          BodegaBench listening-sessions --count N              the same, and each listens

        DIR of --data is the data directory of a store with a default world.
        """

    static func main() {
        var words = Array(CommandLine.arguments.dropFirst())
        guard let part = words.first, part != "--help" else { return print(help) }
        words.removeFirst()
        do {
            let options = try Options(words)
            switch part {
            case "floor": try FloorListener.run()
            case "delays": try DelayListener.run()
            case "commits": try CommitFloor.run(options)
            case "receipts": try ReceiptBench.writeBodies(options)
            case "verify": try ReceiptBench.verify(options)
            case "sign": try ReceiptBench.sign(options)
            case "signed-data": try ServerBench.verify(options)
            case "server-tokens": try ServerBench.writeTokens(options)
            case "device": try DeviceBench.run(options)
            case "seen": try SeenBench.run(options)
            case "launch": try LaunchBench.run(options)
            case "refresh": try RefreshBench.run(options)
            case "signed-buy": try SignedBench.buy(options)
            case "signed-renew": try SignedBench.renew(options)
            case "signed-entitlements": try SignedBench.readEntitlements(options)
            case "signed-launch": try SignedBench.launch(options)
            case "session": try SignedBench.session(options)
            case "sessions": try SignedBench.sessions(options, listening: false)
            case "listening-sessions": try SignedBench.sessions(options, listening: true)
            default: throw Failure("unknown part \"\(part)\"; see BodegaBench --help")
            }
        } catch {
            FileHandle.standardError.write(Data("BodegaBench: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// Why the figures of a run cannot be used.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// `--name value`, repeated.
struct Options {
    private var values: [String: String] = [:]

    init(_ words: [String]) throws {
        var rest = words[...]
        while let name = rest.popFirst() {
            guard name.hasPrefix("--"), let value = rest.popFirst() else {
                throw Failure("\"\(name)\" is not an option with a value; see BodegaBench --help")
            }
            values[String(name.dropFirst(2))] = value
        }
    }

    func text(_ name: String) throws -> String {
        guard let value = values[name] else { throw Failure("--\(name) is missing") }
        return value
    }

    func number(_ name: String) throws -> Double {
        guard let number = Double(try text(name)), number > 0 else {
            throw Failure("--\(name) is not a number above 0")
        }
        return number
    }
}

/// One line of JSON on standard output.
func report(_ members: [String: any Sendable]) throws {
    let data = try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
    FileHandle.standardOutput.write(data + Data("\n".utf8))
}
