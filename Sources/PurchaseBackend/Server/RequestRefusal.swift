import StoreDatabase
import StoreHTTP
import StoreWire

/// Why a request is not served: an HTTP status, a name for programs and a sentence for people.
struct RequestRefusal: Error, Hashable {
    let status: Int
    let code: String
    let message: String
    var allow: String?
    var retryAfterSeconds: Int?

    static func badBody(_ message: String) -> Self {
        .init(status: 400, code: "badBody", message: message)
    }

    static func badField(_ message: String) -> Self {
        .init(status: 422, code: "badField", message: message)
    }

    static let notSignedIn = Self(
        status: 401, code: "notSignedIn",
        message: "Sign in by POST /v1/sessions and send the token as Authorization: Bearer.")

    static let wrongNameOrPassword = Self(
        status: 401, code: "wrongNameOrPassword",
        message: "The name or the password is wrong.")

    static func lockedOut(seconds: Int) -> Self {
        .init(
            status: 423, code: "lockedOut",
            message: "Too many wrong passwords for this name: try again in \(seconds) seconds.",
            retryAfterSeconds: seconds)
    }

    static let nameTaken = Self(
        status: 409, code: "nameTaken", message: "A user of this name exists: choose another.")

    static func tooManySignUps(seconds: Int) -> Self {
        .init(
            status: 429, code: "tooManySignUps",
            message: "Too many users signed up lately: try again in \(seconds) seconds.",
            retryAfterSeconds: seconds)
    }

    static let busy = Self(
        status: 503, code: "busy",
        message: "The backend has too much to do right now: try again in 5 seconds.",
        retryAfterSeconds: 5)

    static let tooManyOpen = Self(
        status: 429, code: "tooManyOpen",
        message: "\(BackendLimits.openSubmissionsPerUserMax) receipts of this user wait for the "
            + "store already: they are kept and tried again; send this one later.",
        retryAfterSeconds: 60)

    static let noRoom = Self(
        status: 429, code: "tooManyOpen",
        message: "Receipts of more than \(BackendLimits.smallReceiptBytesMax >> 10) KiB that wait "
            + "for the store, or were refused, take all the room there is for them: send this "
            + "one later.",
        retryAfterSeconds: 60)

    static func tooManyRefused(seconds: Int) -> Self {
        .init(
            status: 429, code: "tooManyRefused",
            message: "\(BackendLimits.refusalsPerUserMax) receipts of this user were refused "
                + "lately: try again in \(seconds) seconds.",
            retryAfterSeconds: seconds)
    }

    static func tooManyRepeated(seconds: Int) -> Self {
        .init(
            status: 429, code: "tooManyRepeated",
            message: "\(BackendLimits.repeatsPerUserMax) purchases that were granted before were "
                + "sent by this user lately: try again in \(seconds) seconds.",
            retryAfterSeconds: seconds)
    }

    static let storage = Self(
        status: 503, code: "storageFailed",
        message: "The backend cannot write to its disk right now; nothing was lost: try again "
            + "in 30 seconds.",
        retryAfterSeconds: 30)

    static let failed = Self(
        status: 500, code: "failed",
        message: "The backend could not do this; nothing was lost. Try again.")

    static let notReady = Self(
        status: 503, code: "notReady", message: "The backend's database does not answer.")

    static let receiptInAddress = Self(
        status: 400, code: "receiptInAddress",
        message: "Send receipts by POST in the body: addresses end up in logs.")

    static func tooLarge(_ limit: Int) -> Self {
        .init(
            status: 413, code: "bodyTooLarge",
            message: "The body is longer than \(limit) bytes, the limit here.")
    }

    static func notFound(_ message: String) -> Self {
        .init(status: 404, code: "notFound", message: message)
    }

    var response: HTTPResponse {
        var response = jsonResponse(status: status, ErrorBody(code: code, message: message))
        if let seconds = retryAfterSeconds {
            response = jsonResponse(
                status: status,
                RetryLaterBody(code: code, message: message, retryAfterSeconds: seconds))
            response.headers.add("Retry-After", "\(seconds)")
        }
        if let allow { response.headers.add("Allow", allow) }
        if status == 401 { response.headers.add("WWW-Authenticate", "Bearer") }
        return response
    }
}

extension RequestRefusal {
    /// What to say of a failure that is not the request's: later when the storage is in trouble
    /// that can pass, a fault of ours else.
    init(of error: any Error) {
        switch (error as? DatabaseError)?.code {
        case .diskFull, .inputOutput: self = .storage
        case .unavailable: self = .busy
        default: self = .failed
        }
    }
}

/// A JSON answer; a body that cannot be encoded, which no value of ours is, becomes a bare 500.
func jsonResponse(status: Int, _ body: some Encodable) -> HTTPResponse {
    guard let bytes = try? WireJSON.encode(body) else { return HTTPResponse(status: 500) }
    return .json(bytes, status: status)
}
