/// Finds the handler for a method and a path; a value, so that services are tested without a
/// socket.
///
/// A pattern is `/transactions/:id/finish`. If both a literal and a parameter match, the literal
/// wins, and only its methods count. HEAD is answered by the handler of GET. A route of `anyMethod`
/// takes the methods that have no route of their own. A slash at the end of a path counts: it needs
/// a pattern of its own that ends in one.
package struct Router<Context>: Sendable {
    package typealias Handler =
        @Sendable (HTTPRequest, PathParameters, Context, Responder) -> Void

    package enum Match {
        case found(Handler, PathParameters)
        /// Sorted, for the `Allow` header.
        case methodNotAllowed([String])
        case notFound
    }

    /// The method of a route for every method.
    package static var anyMethod: String { RouteTree.anyMethod }

    private var tree = RouteTree()
    private var handlers: [Handler] = []
    private var routes: [(method: String, pattern: RoutePattern)] = []

    package init() {}

    /// Adds a route; two with the same method and path shape are a programming error.
    ///
    /// `bodyBytesMax` is for the listener, which needs it before it reads a body.
    package mutating func add(
        _ method: String, _ pattern: String, bodyBytesMax: Int? = nil, _ handler: @escaping Handler
    ) {
        precondition(pattern.hasPrefix("/"), "the pattern \(pattern) does not begin with /")
        let parts =
            pattern.split(separator: "/").map(String.init)
            + (pattern.count > 1 && pattern.hasSuffix("/") ? [""] : [])
        let names = parts.filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
        precondition(
            Set(names).count == names.count && !names.contains(""),
            "the pattern \(pattern) needs a different name for each parameter")
        tree.insert(
            RouteTree.Route(
                pattern: RoutePattern(pattern), parameterNames: names,
                bodyBytesMax: bodyBytesMax, number: handlers.count),
            method: method, parts: parts)
        handlers.append(handler)
        routes.append((method, RoutePattern(pattern)))
    }

    /// The handler for a path's decoded parts, which may be the rest of a longer path.
    package func route(method: String, segments: some Collection<String>) -> Match {
        guard let (node, values) = tree.find(Array(segments)) else { return .notFound }
        guard let route = node.route(method) else {
            let extra = node.routes["GET"] == nil ? [] : ["HEAD"]
            return .methodNotAllowed(Set(Array(node.routes.keys) + extra).sorted())
        }
        let pairs = zip(route.parameterNames, values)
        return .found(
            handlers[route.number],
            PathParameters(
                pattern: route.pattern, number: route.number,
                values: Dictionary(pairs, uniquingKeysWith: { $1 })))
    }

    /// Whether there is a route for a path, whatever its method.
    package func knows(_ segments: [String]) -> Bool { tree.find(segments) != nil }

    /// The limit set by `add` for the route of a method and a path.
    package func bodyBytesMax(method: String, segments: [String]) -> Int? {
        tree.find(segments)?.node.route(method)?.bodyBytesMax
    }

    /// Counts for each route, all of them zero.
    package func makeCounts() -> RouteCounts {
        RouteCounts(
            routes: routes.map { RouteCounts.Route(method: $0.method, pattern: $0.pattern) })
    }

    /// Calls the handler, or answers 404 or 405; `segments` default to the request's own. The answer
    /// is counted for its route.
    package func respond(
        to request: HTTPRequest, segments: [String]? = nil, context: Context,
        responder: Responder, counts: RouteCounts? = nil
    ) {
        switch route(method: request.method, segments: segments ?? request.segments) {
        case .found(let handler, let parameters):
            if let counts { responder.count(in: counts.routes[parameters.number].counts) }
            handler(request, parameters, context, responder)
        case .methodNotAllowed(let allowed): responder.send(.methodNotAllowed(allowed))
        case .notFound: responder.send(.notFound)
        }
    }
}

/// The routes of a router by the parts of their paths, apart from it since it is not generic: every
/// request is looked up several times.
private struct RouteTree: Sendable {
    static let anyMethod = "*"

    struct Route: Sendable {
        let pattern: RoutePattern
        let parameterNames: [String]
        let bodyBytesMax: Int?
        /// The place of its handler.
        let number: Int
    }

    struct Node: Sendable {
        var routes: [String: Route] = [:]
        var literals: [String: Node] = [:]
        /// None or one.
        var parameter: [Node] = []

        func route(_ method: String) -> Route? {
            routes[method] ?? (method == "HEAD" ? routes["GET"] : nil) ?? routes[anyMethod]
        }
    }

    private var root = Node()

    mutating func insert(_ route: Route, method: String, parts: [String]) {
        Self.insert(route, method: method, parts: parts[...], into: &root)
    }

    private static func insert(
        _ route: Route, method: String, parts: ArraySlice<String>, into node: inout Node
    ) {
        guard let part = parts.first else {
            precondition(node.routes[method] == nil, "a route for \(method) was added twice")
            node.routes[method] = route
            return
        }
        if part.hasPrefix(":") {
            if node.parameter.isEmpty { node.parameter = [Node()] }
            insert(route, method: method, parts: parts.dropFirst(), into: &node.parameter[0])
        } else {
            insert(
                route, method: method, parts: parts.dropFirst(),
                into: &node.literals[part, default: Node()])
        }
    }

    /// The node of a path, and the values of its parameters.
    func find(_ segments: [String]) -> (node: Node, values: [String])? {
        var values: [String] = []
        return Self.find(segments[...], in: root, values: &values).map { ($0, values) }
    }

    private static func find(
        _ segments: ArraySlice<String>, in node: Node, values: inout [String]
    ) -> Node? {
        guard let segment = segments.first else { return node.routes.isEmpty ? nil : node }
        let rest = segments.dropFirst()
        if let literal = node.literals[segment],
            let found = find(rest, in: literal, values: &values)
        {
            return found
        }
        // A path that ends in "/" has an empty last part, which is not a value.
        guard !segment.isEmpty, let parameter = node.parameter.first else { return nil }
        values.append(segment)
        if let found = find(rest, in: parameter, values: &values) { return found }
        values.removeLast()
        return nil
    }
}

/// The pattern that a path matched, and the decoded parts of the path that it names.
package struct PathParameters: Sendable, Hashable {
    package let pattern: RoutePattern
    /// That of the route in its router.
    fileprivate let number: Int
    fileprivate let values: [String: String]

    /// The value of `:name`; nil when the pattern has no such part.
    package subscript(_ name: String) -> String? { values[name] }
}
