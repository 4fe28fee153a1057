import Foundation
import StoreCaller
import StoreWire

/// Talks to a running backend's `/operator`, which it finds through options, environment or the
/// backend's data directory.
struct OperatorClient {
    private let base: String
    private let token: String
    private let caller = Caller()

    init(_ arguments: Arguments) throws {
        let data = Self.dataDirectory(arguments)
        let given = try arguments.value("url", environment: "BODEGA_BACKEND_URL").map {
            try Arguments.url($0, for: "--url")
        }
        guard let token = Self.token(below: data) else {
            throw Failure(
                "no operator token: set BODEGA_OPERATOR_TOKEN, or name the backend's data "
                    + "directory with --data (looked in \(data))")
        }
        self.token = token
        let address =
            try given
            ?? ServerFile.address(
                below: data, start: "bodega backend", usual: "http://127.0.0.1:8081",
                ifHeldIn: "BODEGA_OPERATOR_TOKEN")
        base = address.hasSuffix("/") ? String(address.dropLast()) : address
    }

    /// `--data`, `BODEGA_BACKEND_DATA`, or the person's data folder.
    static func dataDirectory(_ arguments: Arguments) -> String {
        arguments.value("data", environment: "BODEGA_BACKEND_DATA")
            ?? ControlClient.personDataFolder + "/bodega-backend"
    }

    /// Sends a request below `/operator/v1`.
    func send(
        _ method: String, _ path: [String], query: [(name: String, value: String)] = []
    ) throws -> [UInt8] {
        let place = path.map(ControlClient.escaped).joined(separator: "/")
        let items = query.map { "\($0.name)=\(ControlClient.escaped($0.value))" }
        let url = "\(base)/operator/v1/\(place)" + (items.isEmpty ? "" : "?")
        let request = CallerRequest(
            method: method, url: url + items.joined(separator: "&"),
            headers: [("Authorization", "Bearer \(token)")], timeoutMilliseconds: 60_000)
        let response: CallerResponse
        do {
            response = try caller.send(request)
        } catch  where error.code == .unreachable {
            throw Failure("no backend answers at \(base); start one with: bodega backend")
        } catch {
            throw Failure("\(base): \(error.detail)")
        }
        guard (200..<300).contains(response.status) else {
            let answer = try? WireJSON.decode(ErrorBody.self, from: response.body)
            let message = answer?.error.message ?? "the backend answered \(response.status)"
            if WrongValue.codes.contains(answer?.error.code ?? "") {
                throw UsageError(WrongValue.sentence(message))
            }
            throw Failure(message)
        }
        return response.body
    }

    private static func token(below directory: String) -> String? {
        if let token = ProcessInfo.processInfo.environment["BODEGA_OPERATOR_TOKEN"],
            !token.isEmpty
        {
            return token
        }
        let text = try? String(contentsOfFile: directory + "/operator-token", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
