import Foundation
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreWire
import Testing

@testable import AppStoreServer

// What the owner's lists have.
extension TestStore {
    /// The answer to a request below `/control/v1`, which has to succeed.
    func list<Body: Decodable>(_ path: String) async throws -> Body {
        let answer = try await control("GET", "/control/v1\(path)")
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try WireJSON.decode(Body.self, from: answer.body)
    }

    /// The numbers of sales, as far as a page has them.
    func sales(_ query: String) async throws -> [String] {
        (try await list("/transactions?\(query)") as SalesBody).transactions
            .map(\.sold.transactionId)
    }

    /// The rows of all pages of a list.
    func walk<Page: Decodable, Row>(
        _ path: String, _ rows: (Page) -> [Row], _ next: (Page) -> String?
    ) async throws -> [Row] {
        var found: [Row] = []
        var after: String? = ""
        while let place = after {
            let page: Page = try await list(path + (place.isEmpty ? "" : "&after=\(place)"))
            found += rows(page)
            try #require(found.count < 100, "the pages of \(path) do not end")
            after = next(page)
        }
        return found
    }

    /// What a request below `/control/v1` is refused with.
    func refusal(_ path: String) async throws -> (status: Int, code: String?, message: String) {
        let answer = try await control("GET", "/control/v1\(path)")
        let message = try? WireJSON.decode(ErrorBody.self, from: answer.body).error.message
        return (answer.status, errorCode(answer), message ?? "")
    }
}

extension SaleFilter {
    static func of(
        _ name: String, _ value: String, _ scope: borrowing ReadScope
    ) throws -> SaleFilter {
        try SaleFilter(request("\(name)=\(value)"), scope)
    }
}

/// A request with a query, such as `state=finished`.
func request(_ query: String) -> HTTPRequest {
    let pairs = query.split(separator: "&").map {
        $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    return HTTPRequest(
        method: "GET", path: "/", segments: [], query: pairs.map { ($0[0], $0[1]) },
        headers: HTTPHeaders([]), body: [], peer: Peer(connection: 0))
}
