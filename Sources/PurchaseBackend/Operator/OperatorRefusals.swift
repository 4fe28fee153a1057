/// Why the operator is not served.
extension RequestRefusal {
    static let operatorTokenWrong = Self(
        status: 401, code: "operatorTokenWrong",
        message: "The operator token is missing or wrong; it stands in the data directory's "
            + "\(OperatorToken.fileName) file.")

    static let noSubmission = Self.notFound("There is no submission of that identifier.")

    static let alreadyDelivered = Self(
        status: 409, code: "alreadyDelivered",
        message: "This submission was granted: there is nothing to try again.")

    static let notDelivered = Self(
        status: 409, code: "notDelivered",
        message: "This submission was not granted: there is nothing to check again.")

    static let receiptDropped = Self(
        status: 410, code: "receiptDropped",
        message: "The bytes of this refused receipt were let go of: the app has to send it again.")

    static let stillAsking = Self(
        status: 503, code: "stillAsking",
        message: "The store has not answered yet; look at the history in 30 seconds.",
        retryAfterSeconds: 30)

    static func noClearAnswer(_ reason: String) -> Self {
        .init(
            status: 503, code: "noClearAnswer",
            message: "The store gave no clear answer (\(reason)); nothing was changed: try again "
                + "in 60 seconds.",
            retryAfterSeconds: 60)
    }
}
