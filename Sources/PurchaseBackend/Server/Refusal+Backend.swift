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
        "Sign in by POST /v1/sessions and send the token as Authorization: Bearer.")

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
        409, "nameTaken", "A user of this name exists: choose another.")

    static func tooManySignUps(seconds: Int) -> Self {
        .init(
            429, "tooManySignUps",
            "Too many users signed up lately: try again in \(seconds) seconds.",
            retryAfterSeconds: Int64(seconds))
    }

    static let busy = Self(
        503, "busy",
        "The backend has too much to do right now: try again in 5 seconds.",
        retryAfterSeconds: 5)

    static let tooManyOpen = Self(
        429, "tooManyOpen",
        "\(BackendLimits.openSubmissionsPerUserMax) receipts of this user wait for the "
            + "store already: they are kept and tried again; send this one later.",
        retryAfterSeconds: 60)

    static let noRoom = Self(
        429, "tooManyOpen",
        "Receipts of more than \(BackendLimits.smallReceiptBytesMax >> 10) KiB that wait "
            + "for the store, or were refused, take all the room there is for them: send this "
            + "one later.",
        retryAfterSeconds: 60)

    static func tooManyRefused(seconds: Int) -> Self {
        .init(
            429, "tooManyRefused",
            "\(BackendLimits.refusalsPerUserMax) receipts of this user were refused "
                + "lately: try again in \(seconds) seconds.",
            retryAfterSeconds: Int64(seconds))
    }

    static func tooManyRepeated(seconds: Int) -> Self {
        .init(
            429, "tooManyRepeated",
            "\(BackendLimits.repeatsPerUserMax) purchases that were granted before were "
                + "sent by this user lately: try again in \(seconds) seconds.",
            retryAfterSeconds: Int64(seconds))
    }

    static let storage = Self(
        503, "storageFailed",
        "The backend cannot write to its disk right now; nothing was lost: try again "
            + "in 30 seconds.",
        retryAfterSeconds: 30)

    static let failed = Self(
        500, "failed",
        "The backend could not do this; nothing was lost. Try again.")

    static let notReady = Self(
        503, "notReady", "The backend's database does not answer.")

    static let receiptInAddress = Self(
        400, "receiptInAddress",
        "Send receipts by POST in the body: addresses end up in logs.")

    static func notFound(_ message: String) -> Self {
        .init(404, "notFound", message)
    }

    /// The answer, which also says in its body when to come again.
    var answer: HTTPResponse {
        guard let retryAfterSeconds else { return response }
        let body = RetryLaterBody(
            code: code, message: message, retryAfterSeconds: Int(retryAfterSeconds))
        return response((try? WireJSON.encode(body)) ?? [])
    }
}

extension Refusal {
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
