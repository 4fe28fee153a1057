// Lists that may be narrowed and cut.
extension Option {
    static let newest = Option("limit", "N", "only the newest N")
    static let ofAccount = Option("account", "NAME", "only those of this account")
    static let ofEnvironment = Option(
        "environment", "E",
        "only those of sandbox or production; --account is in sandbox if absent",
        choices: ["sandbox", "production"])
    static let ofApp = Option("bundle-id", "ID", "only those of this app")
    /// What most lists can be narrowed to.
    static let ofOwner = [ofAccount, ofEnvironment, ofApp]
}

extension Arguments {
    /// The query of options that narrow a list, by its names in the query.
    func query(_ names: KeyValuePairs<String, String?>) -> String {
        names.map { name, value in
            value.map { "&\(name)=\(ServerClient.escaped($0))" } ?? ""
        }.joined()
    }

    /// That of `Option.ofOwner`.
    var ownerQuery: String {
        query([
            "account": value("account"), "environment": value("environment"),
            "app": value("bundle-id"),
        ])
    }

    /// Pages of a list until it ends, or has the newest `--limit`; `pageMax` is the size of a page.
    func pages<Page: Decodable, Row, Place: CustomStringConvertible>(
        _ path: String, query: String, pageMax: Int64, _ rows: (Page) -> [Row],
        _ next: (Page) -> Place?
    ) throws -> [Page] {
        let countMax = try count("limit")
        let size = countMax.map { "&limit=\(min($0, pageMax))" } ?? ""
        return try ControlClient(self).pages(
            Page.self, path, query: query + size,
            while: { pages in
                guard let countMax else { return true }
                return pages.reduce(0) { $0 + rows($1).count } < countMax
            }, next: next)
    }

    /// The rows of pages, at most the newest `--limit` of them.
    func rows<Page, Row>(of pages: [Page], _ rows: (Page) -> [Row]) throws -> [Row] {
        let all = pages.flatMap(rows)
        return try count("limit").map { Array(all.prefix(Int($0))) } ?? all
    }
}
