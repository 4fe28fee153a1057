import StoreDatabase
import StoreHTTP
import StoreService
import StoreWire

/// Refusals that many endpoints share.
extension Refusal {
    static func badBody(_ message: String) -> Self {
        .init(400, "badBody", message)
    }

    static func badField(_ message: String) -> Self {
        .init(422, "badField", message)
    }

    static let notSignedIn = Self(
        401, "notSignedIn",
        "Sign in with POST /v1/sessions and send the token as Authorization: Bearer.")

    static let wrongNameOrPassword = Self(
        401, "wrongNameOrPassword",
        "The name or the password is wrong.")

    static func lockedOut(seconds: Int) -> Self {
        .init(
            423, "lockedOut",
            "Too many wrong passwords for this name: try again in \(seconds) seconds.",
            retryAfterSeconds: Int64(seconds))
    }

    static let nameTaken = Self(
        409, "nameTaken", "A user with this name already exists: choose another.")

    static func tooManySignUps(seconds: Int) -> Self {
        .init(
            429, "tooManySignUps",
            "Too many users signed up recently: try again in \(seconds) seconds.",
            retryAfterSeconds: Int64(seconds))
    }

    static let busy = Self(
        503, "busy",
        "The backend is too busy right now: try again in 5 seconds.",
        retryAfterSeconds: 5)

    static let tooManyOpen = Self(
        429, "tooManyOpen",
        "\(BackendLimits.openSubmissionsPerUserMax) receipts of this user are already "
            + "waiting for the store: they are kept and will be retried; send this one later.",
        retryAfterSeconds: 60)

    static let noRoom = Self(
        429, "tooManyOpen",
        "Receipts of more than \(BackendLimits.smallReceiptBytesMax >> 10) KiB that are "
            + "waiting for the store, or were refused, take up all the room for them: send this "
            + "one later.",
        retryAfterSeconds: 60)

    static func tooManyRefused(seconds: Int) -> Self {
        .init(
            429, "tooManyRefused",
            "\(BackendLimits.refusalsPerUserMax) receipts of this user were refused "
                + "recently: try again in \(seconds) seconds.",
            retryAfterSeconds: Int64(seconds))
    }

    static let storage = Self(
        503, "storageFailed",
        "The backend cannot write to its disk right now; nothing was lost: try again "
            + "in 30 seconds.",
        retryAfterSeconds: 30)

    static let failed = Self(
        500, "failed",
        "The backend failed; nothing was lost. Try again.")

    static let notReady = Self(
        503, "notReady", "The backend's database does not answer, or its disk is full.")

    static let receiptInAddress = Self(
        400, "receiptInAddress",
        "Send receipts in the body of a POST: addresses end up in logs.")

    static func notFound(_ message: String) -> Self {
        .init(404, "notFound", message)
    }

    /// The answer; its body also says when to try again.
    var answer: HTTPResponse {
        guard let retryAfterSeconds else { return response }
        let body = RetryLaterBody(
            code: code, message: message, retryAfterSeconds: Int(retryAfterSeconds))
        return response((try? WireJSON.encode(body)) ?? [])
    }
}

extension Refusal {
    /// The refusal for a failure that is not the client's fault: try later when the storage is in
    /// temporary trouble, otherwise an internal failure.
    init(of error: any Error) {
        switch (error as? DatabaseError)?.code {
        case .diskFull, .inputOutput: self = .storage
        case .unavailable: self = .busy
        default: self = .failed
        }
    }
}
