import Foundation
import Glibc
import StoreConsole
import StoreModel

// Values that can be checked before a server is asked; each refusal names the value and the place,
// and says what is allowed there.
extension Arguments {
    /// An option whose choices are the raw values of `Choice`, or Apple's in lowercase and with
    /// hyphens.
    func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice? {
        value(name).flatMap {
            Choice(rawValue: $0)
                ?? Choice(rawValue: $0.uppercased().replacing("-", with: "_"))
        }
    }

    func requiredChoice<Choice: RawRepresentable<String>>(_ name: String) throws -> Choice {
        guard let choice: Choice = choice(name) else { throw UsageError("\(path) needs --\(name)") }
        return choice
    }

    /// `--storefront`, a country that has one.
    func storefront() throws -> String? {
        guard let text = value("storefront") else { return nil }
        guard Storefront(countryCode: text) != nil else {
            throw UsageError(
                "--storefront \(text) is not a storefront: write a country by its three letters, "
                    + "such as USA")
        }
        return text
    }

    /// `--environment`; the sandbox by default.
    var environment: StoreEnvironment { choice("environment") ?? .sandbox }

    /// `--port`, 0 to 65,535.
    func port(_ fallback: UInt16) throws -> UInt16 {
        try port(named: "port") ?? fallback
    }

    /// The port in an option.
    func port(named name: String) throws -> UInt16? {
        guard let text = value(name) else { return nil }
        guard let port = UInt16(text) else {
            throw UsageError("--\(name) \(text) is not a port: write a number from 0 to 65535")
        }
        return port
    }

    /// `--host`, an address of this machine as numbers.
    func host() throws -> String? {
        guard let text = value("host") else { return nil }
        guard Self.isAddress(text) else {
            throw UsageError("--host \(text) is not an address: write it like 127.0.0.1 or ::1")
        }
        return text
    }

    /// A folder of the console's files, in place of those in the program.
    var consoleFolder: String? {
        ProcessInfo.processInfo.environment[ConsoleFiles.folderVariable].flatMap {
            $0.isEmpty ? nil : $0
        }
    }

    /// `--allow-host`, each a name or an address.
    func allowedHosts() throws -> [String] {
        let hosts = values("allow-host")
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

    /// `--password`; without it, asks or takes the first line of a pipe.
    func password() throws -> String {
        guard let password = value("password") ?? Terminal.readPassword("Password: ") else {
            throw UsageError("a password is needed: give --password or write it to standard input")
        }
        return password
    }

    /// The moment in an option.
    func moment(_ name: String) throws -> Timestamp? {
        try value(name).map { try TimeWords.moment($0, for: "--\(name)") }
    }

    /// The contents of the file that an option names.
    func file(_ name: String) throws -> [UInt8]? {
        guard let path = value(name) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("cannot read \(path)")
        }
        return Array(bytes)
    }

    /// Throws unless the file that an option names could be written, so that nothing is bought whose
    /// receipt has no place.
    func checkWritable(_ name: String) throws {
        if let path = value(name) { try OutputFile(path).check() }
    }

    /// `--root`; without it, every root of signed data in the store's data directory.
    func dataRoots() throws -> [[UInt8]] {
        if let root = try file("root") { return [root] }
        let folder = ServerClient.Kind.store.dataDirectory(self) + "/keys"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let roots = names.filter { $0.hasPrefix("signed-data-root-") && $0.hasSuffix(".der") }
            .compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
        guard !roots.isEmpty else {
            throw Failure(
                "\(folder) has no roots of signed data: start the store once, or name its --data or "
                    + "a --root")
        }
        return roots.map { Array($0) }
    }

    /// The app that `--bundle-id` or its variable names; without them, the world's only one.
    func bundleID() throws -> String {
        if let given = value("bundle-id") { return given }
        let variable = Option.bundleID.variable ?? ""
        let usual = ProcessInfo.processInfo.environment[variable, default: ""]
        if !usual.isEmpty { return usual }
        let apps = try ControlClient(self).names(of: .app)
        guard let only = apps.first else {
            throw Failure(
                "this world has no app yet: import one with bodega catalog import",
                code: "appUnknown")
        }
        guard apps.count == 1 else {
            let some = apps.prefix(5) + (apps.count > 5 ? ["\(apps.count - 5) more"] : [])
            throw UsageError(
                "\(path) needs --bundle-id: the world has \(some.joined(separator: ", "))")
        }
        return only
    }

    /// The path of that app.
    func app() throws -> String { "/apps/\(ServerClient.escaped(try bundleID()))" }

    /// The path of the product that the word PRODUCT names.
    func product() throws -> String {
        "\(try app())/products/\(ServerClient.escaped(self["PRODUCT"]))"
    }

    /// The word NUMBER, from 1 up; `command` lists the numbers.
    func number(listedBy command: String? = nil) throws -> Int64 {
        let text = self["NUMBER"]
        guard let number = Int64(text), number > 0 else {
            let list =
                command ?? path.split(separator: " ").dropLast().joined(separator: " ") + " list"
            throw UsageError("NUMBER \(text) is not a number from 1 up; \(list) shows them")
        }
        return number
    }

    /// The word ID, a transaction's number.
    func transaction() throws -> String {
        let id = self["ID"]
        guard !id.isEmpty, id.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw UsageError("ID \(id) is not a transaction's number")
        }
        return id
    }

    /// The number from 1 up in an option.
    func count(_ name: String) throws -> Int64? {
        guard let text = value(name) else { return nil }
        guard let number = Int64(text), number > 0 else {
            throw UsageError("--\(name) \(text) is not a number from 1 up")
        }
        return number
    }

    /// The name of a world or a snapshot.
    static func name(_ text: String, for place: String) throws -> String {
        guard let name = WorldName(text) else {
            throw UsageError(
                "\(place) \(text) is not a name: write 1 to \(WorldName.lengthMax) small letters, "
                    + "digits and hyphens, without a hyphen at either end")
        }
        return name.text
    }

    /// The address of a server.
    static func url(_ text: String, for place: String) throws -> String {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host?.isEmpty == false
        else {
            throw UsageError(
                "\(place) \(text) is not an address: write it like http://127.0.0.1:8080")
        }
        return text
    }
}
