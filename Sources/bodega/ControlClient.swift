import Foundation
import StoreCaller
import StoreModel
import StoreWire

/// A page of a list that goes on.
protocol FollowedPage: Decodable {
    /// Names the list that the positions are of.
    var list: String { get }
    /// The `after` of what is not listed yet.
    var position: Int64 { get }
}

extension ActivitiesBody: FollowedPage {}
extension EventsBody: FollowedPage {}

/// Talks to a running store's `/control`.
struct ControlClient {
    private let server: ServerClient
    private let worldPath: String
    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        let world = try Arguments.name(arguments.value("world") ?? "default", for: "--world")
        worldPath = world == "default" ? "" : "/t/\(world)"
        server = try ServerClient(.store, arguments)
        self.arguments = arguments
    }

    /// Every page of a list whose address takes `after`, starting with the first, for as long as
    /// more are wanted; a page's `next` says where to continue.
    func pages<Page: Decodable, Place: CustomStringConvertible>(
        _ type: Page.Type, _ path: String, after start: String = "0", query: String = "",
        while goesOn: ([Page]) -> Bool = { _ in true }, next: (Page) -> Place?
    ) throws -> [Page] {
        var pages: [Page] = []
        var place: String? = start
        while let after = place, goesOn(pages) {
            let page = try WireJSON.decode(
                type, from: try send("GET", "\(path)?after=\(after)\(query)"))
            pages.append(page)
            place = next(page).map { "\($0)" }
        }
        return pages
    }

    /// Takes each page after `last` with the position that it was asked with, for as long as the
    /// store answers; a busy one is asked again. A list in the place of another is noted, and followed
    /// from its start.
    func follow<Page: FollowedPage>(
        _ path: String, query: String, after last: Page?, ifReplaced note: String,
        take: (Page, Int64) throws -> Void
    ) throws {
        var (position, list) = (last?.position ?? 0, last?.list)
        while true {
            let place = "?after=\(position)&wait=20" + arguments.query(["list": list])
            do {
                let page = try WireJSON.decode(
                    Page.self, from: try send("GET", path + place + query))
                let isOther = list != nil && page.list != list
                list = page.list
                if !isOther {
                    try take(page, position)
                    position = page.position
                    continue
                }
                Terminal.note("bodega: \(note)")
                position = 0
            } catch let failure as Failure where failure.mayPass {}
            // Also servers behind one address that take turns.
            Thread.sleep(forTimeInterval: 0.5)
        }
    }

    /// Sends a request below the world's `/control/v1`.
    func send(_ method: String, _ path: String, _ body: (any Encodable)? = nil) throws -> [UInt8] {
        try send(method, path, bytes: try body.map { try WireJSON.encode($0) })
    }

    /// Asks the world's App Store Server API as an app's server does, with a token of its own.
    func ask(
        _ path: String, in environment: StoreEnvironment, token: String
    ) throws -> CallerResponse {
        try server.answer("GET", "\(worldPath)/\(environment.rawValue)\(path)", token: token)
    }

    func send(
        _ method: String, _ path: String, bytes: [UInt8]?,
        answerBytesMax: Int = ServerClient.answerBytesMax
    ) throws -> [UInt8] {
        do {
            return try server.send(
                method, "\(worldPath)/control/v1\(path)", bytes, answerBytesMax: answerBytesMax)
        } catch let failure as Failure {
            throw corrected(failure)
        }
    }
}

/// Names that were probably meant.
extension ControlClient {
    /// What a store has by name, by the code of the refusal of an unknown one.
    enum Named: String {
        case account = "accountUnknown"
        case app = "appUnknown"
        case product = "productUnknown"
        case world = "worldUnknown"
    }

    /// Pages of accounts among which the name that was meant is looked for.
    private static let accountPagesMax = 10

    /// Every name of a kind; of accounts, the newest of the environment that is meant.
    func names(of kind: Named) throws -> [String] {
        func get<Body: Decodable>(_ type: Body.Type, _ path: String) throws -> Body {
            try WireJSON.decode(type, from: server.send("GET", path))
        }
        let control = "\(worldPath)/control/v1"
        switch kind {
        case .account:
            let query = "&order=newest&environment=\(arguments.environment.rawValue)"
            return try pages(
                AccountsBody.self, "/accounts", query: query,
                while: { $0.count < Self.accountPagesMax }, next: \.next
            ).flatMap(\.accounts).filter { $0.deletedAt == nil }.map(\.name)
        case .app: return try get(AppsBody.self, "\(control)/apps").apps.map(\.bundleId)
        case .product:
            let path = "\(control)\(try arguments.app())/products"
            return try get(CatalogueProductsBody.self, path).products.map(\.productId)
        case .world: return try get(WorldsBody.self, "/control/v1/worlds").worlds.map(\.name)
        }
    }

    /// A refusal of an unknown name with the nearest one that the store has.
    func corrected(_ failure: Failure) -> Failure {
        guard let kind = Named(rawValue: failure.code), let known = try? names(of: kind) else {
            return failure
        }
        let near = arguments.names(of: kind).lazy.filter { !known.contains($0) }
            .compactMap { Spelling.nearest(to: $0, of: known) }.first
        guard let near else { return failure }
        return failure.said { "\(WrongValue.sentence($0)) (did you mean \(near)?)" }
    }
}

extension Arguments {
    /// The names of a kind that were typed, by the words and options that commands have for it.
    fileprivate func names(of kind: ControlClient.Named) -> [String] {
        let names =
            switch kind {
            case .account: [value("account"), word("NAME"), word("ACCOUNT"), word("ORGANISER")]
            case .app: [value("bundle-id"), word("BUNDLE-ID")]
            case .product: [word("PRODUCT"), value("product")]
            case .world: [value("world"), word("WORLD")]
            }
        return names.compactMap { $0 }
    }
}
