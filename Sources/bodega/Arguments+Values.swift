import Foundation
import Glibc
import StoreModel

// Values that can be judged before anybody is asked; each refusal names value and place, and
// says what may stand there.
extension Arguments {
    /// `--storefront`, a country that has one.
    func storefront() throws -> String? {
        guard let text = value("storefront") else { return nil }
        guard Storefront(countryCode: text) != nil else {
            throw UsageError(
                "--storefront \(text) is no storefront: write a country by its three letters, "
                    + "such as USA")
        }
        return text
    }

    /// `--environment`; the sandbox when it is not given.
    func environment() throws -> StoreEnvironment {
        let word = value("environment") ?? StoreEnvironment.sandbox.rawValue
        guard let environment = StoreEnvironment(rawValue: word) else {
            throw UsageError("--environment is sandbox or production, not \(word)")
        }
        return environment
    }

    /// `--host`, an address of this machine as numbers.
    func host(environment variable: String? = nil) throws -> String? {
        guard let text = value("host", environment: variable) else { return nil }
        guard Self.isAddress(text) else {
            throw UsageError("--host \(text) is no address: write it like 127.0.0.1 or ::1")
        }
        return text
    }

    /// `--allow-host`, each a name or an address.
    func allowedHosts(environment variable: String) throws -> [String] {
        let hosts = values("allow-host", environment: variable)
        for text in hosts
        where !Self.isAddress(text) && text.wholeMatch(of: /[A-Za-z0-9._-]+/) == nil {
            throw UsageError(
                "--allow-host \(text) is not a host: write a name such as shop.test, without "
                    + "http:// and without a port")
        }
        return hosts
    }

    private static func isAddress(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1
    }

    /// The name of a world or a snapshot.
    static func name(_ text: String, for place: String) throws -> String {
        guard let name = WorldName(text) else {
            throw UsageError(
                "\(place) \(text) is no name: write 1 to \(WorldName.lengthMax) small letters, "
                    + "digits and hyphens, with no hyphen at either end")
        }
        return name.text
    }

    /// A number from 1 up, which a command lists.
    static func number(_ text: String, listedBy command: String) throws -> Int64 {
        guard let number = Int64(text), number > 0 else {
            throw UsageError("NUMBER \(text) is no number from 1 up; \(command) shows them")
        }
        return number
    }

    /// An address to call.
    static func url(_ text: String, for place: String) throws -> String {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host?.isEmpty == false
        else {
            throw UsageError("\(place) \(text) is no address: write it like http://127.0.0.1:8080")
        }
        return text
    }
}
