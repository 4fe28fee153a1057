import StoreLog
import StoreWire

/// How a command asks a running store and prints the answer.
extension Arguments {
    /// Prints an answer unchanged with `--json`, otherwise as `text` renders it.
    func show<Body: Decodable>(_ bytes: [UInt8], _ text: (Body) throws -> String) throws {
        guard !has("json") else {
            return Terminal.print(String(decoding: bytes, as: UTF8.self), as: .json)
        }
        Terminal.print(try text(try WireJSON.decode(Body.self, from: bytes)))
    }

    /// Sends a request below the world's `/control/v1` and prints the answer.
    func send<Body: Decodable>(
        _ method: String, _ path: String, _ body: (any Encodable)? = nil,
        _ text: (Body) throws -> String
    ) throws {
        try show(try ControlClient(self).send(method, path, body), text)
    }

    /// Prints a table of every row of every page of a list; with `--json`, all as one page.
    func list<Page: Codable, Row>(
        _ path: String, query: String = "", _ rows: (Page) -> [Row], _ next: (Page) -> Int64?,
        _ whole: ([Row], Int64?) -> Page, _ header: [String], _ row: (Row) -> [String]
    ) throws {
        let found = try ControlClient(self).pages(Page.self, path, query: query, next: next)
            .flatMap(rows)
        try show(try WireJSON.encode(whole(found, nil))) { (page: Page) in
            Terminal.table(header, rows(page).map(row))
        }
    }
}
