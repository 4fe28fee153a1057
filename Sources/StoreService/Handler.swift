import Dispatch
package import StoreHTTP
import StoreWire

/// A request at an endpoint, with the members of where it arrived.
@dynamicMemberLookup
package struct Call<Context: Sendable>: Sendable {
    package let request: HTTPRequest
    package let path: PathParameters
    package let context: Context

    init(_ request: HTTPRequest, _ path: PathParameters, _ context: Context) {
        self.request = request
        self.path = path
        self.context = context
    }

    package subscript<Value>(dynamicMember member: KeyPath<Context, Value>) -> Value {
        context[keyPath: member]
    }

    /// The value of a part that the endpoint's path names.
    package subscript(name: String) -> String {
        guard let value = path[name] else {
            preconditionFailure("the path of \(request.path) has no :\(name)")
        }
        return value
    }
}

/// What serves an endpoint, and the types of the bodies it takes and answers with.
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

    /// One that answers the responder itself, at once or later; an error that it throws is answered
    /// at once.
    package static func raw(
        _ serve: @escaping @Sendable (Call<Context>, Responder) throws -> Void
    ) -> Self {
        Self(nil, nil) { call, _, responder in try serve(call, responder) }
    }
}

/// Of those that answer at once on the listener's thread: for what waits for nothing.
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

/// Of those that answer from a task: for what waits for a commit, or for other work.
extension Handler where Context: ServiceContext {
    package static func later<Answer: Codable & SendableMetatype>(
        _ serve: @escaping @Sendable (Call<Context>) async throws -> Answer
    ) -> Self {
        Self(nil, Answer.self) { call, operation, responder in
            call.context.answer(responder) { try operation.answer(with: try await serve(call)) }
        }
    }

    package static func later<
        Body: Decodable & Sendable & SendableMetatype, Answer: Codable & SendableMetatype
    >(
        _ serve: @escaping @Sendable (Call<Context>, Body) async throws -> Answer
    ) -> Self {
        Self(Body.documented, Answer.self) { call, operation, responder in
            let body = try call.request.decoded(Body.self)
            call.context.answer(responder) {
                try operation.answer(with: try await serve(call, body))
            }
        }
    }

    /// One that says the status itself.
    package static func later(
        _ serve: @escaping @Sendable (Call<Context>) async throws -> HTTPResponse
    ) -> Self {
        Self(nil, nil) { call, _, responder in
            call.context.answer(responder) { try await serve(call) }
        }
    }

    package static func later<Body: Decodable & Sendable & SendableMetatype>(
        _ serve: @escaping @Sendable (Call<Context>, Body) async throws -> HTTPResponse
    ) -> Self {
        Self(Body.documented, nil) { call, _, responder in
            let body = try call.request.decoded(Body.self)
            call.context.answer(responder) { try await serve(call, body) }
        }
    }
}

/// Of those that answer from a thread of their own: for what takes long, such as copying a world.
extension Handler where Context: ServiceContext {
    package static func slow<Answer: Codable & SendableMetatype>(
        _ serve: @escaping @Sendable (Call<Context>) throws -> Answer
    ) -> Self {
        Self(nil, Answer.self) { call, operation, responder in
            call.context.answerSlowly(responder) { try operation.answer(with: try serve(call)) }
        }
    }

    package static func slow<
        Body: Decodable & Sendable & SendableMetatype, Answer: Codable & SendableMetatype
    >(
        _ serve: @escaping @Sendable (Call<Context>, Body) throws -> Answer
    ) -> Self {
        Self(Body.documented, Answer.self) { call, operation, responder in
            let body = try call.request.decoded(Body.self)
            call.context.answerSlowly(responder) {
                try operation.answer(with: try serve(call, body))
            }
        }
    }

    package static func slow(
        _ serve: @escaping @Sendable (Call<Context>) throws -> HTTPResponse
    ) -> Self {
        Self(nil, nil) { call, _, responder in
            call.context.answerSlowly(responder) { try serve(call) }
        }
    }
}

extension ServiceContext {
    fileprivate func answerSlowly(
        _ responder: Responder, _ serve: @escaping @Sendable () throws -> HTTPResponse
    ) {
        DispatchQueue.global().async {
            do {
                responder.send(try serve())
            } catch {
                responder.send(response(for: error))
            }
        }
    }

    fileprivate func answer(
        _ responder: Responder, _ serve: @escaping @Sendable () async throws -> HTTPResponse
    ) {
        Task {
            do {
                responder.send(try await serve())
            } catch {
                responder.send(response(for: error))
            }
        }
    }
}

extension Operation {
    /// The first answer of the endpoint, with a body.
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
    /// The body as one of the wire's shapes; 400 says what is wrong with it and where. An optional
    /// shape is nil for an empty body, and for no other: JSON's null is no body that was left out.
    package func decoded<Body: Decodable>(_ type: Body.Type) throws -> Body {
        do {
            guard let optional = type as? any OptionalBody.Type else {
                return try WireJSON.decode(type, from: body)
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

/// An optional, which stands for a body that may be left out.
private protocol OptionalBody {
    static var wrapped: any Any.Type { get }
    static func decoded(from body: [UInt8]) throws -> Self
}

extension Optional: OptionalBody where Wrapped: Decodable {
    fileprivate static var wrapped: any Any.Type { Wrapped.self }

    fileprivate static func decoded(from body: [UInt8]) throws -> Self {
        body.isEmpty ? nil : try WireJSON.decode(Wrapped.self, from: body)
    }
}

extension Decodable where Self: SendableMetatype {
    /// What a document describes: of a body that may be left out, the body.
    fileprivate static var documented: Handler<Never>.Body {
        let wrapped = (Self.self as? any OptionalBody.Type)?.wrapped
        return wrapped as? Handler<Never>.Body ?? Self.self
    }
}
