package import StoreHTTP
package import StoreWire

/// One address of a server: its parameters, bodies, answers and refusals, and its handler.
///
/// Routes, documents, limits of bodies and lists of errors are derived from endpoints; none of them
/// is stated a second time.
package struct Endpoint<Context: Sendable>: Sendable {
    package let operation: Operation
    package let handler: Handler<Context>
    /// The limit, in bytes, of a body that the document leaves out; nil for the server's usual
    /// limit.
    let undescribedBytesMax: Int?
    /// Whether the same path with a slash at its end is served, too.
    let takesSlash: Bool

    /// An endpoint whose handler determines the types of its body and its first answer.
    ///
    /// `example` is an example of its body; `body` describes it further. `bytesMax` is the limit of
    /// a body that is accepted but not described. An endpoint of the App Store Server API names the
    /// `errors` of its own, and how many requests a second Apple allows, if that is limited.
    package init(
        _ method: String, _ path: String, _ name: String, _ summary: String,
        about description: String? = nil, takes parameters: [Parameter] = [],
        example: JSONValue? = nil, body: RequestBody? = nil, bytesMax: Int? = nil,
        takesSlash: Bool = false,
        answers: [Answer], refuses refusals: Refusals = [:], errors: [ServerAPIError]? = nil,
        perSecond: Int64? = nil,
        _ handler: Handler<Context>
    ) {
        let known = body ?? handler.body.map { _ in RequestBody(example: example) }
        operation = Operation(
            method: method, path: path, name: name, summary: summary, description: description,
            parameters: parameters, body: known?.filled(with: handler.body),
            answers: answers.prefix(1).map { $0.filled(with: handler.answer) }
                + answers.dropFirst(),
            refusals: refusals,
            errors: errors.map {
                $0 + ServerAPIError.general + (perSecond.map { _ in [.rateLimitExceeded] } ?? [])
            }, perSecond: perSecond)
        self.handler = handler
        undescribedBytesMax = bytesMax
        self.takesSlash = takesSlash
    }
}

/// A document's description of an endpoint.
package struct Operation: Sendable {
    package let method: String
    /// Such as `/gift-codes/:number`.
    package var path: String
    /// Its name among the operations, such as `makeGiftCode`.
    package let name: String
    package let summary: String
    package let description: String?
    /// Parameters of the query and the headers, and those of the path that the document's table
    /// does not have.
    package var parameters: [Parameter]
    package let body: RequestBody?
    package let answers: [Answer]
    package let refusals: Refusals
    /// Its errors in the shape of the App Store Server API; nil when it only refuses.
    package let errors: [ServerAPIError]?
    /// How many requests a second Apple allows; nil when it does not say, or this is not Apple's.
    package let perSecond: Int64?

    /// Whether it also serves requests without a token.
    var isTokenOptional: Bool { refusals.contains { $0.key == 401 && $0.value.text.isEmpty } }

    /// The names of its path's parameters, in order.
    package var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
    }

    /// The same, with those of the parameters that its path names.
    package func taking(_ parameters: [Parameter]) -> Operation {
        var copy = self
        copy.parameters += parameters.filter { pathParameters.contains($0.name) }
        return copy
    }

    /// The same below another path.
    package func below(_ folder: String) -> Operation {
        var copy = self
        copy.path = folder + path
        return copy
    }
}

/// When an endpoint refuses, by status: sentences such as "`nameTaken`: an account has this name."
/// with the error codes first. The document adds the server's general refusals with the same
/// status, unless the text is whole.
package typealias Refusals = KeyValuePairs<Int, RefusalText>

package struct RefusalText: ExpressibleByStringInterpolation, Sendable {
    package let text: String
    /// Whether nothing more is added.
    package let isWhole: Bool
    /// Headers of the answer, as a document has them.
    package let headers: JSONValue?

    package init(stringLiteral text: String) {
        self.text = text
        isWhole = false
        headers = nil
    }

    private init(whole text: String, headers: JSONValue?) {
        self.text = text
        isWhole = true
        self.headers = headers
    }

    package static func whole(_ text: String, headers: JSONValue? = nil) -> RefusalText {
        RefusalText(whole: text, headers: headers)
    }

    /// Never, though the server's other endpoints do.
    package static let never = RefusalText(whole: "", headers: nil)

    package static let badField: RefusalText = "`badField`: the message names it."
}

/// A parameter of a path, of a query or of the headers.
package struct Parameter: Sendable {
    package enum Place: String, Sendable { case path, query, header }

    package let name: String
    package let place: Place
    let value: JSONValue
    let unknown: String?

    /// `schema` may be the name of a component. `unknown` is the 404 of endpoints that have none of
    /// their own and no later path parameter with one.
    package init(
        _ place: Place, _ name: String, _ description: String? = nil, schema: JSONValue,
        example: JSONValue? = nil, isRequired: Bool = false, unknown: String? = nil
    ) {
        self.name = name
        self.place = place
        self.unknown = unknown
        var value: JSONValue = ["name": .string(name), "in": .string(place.rawValue)]
        if isRequired || place == .path { value = value.merging(["required": true]) }
        if let description { value = value.merging(["description": .string(description)]) }
        value = value.merging(["schema": schema.string.map { .component($0) } ?? schema])
        if let example { value = value.merging(["example": example]) }
        self.value = value
    }
}

/// The content of a body.
package enum Content: Sendable {
    /// JSON of a type.
    case json(any (Decodable & SendableMetatype).Type)
    /// JSON of a schema without a type.
    case schema(JSONValue)
    /// Bytes of another type of media.
    case bytes(String, schema: JSONValue? = nil)
}

/// The body of a request.
package struct RequestBody: Sendable {
    /// When nil, JSON of the handler's body type.
    package let content: Content?
    package let example: JSONValue?
    package let description: String?
    /// Bytes; nil for the server's usual limit.
    package let bytesMax: Int?
    package let isRequired: Bool
    /// Whether it must be declared as `application/json`, which a page of another site cannot do
    /// without asking the server first: for endpoints that work without a token.
    package let mustBeDeclared: Bool

    package init(
        _ content: Content? = nil, example: JSONValue? = nil, description: String? = nil,
        bytesMax: Int? = nil, isRequired: Bool = true, mustBeDeclared: Bool = false
    ) {
        self.content = content
        self.example = example
        self.description = description
        self.bytesMax = bytesMax
        self.isRequired = isRequired
        self.mustBeDeclared = mustBeDeclared
    }

    /// Whether the server reads it as JSON, and refuses it unless it is as described.
    package var isDecoded: Bool {
        if case .bytes? = content { false } else { true }
    }

    fileprivate func filled(with type: Handler<Never>.Body?) -> RequestBody {
        RequestBody(
            content ?? type.map { .json($0) }, example: example, description: description,
            bytesMax: bytesMax, isRequired: isRequired, mustBeDeclared: mustBeDeclared)
    }
}

/// An answer that is not a refusal; a text alone describes one of status 200.
package struct Answer: ExpressibleByStringInterpolation, Sendable {
    package let status: Int
    package let description: String
    /// When nil, and for the first answer only, JSON of the handler's answer type.
    package let content: Content?
    package let example: JSONValue?
    package let headers: JSONValue?

    package init(
        _ status: Int, _ description: String, _ content: Content? = nil,
        example: JSONValue? = nil, headers: JSONValue? = nil
    ) {
        self.status = status
        self.description = description
        self.content = content
        self.example = example
        self.headers = headers
    }

    package init(stringLiteral text: String) {
        self.init(200, text)
    }

    fileprivate func filled(with type: Handler<Never>.Body?) -> Answer {
        Answer(
            status, description, content ?? type.map { .json($0) }, example: example,
            headers: headers)
    }
}

/// Where a request arrived.
package protocol ServiceContext: Sendable {
    /// The answer for an error; one that is not the client's fault is logged.
    func response(for error: any Error) -> HTTPResponse
}

extension ServiceContext {
    /// The answer for an error at an endpoint.
    func response(for error: any Error, at operation: Operation) -> HTTPResponse {
        guard operation.errors != nil else { return response(for: error) }
        if let error = error as? ServerAPIError { return error.response }
        let refusal = response(for: error)
        return ServerAPIError(ofStatus: refusal.status)?.response ?? refusal
    }
}

extension Router where Context: ServiceContext {
    /// A table of endpoints; `bodyBytesMax` is the usual limit, nil to leave it to the listener.
    package init(_ endpoints: [Endpoint<Context>], bodyBytesMax: Int? = nil) {
        self.init()
        for endpoint in endpoints {
            let operation = endpoint.operation
            let limit =
                operation.body?.bytesMax ?? endpoint.undescribedBytesMax ?? bodyBytesMax
            let serve: Handler = { request, path, context, responder in
                do {
                    // The listener refuses such a body before it is read.
                    if let limit, request.body.count > limit { throw Refusal.bodyTooLarge(limit) }
                    if operation.body?.mustBeDeclared == true, !request.isDeclaredAsJSON {
                        throw Refusal.notDeclaredAsJSON
                    }
                    try endpoint.handler.run(
                        Call(request, path, context, operation), operation, responder)
                } catch {
                    responder.send(context.response(for: error, at: operation))
                }
            }
            add(operation.method, operation.path, bodyBytesMax: limit, serve)
            guard endpoint.takesSlash else { continue }
            add(operation.method, operation.path + "/", bodyBytesMax: limit, serve)
        }
    }
}

extension JSONValue {
    /// A reference to a schema among the components.
    package static func component(_ name: String, _ description: String? = nil) -> JSONValue {
        let reference: JSONValue = ["$ref": .string("#/components/schemas/\(name)")]
        return description.map { reference.merging(["description": .string($0)]) } ?? reference
    }

    /// The schema of a text from a list of names.
    package static func oneOf(_ names: [String]) -> JSONValue { ["enum": .names(names)] }

    package static func names(_ names: [String]) -> JSONValue {
        .array(names.map { .string($0) })
    }
}
