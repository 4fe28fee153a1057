import AppStoreServer
import Foundation
import StoreModel

/// What clients of Apple's host names must be told before they reach a store, and how to take it
/// back.
struct TrustGuide: Encodable {
    /// Something to do, in lines for a shell.
    struct Step: Encodable {
        let name: String
        let note: String
        let set: [String]
        let undo: [String]
    }

    /// One of Apple's names, and where it leads.
    struct Host: Encodable {
        let name: String
        let environment: String
    }

    /// The file with the certificate of the authority.
    let authority: String
    /// Where the store speaks TLS; missing while it does not.
    let tlsUrl: String?
    let hosts: [Host]
    /// For every client but those that can be sent elsewhere by an option of their own.
    let system: [Step]
    let clients: [Step]

    /// `url` is the running store's, for TLS.
    init(authority: String, url: String?) {
        self.authority = authority
        tlsUrl = url
        hosts = AppleHost.allCases.compactMap { host in
            host.environment.map { Host(name: host.rawValue, environment: $0.rawValue) }
        }
        let place = Place(url)
        system = [
            Self.names(hosts.map(\.name), at: place), Self.port(of: place),
        ].compactMap { $0 }
        let file = Self.quoted(authority)
        clients = [
            Self.curl(file, at: place), Self.python(file), Self.node(file), Self.java(file),
            Self.swift(file),
        ]
    }

    /// The address that names lead to, and the port.
    private struct Place {
        let address: String
        let port: String

        init(_ url: String?) {
            let parts = url.flatMap { URLComponents(string: $0) }
            let host = parts?.host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
            address = host.map { ["0.0.0.0", "::"].contains($0) ? "127.0.0.1" : $0 } ?? "127.0.0.1"
            port = parts?.port.map { "\($0)" } ?? "PORT"
        }

        var isIPv6: Bool { address.contains(":") }
    }

    private static func quoted(_ path: String) -> String {
        let isPlain = path.wholeMatch(of: /[A-Za-z0-9_.\/+-]+/) != nil
        return isPlain ? path : "'\(path.replacing("'", with: "'\\''"))'"
    }
}

// The steps.
extension TrustGuide {
    private static func names(_ names: [String], at place: Place) -> Step {
        Step(
            name: "host names",
            note: "Apple's names lead to the store, for every program of this machine.",
            set: [
                "echo '\(place.address) \(names.joined(separator: " ")) # bodega' "
                    + "| sudo tee -a /etc/hosts"
            ],
            undo: ["sudo sed -i '/# bodega$/d' /etc/hosts"])
    }

    /// Nil when the store listens there.
    private static func port(of place: Place) -> Step? {
        guard place.port != "443" else { return nil }
        let rule =
            "OUTPUT -p tcp -d \(place.address) --dport 443 -j REDIRECT --to-ports \(place.port)"
        let tables = place.isIPv6 ? "ip6tables" : "iptables"
        return Step(
            name: "port 443",
            note: "Libraries call port 443, which needs privileges: redirect it, or let every user "
                + "listen there (sudo sysctl net.ipv4.ip_unprivileged_port_start=443; undo with "
                + "1024) and start the store with --tls-port 443, or put a proxy in front that "
                + "passes TCP on.",
            set: ["sudo \(tables) -t nat -A \(rule)"], undo: ["sudo \(tables) -t nat -D \(rule)"])
    }

    private static func curl(_ file: String, at place: Place) -> Step {
        let address = place.isIPv6 ? "[\(place.address)]" : place.address
        return Step(
            name: "curl",
            note: "The first line needs neither of the above, and leaves nothing to undo.",
            set: [
                "curl --cacert \(file) --connect-to ::\(address):\(place.port) "
                    + "https://\(AppleHost.sandboxReceipts.rawValue)/verifyReceipt -d '{}'",
                "export CURL_CA_BUNDLE=\(file)",
            ],
            undo: ["unset CURL_CA_BUNDLE"])
    }

    private static func python(_ file: String) -> Step {
        Step(
            name: "Python",
            note: "requests, which Apple's library uses, reads the first, httpx and the standard "
                + "library the second. They replace the authorities that are trusted otherwise; for "
                + "a program that also calls others, name a file with both: cat "
                + "/etc/ssl/certs/ca-certificates.crt \(file) > both.pem",
            set: ["export REQUESTS_CA_BUNDLE=\(file)", "export SSL_CERT_FILE=\(file)"],
            undo: ["unset REQUESTS_CA_BUNDLE SSL_CERT_FILE"])
    }

    private static func node(_ file: String) -> Step {
        Step(
            name: "Node", note: "Adds to the authorities that are trusted otherwise.",
            set: ["export NODE_EXTRA_CA_CERTS=\(file)"], undo: ["unset NODE_EXTRA_CA_CERTS"])
    }

    private static func java(_ file: String) -> Step {
        let store = "bodega-cacerts"
        return Step(
            name: "Java",
            note: "A copy of the runtime's authorities, with this one; the runtime is not changed.",
            set: [
                "cp \"$JAVA_HOME/lib/security/cacerts\" \(store) && chmod u+w \(store)",
                "keytool -importcert -noprompt -alias bodega -file \(file) -keystore \(store) "
                    + "-storepass changeit",
                "export JAVA_TOOL_OPTIONS=\"-Djavax.net.ssl.trustStore=$PWD/\(store) "
                    + "-Djavax.net.ssl.trustStorePassword=changeit\"",
            ],
            undo: ["unset JAVA_TOOL_OPTIONS", "rm \(store)"])
    }

    private static func swift(_ file: String) -> Step {
        let copy = "/usr/local/share/ca-certificates/bodega.crt"
        return Step(
            name: "Swift",
            note: "On Linux AsyncHTTPClient, which Apple's library uses, and URLSession only read "
                + "the system's authorities. Every program then trusts this one too, but with no "
                + "names beyond the store's.",
            set: ["sudo cp \(file) \(copy) && sudo update-ca-certificates"],
            undo: ["sudo rm \(copy) && sudo update-ca-certificates --fresh"])
    }
}

extension TrustGuide {
    /// The guide for a terminal.
    var text: String {
        let head = """
            authority  \(authority) (programs of other users need a copy of it)
            store      \(tlsUrl ?? "not running with --tls-port; PORT below is the port it will have")
            """
        let names = hosts.map { "  \($0.name)  \($0.environment)" }
        let places = "Names that lead to the default world:\n" + names.joined(separator: "\n")
        let steps = (system + clients).map(\.text)
        return ([head, places] + steps).joined(separator: "\n\n")
    }
}

extension TrustGuide.Step {
    fileprivate var text: String {
        ([name + ": " + note] + set.map { "  " + $0 } + undo.map { "  undo: " + $0 })
            .joined(separator: "\n")
    }
}
