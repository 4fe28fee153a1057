import StoreHTTP
package import StoreWire

/// A server's OpenAPI 3.1 document, and the parts that all of its endpoints share.
package protocol ServiceDocument {
    /// The document's members up to `tags`.
    static var head: JSONValue { get }
    static var groups: [DocumentGroup] { get }
    static var securitySchemes: JSONValue { get }
    /// Types that are encoded as one value.
    static var scalars: [Scalar] { get }
    /// Schemas without a type.
    static var schemas: [(String, JSONValue)] { get }
    /// The parameters of paths.
    static var pathParameters: [Parameter] { get }
    /// An example of the message of `badBody`.
    static var badBodyExample: String { get }
    /// Members of an error's body beside `error`.
    static var errorMembers: JSONValue { get }

    /// Codes of errors beside those that operations name.
    static var otherCodes: Set<String> { get }

    /// The scheme of the token that an operation requires; nil for none.
    static func token(of operation: Operation) -> String?
    /// Members of an operation's path, such as `servers`.
    static func pathMembers(of operation: Operation) -> JSONValue
    /// The refusals with a status that any operation may give, beside its own text; nil for none.
    static func usual(_ status: Int, beside own: String?, of operation: Operation) -> String?
}

extension ServiceDocument {
    package static var errorMembers: JSONValue { [:] }

    package static func pathMembers(of operation: Operation) -> JSONValue { [:] }

    /// The document as served.
    package static func write() -> [UInt8] {
        var writer = DocumentWriter(self)
        return writer.value().indentedBytes
    }

    /// A security scheme whose token is sent as `Authorization: Bearer …`.
    package static func bearer(_ description: String) -> JSONValue {
        ["type": "http", "scheme": "bearer", "description": .string(description)]
    }
}

/// Operations under a tag.
package struct DocumentGroup: Sendable {
    let tag: String
    let description: String
    let operations: [Operation]

    package init(_ tag: String, _ description: String, _ operations: [Operation]) {
        self.tag = tag
        self.description = description
        self.operations = operations
    }
}

/// Makes the document of a server's endpoints.
private struct DocumentWriter {
    private static let usualStatuses = [400, 401, 404, 413, 415, 500, 503]

    private let server: any ServiceDocument.Type
    private var recorder: ShapeRecorder
    private var codes: Set<String>
    private var errors: Set<ServerAPIError> = []

    init(_ server: any ServiceDocument.Type) {
        self.server = server
        recorder = ShapeRecorder(server.scalars)
        codes = server.otherCodes
    }

    mutating func value() -> JSONValue {
        // A body used in both directions is described as in a request.
        for operation in server.groups.flatMap(\.operations) {
            if case .json(let type)? = operation.body?.content {
                _ = recorder.schema(of: type, in: .request)
            }
        }
        var paths: [(String, JSONValue)] = []
        for group in server.groups {
            for operation in group.operations {
                let path = RoutePattern(operation.path).text
                let described = JSONValue.object([
                    .init(Self.method(operation.method), self.described(operation, in: group.tag))
                ])
                if let index = paths.firstIndex(where: { $0.0 == path }) {
                    paths[index].1 = paths[index].1.merging(described)
                } else {
                    paths.append((path, server.pathMembers(of: operation).merging(described)))
                }
            }
        }
        let tags = server.groups.map { group -> JSONValue in
            ["name": .string(group.tag), "description": .string(group.description)]
        }
        return server.head.merging([
            "tags": .array(tags), "paths": Self.object(paths),
            "components": [
                "securitySchemes": server.securitySchemes, "responses": responses,
                "schemas": schemas(),
            ],
        ])
    }

    private mutating func described(_ operation: Operation, in tag: String) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("operationId", .string(operation.name)), ("tags", [.string(tag)]),
            ("summary", .string(operation.summary)),
        ]
        if let text = operation.description { members.append(("description", .string(text))) }
        if let token = server.token(of: operation) {
            members.append(
                (
                    "security",
                    .array((operation.isTokenOptional ? [[:]] : []) + [.object([.init(token, [])])])
                ))
        }
        let parameters = self.parameters(of: operation)
        if !parameters.isEmpty { members.append(("parameters", .array(parameters.map(\.value)))) }
        if let body = operation.body { members.append(("requestBody", self.body(body))) }
        var answers = operation.answers.map { ("\($0.status)", self.answer($0)) }
        answers += refusals(of: operation)
        members.append(("responses", Self.object(answers.sorted { $0.0 < $1.0 })))
        return Self.object(members)
    }

    private func parameters(of operation: Operation) -> [Parameter] {
        for parameter in operation.parameters where parameter.place == .path {
            precondition(
                operation.pathParameters.contains(parameter.name),
                "\(operation.path) does not have a parameter \(parameter.name)")
        }
        let ofPath = operation.pathParameters.map { name in
            guard
                let parameter = (operation.parameters + server.pathParameters)
                    .first(where: { $0.name == name && $0.place == .path })
            else { preconditionFailure("\(operation.path) has a parameter without a description") }
            return parameter
        }
        return ofPath + operation.parameters.filter { $0.place != .path }
    }

    private mutating func body(_ body: RequestBody) -> JSONValue {
        var members: [(String, JSONValue)] = []
        if body.isRequired { members.append(("required", true)) }
        if let text = body.description { members.append(("description", .string(text))) }
        if let limit = body.bytesMax { members.append(("x-bodyBytesMax", .integer(limit))) }
        if let content = body.content {
            members.append(("content", self.content(content, body.example, in: .request)))
        }
        return Self.object(members)
    }

    private mutating func answer(_ answer: Answer) -> JSONValue {
        var value: JSONValue = ["description": .string(answer.description)]
        if let headers = answer.headers { value = value.merging(["headers": headers]) }
        guard let content = answer.content else { return value }
        return value.merging(["content": self.content(content, answer.example, in: .answer)])
    }

    private mutating func content(
        _ content: Content, _ example: JSONValue?, in direction: ShapeRecorder.Direction
    ) -> JSONValue {
        var media = "application/json"
        var value: JSONValue
        switch content {
        case .json(let type): value = ["schema": recorder.schema(of: type, in: direction)]
        case .schema(let schema): value = ["schema": schema.string.map { .component($0) } ?? schema]
        case .bytes(let name, let schema):
            media = name
            value = schema.map { ["schema": $0] } ?? [:]
        }
        if let example { value = value.merging(["example": example]) }
        return .object([.init(media, value)])
    }

    private mutating func refusals(of operation: Operation) -> [(String, JSONValue)] {
        var found: [(String, JSONValue)] = []
        var said: Set<String> = []
        let own = operation.refusals
        let errors = operation.errors ?? []
        precondition(Set(errors).count == errors.count, "\(operation.name) names an error twice")
        self.errors.formUnion(errors)
        for status in Set(Self.usualStatuses + own.map(\.key) + errors.map(\.status)) {
            let refusal = own.first { $0.key == status }?.value
            let mine = refusal?.text ?? implied(status, in: operation)
            let usual =
                refusal?.isWhole == true
                ? nil : server.usual(status, beside: mine, of: operation)
            let text = [mine, usual].compactMap { $0 }.joined(separator: " ")
            let failures = errors.filter { $0.status == status }
            guard !text.isEmpty || !failures.isEmpty else { continue }
            for code in Self.codes(in: text) {
                precondition(said.insert(code).inserted, "\(operation.name) names \(code) twice")
            }
            codes.formUnion(said)
            let response = text.contains("`badBody`") ? "BadBody" : Self.response(status)
            var value: JSONValue = [
                "$ref": .string("#/components/responses/\(response)"),
                "description": .string(text),
            ]
            if let headers = refusal?.headers {
                value = Self.response(text, headers, .component("Error"))
            }
            if !failures.isEmpty {
                let headers = refusal?.headers ?? ServerAPIError.headers(of: failures)
                value = Self.response(failures, headers, beside: text)
            }
            found.append(("\(status)", value))
        }
        return found
    }

    /// A refusal that follows from the operation's parts: the 404 of the last path parameter that
    /// has one, or the 415 of a body that must be declared.
    private func implied(_ status: Int, in operation: Operation) -> String? {
        switch status {
        case 404: parameters(of: operation).filter { $0.place == .path }.compactMap(\.unknown).last
        case 415 where operation.body?.mustBeDeclared == true:
            "`notJSON`: the `Content-Type` is not `application/json`."
        default: nil
        }
    }

    /// The answer of errors of the App Store Server API, and of refusals with the same status.
    private static func response(
        _ errors: [ServerAPIError], _ headers: JSONValue?, beside refusals: String
    ) -> JSONValue {
        let texts = errors.map { "`\($0.rawValue)`: \($0.message)" }
        guard !refusals.isEmpty else {
            return response(texts.joined(separator: " "), headers, .component("ServerAPIError"))
        }
        return response(
            (texts + [refusals]).joined(separator: " "), headers,
            ["anyOf": [.component("ServerAPIError"), .component("Error")]])
    }

    private static func response(
        _ text: String, _ headers: JSONValue?, _ schema: JSONValue
    ) -> JSONValue {
        let described: JSONValue = ["description": .string(text)]
        return described.merging(headers.map { ["headers": $0] } ?? [:])
            .merging(["content": ["application/json": ["schema": schema]]])
    }

    /// The shared answer of a refusal, chosen by the headers of its status.
    private static func response(_ status: Int) -> String {
        switch status {
        case 401: "TokenWanted"
        case 503: "Later"
        default: "Error"
        }
    }

    private var responses: JSONValue {
        let content: JSONValue = ["application/json": ["schema": .component("Error")]]
        let seconds: JSONValue = ["type": "integer", "minimum": 1]
        let example: JSONValue = [
            "error": ["code": "badBody", "message": .string(server.badBodyExample)]
        ]
        return [
            "Error": ["description": "Refused; nothing was changed.", "content": content],
            "BadBody": [
                "description": "Refused; nothing was changed.",
                "content": [
                    "application/json": ["schema": .component("Error"), "example": example]
                ],
            ],
            "TokenWanted": [
                "description": "Refused without a valid token.",
                "headers": ["WWW-Authenticate": ["schema": ["const": "Bearer"]]],
                "content": content,
            ],
            "Later": [
                "description": "The request may be repeated.",
                "headers": [
                    "Retry-After": [
                        "description": "In seconds; absent with some codes.", "schema": seconds,
                    ]
                ],
                "content": content,
            ],
        ]
    }

    private mutating func schemas() -> JSONValue {
        let code = "A name for programs; each operation lists the codes of each status."
        let error: JSONValue = [
            "type": "object", "required": ["code", "message"],
            "properties": [
                "code": .component("ErrorCode"),
                "message": ["type": "string", "description": "A sentence for people."],
            ],
        ]
        var found = recorder.components
        found["Error"] = [
            "type": "object", "required": ["error"],
            "properties": JSONValue.object([.init("error", error)])
                .merging(server.errorMembers),
        ]
        found["ErrorCode"] = [
            "description": .string(code), "enum": .array(codes.sorted().map { .string($0) }),
        ]
        if !errors.isEmpty {
            found["ServerAPIError"] = [
                "type": "object", "required": ["errorCode", "errorMessage"],
                "properties": [
                    "errorCode": [
                        "description": "Each operation lists the numbers of each status.",
                        "enum": .array(errors.map(\.rawValue).sorted().map { .integer($0) }),
                    ], "errorMessage": ["type": "string"],
                ],
                "additionalProperties": false,
            ]
        }
        let known = server.scalars.compactMap { scalar in scalar.name.map { ($0, scalar.schema) } }
        for (name, schema) in known + server.schemas where found[name] == nil {
            found[name] = schema
        }
        return Self.object(found.sorted { $0.key < $1.key })
    }

    /// The codes that a text names before their sentences: "`a`, `b`: why. `c`: why."
    static func codes(in text: String) -> [String] {
        text.matches(of: /`\w+`(?:, `\w+`)*(?=:)/).flatMap { list in
            list.output.split(separator: ", ").map { $0.filter { $0 != "`" } }
        }
    }

    /// A method as documents write it; an endpoint for any method is documented as GET.
    private static func method(_ name: String) -> String {
        name == Router<Void>.anyMethod ? "get" : name.lowercased()
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { .init($0.0, $0.1) })
    }
}
