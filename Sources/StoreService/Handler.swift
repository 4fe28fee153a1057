import Dispatch
package import StoreHTTP
import StoreWire

/// A request at an endpoint; it also has the members of its context.
@dynamicMemberLookup
package struct Call<Context: Sendable>: Sendable {
    package let request: HTTPRequest
    package let path: PathParameters
    package let context: Context
    package let operation: Operation

    init(
        _ request: HTTPRequest, _ path: PathParameters, _ context: Context, _ operation: Operation
    ) {
        self.request = request
        self.path = path
        self.context = context
        self.operation = operation
    }

    package subscript<Value>(dynamicMember member: KeyPath<Context, Value>) -> Value {
        context[keyPath: member]
    }

    /// The value of a parameter in the endpoint's path.
    package subscript(name: String) -> String {
        guard let value = path[name] else {
            preconditionFailure("the path of \(request.path) does not have :\(name)")
        }
        return value
    }
}

/// Serves an endpoint, and states the types of its body and answer.
package struct Handler<Context: Sendable>: Sendable {
    package typealias Body = any (Decodable & SendableMetatype).Type
    package typealias Run = @Sendable (Call<Context>, Operation, Responder) throws -> Void

    let body: Body?
    let answer: Body?
    let run: Run

    private init(_ body: Body?, _ answer: Body?, _ run: @escaping Run) {
        self.body = body
        self.answer = answer
        self.run = run
    }

    /// A handler that answers through the responder, at once or later; a thrown error is answered
    /// at once.
    package static func raw(
        _ serve: @escaping @Sendable (Call<Context>, Responder) throws -> Void
    ) -> Self {
        Self(nil, nil) { call, _, responder in try serve(call, responder) }
    }
}

/// Handlers that answer at once on the listener's thread: for work that does not wait.
extension Handler {
    package static func now<Answer: Codable & SendableMetatype>(
        _ serve: @escaping @Sendable (Call<Context>) throws -> Answer
    ) -> Self {
        Self(nil, Answer.self) { call, operation, responder in
            responder.send(try operation.answer(with: try serve(call)))
        }
    }

    package static func now<Body: Decodable & SendableMetatype, Answer: Codable & SendableMetatype>(
        _ serve: @escaping @Sendable (Call<Context>, Body) throws -> Answer
    ) -> Self {
        Self(Body.documented, Answer.self) { call, operation, responder in
            let body = try call.request.decoded(Body.self)
            responder.send(try operation.answer(with: try serve(call, body)))
        }
    }

    package static func now(
        _ serve: @escaping @Sendable (Call<Context>) throws -> HTTPResponse
    ) -> Self {
        Self(nil, nil) { call, _, responder in responder.send(try serve(call)) }
    }
}

/// Handlers that answer from a task: for work that waits for a commit, or for other work.
extension Handler where Context: ServiceContext {
    package static func later<Answer: Codable & SendableMetatype>(
        _ serve: @escaping @Sendable (Call<Context>) async throws -> Answer
    ) -> Self {
        Self(nil, Answer.self) { call, operation, responder in
            call.context.answer(responder, at: operation) {
                try operation.answer(with: try await serve(call))
            }
        }
    }

    package static func later<
        Body: Decodable & Sendable & SendableMetatype, Answer: Codable & SendableMetatype
    >(
        _ serve: @escaping @Sendable (Call<Context>, Body) async throws -> Answer
    ) -> Self {
        Self(Body.documented, Answer.self) { call, operation, responder in
            let body = try call.request.decoded(Body.self)
            call.context.answer(responder, at: operation) {
                try operation.answer(with: try await serve(call, body))
            }
        }
    }

    /// A handler that chooses the status itself.
    package static func later(
        _ serve: @escaping @Sendable (Call<Context>) async throws -> HTTPResponse
    ) -> Self {
        Self(nil, nil) { call, operation, responder in
            call.context.answer(responder, at: operation) { try await serve(call) }
        }
    }

    package static func later<Body: Decodable & Sendable & SendableMetatype>(
        _ serve: @escaping @Sendable (Call<Context>, Body) async throws -> HTTPResponse
    ) -> Self {
        Self(Body.documented, nil) { call, operation, responder in
            let body = try call.request.decoded(Body.self)
            call.context.answer(responder, at: operation) { try await serve(call, body) }
        }
    }
}

/// Handlers that answer from a thread of their own: for long work, such as copying a world.
extension Handler where Context: ServiceContext {
    package static func slow<Answer: Codable & SendableMetatype>(
        _ serve: @escaping @Sendable (Call<Context>) throws -> Answer
    ) -> Self {
        Self(nil, Answer.self) { call, operation, responder in
            call.context.answerSlowly(responder, at: operation) {
                try operation.answer(with: try serve(call))
            }
        }
    }

    package static func slow<
        Body: Decodable & Sendable & SendableMetatype, Answer: Codable & SendableMetatype
    >(
        _ serve: @escaping @Sendable (Call<Context>, Body) throws -> Answer
    ) -> Self {
        Self(Body.documented, Answer.self) { call, operation, responder in
            let body = try call.request.decoded(Body.self)
            call.context.answerSlowly(responder, at: operation) {
                try operation.answer(with: try serve(call, body))
            }
        }
    }

    package static func slow(
        _ serve: @escaping @Sendable (Call<Context>) throws -> HTTPResponse
    ) -> Self {
        Self(nil, nil) { call, operation, responder in
            call.context.answerSlowly(responder, at: operation) { try serve(call) }
        }
    }
}

extension ServiceContext {
    fileprivate func answerSlowly(
        _ responder: Responder, at operation: Operation,
        _ serve: @escaping @Sendable () throws -> HTTPResponse
    ) {
        DispatchQueue.global().async {
            do {
                responder.send(try serve())
            } catch {
                responder.send(response(for: error, at: operation))
            }
        }
    }

    fileprivate func answer(
        _ responder: Responder, at operation: Operation,
        _ serve: @escaping @Sendable () async throws -> HTTPResponse
    ) {
        Task {
            do {
                responder.send(try await serve())
            } catch {
                responder.send(response(for: error, at: operation))
            }
        }
    }
}

extension Operation {
    /// The endpoint's first answer, with a body.
    fileprivate func answer(with body: some Encodable) throws -> HTTPResponse {
        try .json(encoding: body, status: answers.first?.status ?? 200)
    }
}

extension HTTPResponse {
    package static func json(
        encoding body: some Encodable, status: Int = 200
    ) throws -> HTTPResponse {
        .json(try WireJSON.encode(body), status: status)
    }
}

extension HTTPRequest {
    /// The body as one of the wire's types; a 400 says what is wrong with it and where. An optional
    /// type is nil for an empty body only: JSON's null does not count as a missing body.
    package func decoded<Body: Decodable>(_ type: Body.Type) throws -> Body {
        do {
            guard let optional = type as? any OptionalBody.Type else {
                return try WireJSON.decodeBody(type, from: body)
            }
            guard let value = try optional.decoded(from: body) as? Body else {
                preconditionFailure("\(type) did not decode as itself")
            }
            return value
        } catch {
            throw Refusal(
                400, "badBody", "The body is not as expected: \(WireJSON.explain(error)).")
        }
    }
}

/// An optional type, for a body that may be left out.
private protocol OptionalBody {
    static var wrapped: any Any.Type { get }
    static func decoded(from body: [UInt8]) throws -> Self
}

extension Optional: OptionalBody where Wrapped: Decodable {
    fileprivate static var wrapped: any Any.Type { Wrapped.self }

    fileprivate static func decoded(from body: [UInt8]) throws -> Self {
        body.isEmpty ? nil : try WireJSON.decodeBody(Wrapped.self, from: body)
    }
}

extension Decodable where Self: SendableMetatype {
    /// The type to document: for an optional body, the body.
    fileprivate static var documented: Handler<Never>.Body {
        let wrapped = (Self.self as? any OptionalBody.Type)?.wrapped
        return wrapped as? Handler<Never>.Body ?? Self.self
    }
}
