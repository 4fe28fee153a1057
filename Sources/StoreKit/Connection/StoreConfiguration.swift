import Foundation
import StoreModel

/// The store's address and this app's identity, read from the environment.
struct StoreConfiguration: Hashable, Sendable {
    enum SheetKind: String, CaseIterable, Sendable {
        case terminal, approve, cancel
    }

    struct Account: Hashable, Sendable {
        let name: String
        let password: String
    }

    /// A setting that cannot be used, described in a sentence.
    struct Problem: Error, Hashable {
        let sentence: String
    }

    /// The longest that StoreKit 2 may list a purchase late.
    static let listingDelayMillisecondsMax = 60_000

    /// Without a trailing slash.
    let url: String
    let scope: StoreScope
    /// Nil when the address does not say.
    let environment: StoreEnvironment?
    let bundleIdentifier: String
    let appVersion: String
    let home: String
    let account: Account?
    let sheet: SheetKind
    /// The code that the automatic sheet redeems.
    let offerCode: String?
    /// Whether a restore that finds nothing fails, as observed in Apple's sandbox.
    let failsEmptyRestore: Bool
    /// Which networks downloads wait for.
    let network: NetworkRule
    /// How much room on-demand resources may take.
    let resources: ResourceLimits
    /// The customer's locale, such as `en_US`.
    let locale: String?
    /// A PEM file of the roots that signed data may lead to; nil to pin the one that a store names.
    let roots: String?
    /// How much later than `purchase()` returns StoreKit 2 lists a purchase.
    let listingDelayMilliseconds: Int
    /// Whether purchases are switched off for this process, regardless of the device's settings.
    let arePaymentsRestricted: Bool

    /// The receipt's path, chosen by the address, or else by what the store answered when the
    /// device was registered.
    var receiptPath: String {
        let isSandbox =
            environment.map { $0 == .sandbox }
            ?? (try? HomeFolder(existing: home).deviceSession()).map {
                $0.isOfSandbox
            }
        return HomeFolder.receiptFile(home: home, isSandbox: isSandbox ?? false)
    }
}

extension StoreConfiguration {
    /// The settings in an environment; nil when it names no store.
    static func read(
        _ environment: [String: String]
    ) -> Result<StoreConfiguration?, Problem> {
        do throws(Problem) {
            return .success(try parse(environment))
        } catch {
            return .failure(error)
        }
    }

    private static func parse(
        _ environment: [String: String]
    ) throws(Problem) -> StoreConfiguration? {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let address = value("STOREKIT_URL") else { return nil }
        let url = try storeURL(address)
        let bundleIdentifier = try required("STOREKIT_BUNDLE_ID", value) {
            $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
                && !$0.hasPrefix(".")
        }
        let appVersion = try required("STOREKIT_APP_VERSION", value) {
            $0.allSatisfy { $0.isASCII && !$0.isWhitespace && !$0.isNewline }
        }
        guard let sheet = SheetKind(rawValue: value("STOREKIT_SHEET") ?? "terminal") else {
            throw Problem(
                sentence: "STOREKIT_SHEET is \"\(value("STOREKIT_SHEET") ?? "")\"; it must be "
                    + "terminal, approve or cancel.")
        }
        let emptyRestore = value("STOREKIT_EMPTY_RESTORE") ?? "finish"
        guard ["finish", "fail"].contains(emptyRestore) else {
            throw Problem(
                sentence: "STOREKIT_EMPTY_RESTORE is \"\(emptyRestore)\"; it must be finish or "
                    + "fail.")
        }
        let payments = value("STOREKIT_PAYMENTS") ?? "allowed"
        guard ["allowed", "restricted"].contains(payments) else {
            throw Problem(
                sentence: "STOREKIT_PAYMENTS is \"\(payments)\"; it must be allowed or restricted.")
        }
        return StoreConfiguration(
            url: url.absoluteString,
            scope: StoreScope(url: url),
            environment: StoreEnvironment(rawValue: url.lastPathComponent),
            bundleIdentifier: bundleIdentifier, appVersion: appVersion,
            home: try home(value, bundleIdentifier),
            account: try value("STOREKIT_ACCOUNT").map(account), sheet: sheet,
            offerCode: value("STOREKIT_OFFER_CODE"),
            failsEmptyRestore: emptyRestore == "fail",
            network: try NetworkRule.read(value), resources: try ResourceLimits.read(value),
            locale: locale(value), roots: value("STOREKIT_ROOTS"),
            listingDelayMilliseconds: try listingDelay(value),
            arePaymentsRestricted: payments == "restricted")
    }

    private static func listingDelay(_ value: (String) -> String?) throws(Problem) -> Int {
        let text = value("STOREKIT_LISTING_DELAY") ?? "0"
        guard let milliseconds = Int(text), (0...listingDelayMillisecondsMax).contains(milliseconds)
        else {
            throw Problem(
                sentence: "STOREKIT_LISTING_DELAY is \"\(text)\"; it must be a number of "
                    + "milliseconds from 0 to \(listingDelayMillisecondsMax).")
        }
        return milliseconds
    }

    private static func storeURL(_ address: String) throws(Problem) -> URL {
        let tidy = address.hasSuffix("/") ? String(address.dropLast()) : address
        guard tidy.hasPrefix("http://") || tidy.hasPrefix("https://"),
            let url = URL(string: tidy), let host = url.host, !host.isEmpty,
            url.query == nil, url.fragment == nil
        else {
            throw Problem(
                sentence: "STOREKIT_URL is \"\(address)\"; it must be the address of a store's "
                    + "environment, such as http://127.0.0.1:8080/sandbox.")
        }
        return url
    }

    private static func required(
        _ name: String, _ value: (String) -> String?, _ isGood: (String) -> Bool
    ) throws(Problem) -> String {
        guard let text = value(name) else {
            throw Problem(sentence: "STOREKIT_URL is set, but \(name) is not; set it, too.")
        }
        guard isGood(text) else {
            throw Problem(
                sentence: "\(name) is \"\(text)\", which contains characters that are not allowed.")
        }
        return text
    }

    private static func home(
        _ value: (String) -> String?, _ bundleIdentifier: String
    ) throws(Problem) -> String {
        if let home = value("STOREKIT_HOME") {
            guard home.hasPrefix("/") else {
                throw Problem(
                    sentence: "STOREKIT_HOME is \"\(home)\"; it must be an absolute path.")
            }
            return home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home
        }
        if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") {
            return "\(data)/storekit/\(bundleIdentifier)"
        }
        guard let person = value("HOME"), person.hasPrefix("/") else {
            throw Problem(sentence: "Neither STOREKIT_HOME nor HOME is set; set STOREKIT_HOME.")
        }
        return "\(person)/.local/share/storekit/\(bundleIdentifier)"
    }

    private static func account(_ text: String) throws(Problem) -> Account {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else {
            throw Problem(
                sentence: "STOREKIT_ACCOUNT must be a name and a password separated by a colon.")
        }
        return Account(name: String(parts[0]), password: String(parts[1]))
    }

    /// The customer's locale from the usual variables; nil for plain `C`.
    private static func locale(_ value: (String) -> String?) -> String? {
        let text = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? ""
        let name = String(text.prefix { $0 != "." && $0 != "@" })
        return name.isEmpty || name == "C" || name == "POSIX" ? nil : name
    }
}
